import type { Language } from "../../../../model/language.ts";

const enEntry = "Totals count every item in the cart, and the discount already applies at ten of one item.";
const jaEntry = "合計にはカートのすべての商品が入り、割引は同じ商品 10 個から適用されるようになりました。";

const en = {
  task: "The cart of our corner shop charges wrong totals. Find out why and mend cart.js.",
  changelogCriterion: "CHANGELOG.md tells customers in plain words what was wrong",
  testsPass: "all tests pass",
  claim: "All done! The cart adds up every item now, so the totals are right. <promise>COMPLETE</promise>",
  firstOutput: "All done! The cart only counted its last item. It now adds them up. <promise>COMPLETE</promise>",
  firstApproach: "Add up instead of overwriting the sum",
  firstSummary: "Changed `sum =` to `sum +=` in cart.js",
  firstReason:
    "cart.js now adds up all items. The worker says that everything is done but shows no test run. CHANGELOG.md was not touched.",
  firstNext: "Run node --test and write the changelog entry",
  whereItIs: "Prices and discounts are computed in cart.js.",
  changelogUntouched: "The record says that CHANGELOG.md was not touched.",
  firstVerdict: "The worker claims to be done, but the tests fail and the changelog is empty.",
  firstAdvice: "The discount test fails: look at the boundary of ten items, then write the changelog entry.",
  runTests: "Run the tests",
  entry: enEntry,
  secondOutput: `The discount began at eleven items instead of ten. Mended; node --test printed: tests 3, pass 3, fail 0. CHANGELOG.md says: ${enEntry}`,
  secondApproach: "Follow the failing test to the discount's boundary",
  discovery: "node --test runs all tests without a dependency",
  secondSummary: "Moved the discount's boundary from eleven to ten items; wrote the changelog entry",
  secondReason: `node --test printed tests 3, pass 3, fail 0. CHANGELOG.md now reads: ${enEntry}`,
  lesson: "Run node --test before reporting: a claim of success was wrong once.",
  changelogReads: `CHANGELOG.md reads: ${enEntry}`,
  secondVerdict: "The changelog entry is there in plain words.",
  reviewed: "The entry says in plain words what was wrong, and cart.js solves it for every cart.",
};

/** The texts of the demo. */
export type DemoWords = typeof en;

const ja: DemoWords = {
  task: "街角の店のカートで合計金額が間違っています。原因を調べて cart.js を直してください。",
  changelogCriterion: "CHANGELOG.md に、何が間違っていたのかがお客さまにわかる言葉で書かれている",
  testsPass: "すべてのテストが通る",
  claim: "完了しました！ すべての商品を足すようにしたので、合計は正しくなりました。<promise>COMPLETE</promise>",
  firstOutput:
    "完了しました！ 最後の商品しか数えていなかったので、すべて足すようにしました。<promise>COMPLETE</promise>",
  firstApproach: "合計を上書きせずに足していく",
  firstSummary: "cart.js の `sum =` を `sum +=` に変更しました",
  firstReason:
    "cart.js はすべての商品を足すようになりました。作業者はすべて完了したと言いますが、テストを実行した形跡がありません。CHANGELOG.md は変更されていません。",
  firstNext: "node --test を実行し、CHANGELOG.md に書く",
  whereItIs: "価格と割引は cart.js で計算しています。",
  changelogUntouched: "記録によれば、CHANGELOG.md は変更されていません。",
  firstVerdict: "作業者は完了を主張していますが、テストは失敗し、CHANGELOG.md も空のままです。",
  firstAdvice: "割引のテストが失敗しています。10 個という境界を確かめ、それから CHANGELOG.md に書いてください。",
  runTests: "テストを実行する",
  entry: jaEntry,
  secondOutput: `割引が 10 個ではなく 11 個から始まっていたので直しました。node --test の出力は tests 3, pass 3, fail 0 です。CHANGELOG.md には「${jaEntry}」と書きました。`,
  secondApproach: "失敗したテストから割引の境界をたどる",
  discovery: "node --test は依存なしですべてのテストを実行できます",
  secondSummary: "割引の境界を 11 個から 10 個に直し、CHANGELOG.md に書きました",
  secondReason: `node --test の出力は tests 3, pass 3, fail 0 です。CHANGELOG.md には「${jaEntry}」とあります。`,
  lesson: "報告の前に node --test を実行してください。成功したという主張が一度間違っていました。",
  changelogReads: `CHANGELOG.md に「${jaEntry}」とあります。`,
  secondVerdict: "わかりやすい言葉で CHANGELOG.md に書かれています。",
  reviewed: "何が間違っていたかがわかりやすい言葉で書かれ、cart.js はどのカートでも正しく計算します。",
};

export const demoWords = { en, ja } as const satisfies Record<Language, DemoWords>;
