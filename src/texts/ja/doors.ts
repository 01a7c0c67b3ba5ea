import type { enDoors, enDoorsHelp } from "../en/doors.ts";

export const jaDoors: typeof enDoors = {
  doors: {
    task: "タスク",
    last: (iteration) => `イテレーション ${iteration}`,
    proved: "結果は証明されています。",
    notProved: "結果は証明されていません。",
    started: (id) =>
      `タスク ${id} を始めました。この会話が終わっても、バックグラウンドで続きます。様子を見るには：e8 watch ${id}`,
    answered: (id) => `タスク ${id} は回答を受け取り、作業を始めました。`,
    next: {
      running: "`watch` で様子を見るか、そのままにしてください。ひとりでに続きます",
      paused: "e8 resume で再開できます",
      completed: "ありません。完了しています",
      answer: "`answer` で質問に答えてください",
      resume: "足りないものを確認してください。`run_task` の `resume` で続きを実行できます",
    },
    stillWaiting: (id) => `タスク ${id} は続いています`,
    listening: (url) =>
      `MCP サーバーが ${url} で待ち受けています。このマシンでトークンを知っているプログラムだけが使えます。`,
    addIt: (command) => `Claude Code に追加するには：${command}`,
    roots: (roots) => `実行を始められるのは次のディレクトリの中だけです：${roots}`,
  },
};

export const jaDoorsHelp: typeof enDoorsHelp = {
  mcp: "MCP サーバー。ほかのプログラムが実行を始め、様子を見ることができます",
  mcpHttp: "標準入出力の代わりに、ループバックの HTTP で提供します。トークンは ENDLESS8_MCP_TOKEN でも指定できます",
  mcpPort: "--http のポート（省略すると空いているポート）",
  mcpRoot: "プロジェクトのほかに実行を始めてよいディレクトリ（繰り返し可）",
};
