import type { Language } from "../../../../model/language.ts";

const en = {
  totals: "The cart charges wrong totals",
  totalsBody: "Only the last item counts, and ten of one item get no discount.",
  totalsEntry: "Totals count every item in the cart.",
  totalsWork: "The cart adds up every item, and the discount begins at ten.",
  euros: "Prices are shown in cents",
  eurosBody: "Nobody pays 1250 cents. Write euros.js with a function that makes 12.50 € of it.",
  eurosEntry: "Prices are shown in euros.",
  eurosWork: "euros.js writes an amount with two decimals.",
  readme: "A README for new colleagues",
  readmeBody: "How do I run the tests?",
  readmeText: "# Corner shop\n\nThe tests run with `npm test`.\n",
  readmeWork: "README.md says how to run the tests.",
  settled: "The base has an entry of its own in CHANGELOG.md. Both stay.",
};

/** The texts of the demo with a backlog. */
export type BacklogWords = typeof en;

const ja: BacklogWords = {
  totals: "カートの合計金額が間違っている",
  totalsBody: "最後の商品しか数えず、同じ商品 10 個でも割引になりません。",
  totalsEntry: "合計にはカートのすべての商品が入ります。",
  totalsWork: "すべての商品を足し、割引は 10 個から適用するようにしました。",
  euros: "価格がセントのまま表示される",
  eurosBody: "1250 セントと言われても困ります。12.50 € と書く関数を euros.js に作ってください。",
  eurosEntry: "価格をユーロで表示します。",
  eurosWork: "euros.js は金額を小数点以下 2 桁で書きます。",
  readme: "新しい仲間のための README",
  readmeBody: "テストはどう実行しますか？",
  readmeText: "# 街角の店\n\nテストは `npm test` で実行します。\n",
  readmeWork: "README.md にテストの実行方法を書きました。",
  settled: "マージ先の CHANGELOG.md にも新しい行がありました。両方を残しました。",
};

export const backlogWords = { en, ja } as const satisfies Record<Language, BacklogWords>;
