import type { Texts } from "../en/catalogue.ts";
import { jaAbilities } from "./abilities.ts";
import { jaBacklog } from "./backlog.ts";
import { jaComparing } from "./comparing.ts";
import { jaDashboard } from "./dashboard.ts";
import { jaDoors } from "./doors.ts";
import { jaFleet } from "./fleet.ts";
import { jaHelp } from "./help.ts";
import { jaIssues } from "./issues.ts";
import { jaLanding } from "./landing.ts";
import { jaLive } from "./live.ts";
import { jaLookingBack } from "./looking-back.ts";
import { jaProof } from "./proof.ts";
import { jaReportFile } from "./report-file.ts";
import { jaSteering } from "./steering.ts";
import { jaLeftOut } from "./tampering.ts";
import { jaUsage } from "./usage.ts";
import { jaWorkers } from "./workers.ts";

const results: Readonly<Record<string, string>> = { success: "成功", failure: "失敗" };

export const ja: Texts = {
  language: "ja",
  ...jaLookingBack,
  ...jaIssues,
  ...jaBacklog,
  ...jaComparing,
  ...jaFleet,
  ...jaDashboard,
  ...jaReportFile,
  ...jaDoors,
  ...jaLive,
  proof: jaProof,
  acceptAsk: "変更されたファイルを使いますか？",
  landing: jaLanding,
  snapshots: {
    unchanged: "違いのあるファイルはありません",
    number: "イテレーションの番号（0 は開始時）、または以前の e8 rollback が示したスナップショット",
    iteration: "イテレーションの番号（0 は開始時）",
    rolledBack: (id: string, to: string, before: string) =>
      `ファイルを${to === "0" ? "開始時" : /^\d{1,4}$/.test(to) ? `イテレーション ${to} の終わり` : `スナップショット ${to} `}に戻しました。それまでの状態も残っています。元に戻すには：e8 rollback ${id} --to ${before.slice(0, 12)}`,
    leftOut: (files: readonly string[]) => jaLeftOut({ count: files.length, files: files.slice(0, 5) }),
    interrupted: (id: string, before: string) =>
      `以前の巻き戻しが途中で止まっていました。その前のファイルに戻すには：e8 rollback ${id} --to ${before.slice(0, 12)}`,
    totals: (files: number, added: number, removed: number) => `+${added} −${removed}（${files} ファイル）`,
    cleaned: (count: number) => `${count} 件のタスクのスナップショットと、クリーンなチェックアウトを削除しました。`,
    wayBackKept: (count: number) =>
      `巻き戻しや fork の前のファイルのスナップショット ${count} 件は残しました。\`e8 rm ID\` でタスクと一緒に削除できます。`,
    copiesRemoved: (count: number) => `2 週間使われていないリポジトリのコピーを ${count} 件削除しました。`,
  },
  ...jaSteering,
  ...jaWorkers,
  status: {
    completed: "完了",
    max_iterations: "未完了",
    budget_exceeded: "未完了",
    stalled: "未完了",
    conditions_failed: "未完了",
    error: "エラー",
    cancelled: "キャンセル",
    clarification_needed: "質問あり",
  },
  stop: {
    criteria_met: "すべての完了条件を満たしました",
    already_true: "作業の前からすべてのチェックが成功していたため、することがありませんでした",
    already_green: "作業の前からすべてのチェックが成功していました（--if-green fail）",
    flow_budget: "エージェント自身の予算を使い切りました",
    max_iterations: "イテレーションを使い切りました",
    budget_cost: "費用の予算を使い切りました",
    budget_tokens: "トークンの予算を使い切りました",
    budget_time: "時間の予算を使い切りました",
    deadline: "期限を過ぎました",
    stalled: "進展がありません。何も変わらず、同じ完了条件が同じように未達のままでした",
    conditions_failed: "エージェントの完了条件が満たされませんでした",
    not_landed: "作業は証明されましたが、マージできませんでした",
    error: "エラーで終了しました",
    cancelled: "キャンセルされました",
    clarification_needed: "先に質問への回答が必要です",
  },
  phase: {
    intake: "タスクと完了条件を確認中",
    execute: "作業中",
    summarize: "要約中",
    check: "チェックを実行中",
    judge: "判定中",
    prove: "完了の主張を確かめています",
    setup: "クリーンなチェックアウトを準備中",
    review: "作業をレビューしています",
    queue: "マージの順番待ち",
    land: "マージ中",
  },
  usage: jaUsage,
  labeled: (label, text = "") => `${label}：${text}`,
  separator: "、",
  error: "エラー",
  nextStep: "次の手順",
  warning: "注意",
  inProject: (path) => `プロジェクト：${path}`,
  runStart: (id) => `タスク ${id}`,
  resumed: (id, iterations) => `タスク ${id}（イテレーション ${iterations} の続き）`,
  iteration: (number, of) => `イテレーション ${number} / ${of}`,
  accepted: "タスクと完了条件は明確です",
  refined: (text) => `解釈：${text}`,
  intakeNote: (text) => `受付の注記：${text}`,
  waiting: (reason, until) => `${until} まで待機します：${reason}`,
  retry: (attempt, of, at) => `${at} に再試行します（${attempt} / ${of} 回目）`,
  denied: (tool, reason) => `許可されていません：${tool}（理由：${reason}）`,
  met: "達成",
  linesLeftOut: (count) => (count === undefined ? "…（前の行は省略）" : `…（${count} 行省略）`),
  notMet: "未達",
  check: {
    passes: (command) => `\`${command}\` が終了コード 0 で終わること`,
    hidden: "非公開のチェックが成功すること",
    unchanged: (files) => `タスク開始時から変わらないこと：${files}`,
  },
  suggestion: (text) => `次の提案：${text}`,
  worked: (result, approach) =>
    result === "error" ? `エラー：${approach}` : `作業者の主張：${results[result] ?? result} — ${approach}`,
  questionsOpen: "作業を始める前に、次の質問に答えてください。",
  answerWith: (id) => `回答するには：e8 answer ${id}`,
  changes: {
    title: (files, lines) => [`変更されたファイル：${files}`, lines].filter(Boolean).join("、"),
    none: "変更されたファイルはありません",
    status: { added: "追加", modified: "変更", deleted: "削除" },
    more: (count) => `ほか ${count} 件`,
    claimed: "作業者の主張",
    unseen: "作業者の主張（変更は確認されていません）",
    output: "作業者の最後の文章",
  },
  report: {
    reason: "理由",
    criteria: "完了条件",
    iterations: "イテレーション",
    tokens: "トークン",
    cost: "費用",
    time: "時間",
    unknown: "不明",
    atLeast: (amount) => `${amount} 以上`,
    records: "記録",
    noneJudged: "判定されたイテレーションはありません",
    goOn: (id) => `e8 run --resume ${id}`,
    goOnOtherwise: (id) =>
      `進まない理由を確認するには：e8 show ${id}。続けるには（--model で別のモデル、--agent-command で別のプログラムにもできます）：e8 run --resume ${id}`,
    goOnWithMore: (id, flag) => `上限を上げて続けるには：e8 run --resume ${id} ${flag}`,
    noMoreIterations: (limit) =>
      `1 つのタスクは最大 ${limit} イテレーションです。新しいタスクを始めてください：e8 run "…"`,
  },
  dryRun: {
    title: "実行される内容です。まだ何も実行していません。",
    source: (source) =>
      source === "default"
        ? "既定値"
        : source
            .replace(/^flag /, "フラグ ")
            .replace(/^command line$/, "コマンドライン")
            .replace(/^environment /, "環境変数 "),
    can: (agent) => `${agent} にできること`,
    cannot: (agent) => `${agent} にできないこと`,
    abilities: jaAbilities,
  },
  cancelled: (id) => `タスク ${id} をキャンセルしました。`,
  cancelPending: (id) => `タスク ${id} に停止を伝えました。後片付け中です。`,
  resumeTakesNothingNew:
    "再開するタスクは始めたときのまま続きます。変えられるのは上限、モデル、ツール、作業者のプログラムだけです（-n、--max-…、--until、--check-timeout、--allow-tool、--model、--judge-model、--agent-command）。それ以外は新しいタスクを始めてください",
  stopping: "停止しています…（もう一度 Ctrl-C で即時停止）",
  watchLeft: (id) => `タスク ${id} の実行は続きます。もう一度見るには：e8 watch ${id}`,
  replayLeft: (id) => `もう一度見るには：e8 watch ${id}`,
  oneJsonFormat: "--json と --json-events はどちらか一方だけ指定してください",
  values: {
    age: "時間、日、週の数（12h、30d、2w など）",
    aboveZero: "0 より大きい数",
    between: (lowest, highest) => `${lowest}〜${highest}`,
    iteration: "整数。0 は受付",
  },
  skipped: "失敗した条件がありますが、定義により完了としました",
  agentRunUsage:
    "使い方：e8 agent run <name> [options]\n\nオプションはエージェントごとに異なります：e8 agent run <name> --help\n一覧：e8 agent list",
  agentNameMissing: "先にエージェントの名前を指定してください（`e8 agent list` で一覧）",
  scripted: "モデルは台本どおりに答えます。言語モデルの回答ではありません。",
  severity: { error: "エラー", warning: "警告" },
  agents: {
    none: "エージェントはまだありません。作成するには：e8 agent init <name>",
    columns: ["エージェント", "ステップ", "完了タイプ", "説明"],
    broken: (count) => `エラー ${count} 件`,
    valid: "正しい定義です",
    errors: (count) => `エラー ${count} 件`,
    warnings: (count) => `警告 ${count} 件`,
    why: "なぜ問題か",
    fix: "直し方",
    parameters: "パラメーター（* 必須）",
    completion: "完了タイプ",
    tools: "ツール",
    entry: "開始ステップ",
    intents: "intent",
    handsOn: "引き継ぐもの",
    receives: "受け取るもの",
    conditions: "完了条件",
    made: (path) => `${path} を作成しました`,
    stepColumns: ["ステップ", "種類", "担当", "指定", "注意"],
    ofStep: "ステップ",
    onlySandbox: "制限はサンドボックスだけです",
  },
  init: {
    task: "何をしたいですか",
    criterion: "完了したとき、何が成り立っているべきですか（1 文ずつ。空で次へ）",
    check: "終了コード 0 になるべきコマンド（なければ -）",
    iterations: "最大イテレーション数",
    cost: "費用の上限（米ドル。空なら上限なし）",
    wrong: "使えない値です",
    left: "何も書いていません",
    exampleTask: "記入：やりたいこと。例：cart.test.js の失敗しているテストを直す",
    exampleCriterion: "記入：完了したときに成り立つべきこと。例：README にテストの実行方法がある",
    made: (path) => `${path} を書きました`,
    fillIn: (keys, command) => `${keys.join(" と ")} を書き込んでから：${command}`,
  },
  doctor: {
    healthy: "実行に必要なものはそろっています。",
    problems: (count) => `このままでは実行できない問題が ${count} 件あります。`,
  },
  demo: {
    intro: [
      "オフラインの本物の実行です。本物の Claude Code が、使い捨ての小さなプロジェクトを本物のツールで編集します。",
      "モデルだけは台本どおりに答えます。言語モデルの回答ではありません。アカウントは使いません。",
    ],
    project: (path) => `プロジェクト：${path}`,
    outro: "最初の作業者は完了を主張しましたが、チェックがそれを否定し、次の作業者にはその理由が伝えられました。",
    scripted: (requests) =>
      `台本で動くモデルは、このマシンの中で ${requests} 件のリクエストに答えました。外部への通信はありません。`,
    next: '次はあなたのタスクを実行してください：e8 run "…" --check "npm test"',
    backlog: {
      intro: [
        "3 つのイシューに同時に、それぞれ専用のブランチとワークツリーで取り組みます。",
        "証明できたものを 1 つずつマージします。2 つのイシューは同じ行を変えるので、片方は競合します。",
      ],
      landed: (base) => `現在の ${base}（新しい順）：`,
      outro: "競合は作業者に戻され、マージした結果をもう一度証明しました。あなたのブランチは変わっていません。",
      next: '次はあなたのイシューを：e8 issues add "…" --check "npm test"、続けて e8 orchestrate --base main --parallel 3',
    },
  },
  help: jaHelp,
};
