import type { enLookingBack, enLookingBackHelp } from "./en-looking-back.ts";

export const jaLookingBack: typeof enLookingBack = {
  query: {
    rows: (count) => `${count} 行`,
    oneFormat: "--json と --csv はどちらか一方だけ指定してください",
  },
};

export const jaLookingBackHelp: typeof enLookingBackHelp = {
  query: "タスク、履歴、知識を SQL で調べる。SQL を省くと列の一覧を表示",
  sqlArgument: "ビュー tasks、history、knowledge への SQL 文 1 つ（docs/queries.md）",
  csv: "行を CSV（RFC 4180）で出力する",
};
