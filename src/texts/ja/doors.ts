import type { enDoors, enDoorsHelp } from "../en/doors.ts";
import type { ErrorTexts } from "../message-texts.ts";

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

export const jaDoorsErrors: Pick<ErrorTexts, "run_not_started" | "project_not_allowed" | "task_choice" | "port_taken"> =
  {
    run_not_started: (d) => [
      `実行を始められませんでした。次の出力がありました：\n${d.said}`,
      "該当する箇所を直してから、もう一度試してください。何も始めていません。",
    ],
    project_not_allowed: (d) => [
      `${d.path} は、このサーバーが実行を始められるディレクトリ（${d.roots.join("、")}）の外にあります。`,
      "そのプロジェクトでサーバーを起動するか、--root で指定してください。",
    ],
    task_choice: [
      "実行する内容は `task`、`task_file`、`resume` のうち一つだけで指定してください。",
      "言葉でのタスク、プロジェクトのタスクファイル、続きから実行するタスクの ID のどれか一つを指定してください。",
    ],
    port_taken: (d, tell) => [
      `ポート ${d.port} では待ち受けられません：${tell(d.problem)}`,
      "--port で別のポートを指定するか、省略して空いているポートを使ってください。",
    ],
  };
