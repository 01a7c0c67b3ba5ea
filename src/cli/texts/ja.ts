import type { Role } from "../../model/roles.ts";
import { wordsIn } from "../../model/statement.ts";
import type { Texts } from "./en.ts";
import { jaFaults } from "./ja-faults.ts";
import { jaFindings } from "./ja-findings.ts";
import { jaLive, jaLiveHelp } from "./ja-live.ts";
import { jaLookingBack, jaLookingBackHelp } from "./ja-looking-back.ts";
import { jaProblem } from "./ja-problems.ts";
import { jaUsage } from "./ja-usage.ts";

const roles: Record<Role, string> = {
  intake: "受付エージェント",
  executor: "実行エージェント",
  summarizer: "要約エージェント",
  judge: "判定エージェント",
};

const results: Readonly<Record<string, string>> = { success: "成功", failure: "失敗", error: "エラー" };

const boundaryActions: Readonly<Record<string, string>> = {
  close: "閉じました",
  "label-only": "ラベルを付け替えました",
  "label-and-close": "ラベルを付け替えて閉じました",
};

export const ja: Texts = {
  language: "ja",
  faults: jaFaults,
  ...jaLookingBack,
  ...jaLive,
  findings: jaFindings,
  notices: {
    records_restored: (d) =>
      `${d.file} がタスクの実行中に、endless8 以外のもの（おそらく作業者）によって変更されました。元に戻しました。`,
    torn_line: (d) =>
      `${d.file} の末尾に書きかけの記録（${d.bytes} バイト）がありました。停電かディスク不足とみて取り除きました。`,
    unreadable_lines: (d) => `${d.file} の読めない ${d.lines} 行を飛ばしました。`,
    file_left_out: (d) => `${d.file} は読めないため飛ばしました（理由: ${wordsIn("ja", d.problem)}）。`,
    raw_log_unwritable: (d) =>
      `${d.file} に書き込めません（理由: ${wordsIn("ja", d.problem)}）。生ログは完全ではありませんが、実行は続けます。`,
    copy_unwritable: (d) =>
      `${d.file} に書き込めません（理由: ${wordsIn("ja", d.problem)}）。実行の結果はタスク自身の履歴にあります。`,
    history_scanned: (d) =>
      `DuckDB を使えないため（${d.problem}）、履歴を直接読みました。結果は同じですが遅くなります。`,
    mcp_left_out: (d) =>
      `.mcp.json の未承認の MCP サーバーは起動しませんでした: ${d.servers}。使うには mcp_servers に名前を書いてください。`,
    mcp_failed: (d) => `MCP サーバー ${d.server} を起動できませんでした。エージェントはこれなしで作業します。`,
    orphans_ended: (d) => `以前の実行が残したプロセス ${d.count} 個を終了しました。`,
    completed_before: () =>
      "このタスクはすでに完了しています。今回は何も実行も確認もしていません。確認し直すには新しいタスクを始めてください。",
    judged_again: (d) =>
      `イテレーション ${d.iteration} は完了と判定されましたが、その実行は終了前に途切れました。作業結果が失われている可能性があるため、判定し直します。`,
    definition_changed: (d) =>
      `エージェント ${d.name} は、このタスクの開始後に変更されています（${d.files}）。変更後の内容で続けます。完了条件が意図どおりか確認してください。`,
    definition_changed_during: (d) =>
      `エージェント ${d.name} のファイルが、実行中に変更されました（${d.files}）。次の実行からは変更後の内容が使われます。完了条件が意図どおりか確認してください。`,
    played_again: (d) =>
      `前回と同じく、モデルは台本です。回答は言語モデルではなく ${d.script} から来ます（最初から再生します）。`,
    scripted_agent: (d) =>
      `エージェントはシナリオで動いています。発言も作業も ${d.story} によるもので、言語モデルの回答ではありません。`,
    asked_again: (d) => `${roles[d.role]}の回答を使えないため、もう一度尋ねます（理由: ${wordsIn("ja", d.problem)}）。`,
    role_failed: (d) => `${roles[d.role]}から使える回答が得られませんでした（理由: ${wordsIn("ja", d.problem)}）。`,
    summary_mechanical: (d) => `要約は機械的に作りました（理由: ${wordsIn("ja", d.problem)}）。`,
    intake_ignored: (d) => `受付の言い換えは使わず、元の文のまま進めます（理由: ${wordsIn("ja", d.problem)}）。`,
    context_cut: (d) => `プロンプトを小さく保つため、古い記録 ${d.entries} 件を省略しました。`,
    cost_unknown: (d) =>
      `${d.model} の料金が分からないため、トークンは数えますが費用は数えません。費用の予算に含めるには prices に料金を書いてください。`,
    pipe_hides_exit: (d) =>
      `\`${d.command}\` にはパイプがあり、最後のコマンドの終了コードしか見えません。条件に \`pipefail: true\` を付けてください。`,
  },
  status: {
    completed: "完了",
    max_iterations: "未完了",
    budget_exceeded: "未完了",
    stalled: "未完了",
    error: "エラー",
    cancelled: "キャンセル",
    clarification_needed: "質問あり",
  },
  stop: {
    criteria_met: "すべての完了条件を満たしました",
    max_iterations: "イテレーションを使い切りました",
    budget_cost: "費用の予算を使い切りました",
    budget_tokens: "トークンの予算を使い切りました",
    budget_time: "時間の予算を使い切りました",
    stalled: "進展がありません。何も変わらず、同じ条件が同じように失敗し続けました",
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
  },
  usage: jaUsage,
  error: "エラー",
  nextStep: "次の手順",
  warning: "注意",
  runStart: (id) => `タスク ${id}`,
  resumed: (id, iterations) => `タスク ${id}（イテレーション ${iterations} の続き）`,
  iteration: (number, of) => `イテレーション ${number} / ${of}`,
  boundary: (issue, action) => `イシュー ${issue}: ${boundaryActions[action] ?? action}`,
  accepted: "タスクと完了条件は明確です",
  refined: (text) => `解釈: ${text}`,
  waiting: (reason, until) => `${until} まで待機します: ${reason}`,
  denied: (tool, reason) => `許可されていません: ${tool}（理由: ${reason}）`,
  met: "達成",
  linesLeftOut: (count) => (count === undefined ? "…（前の行は省略）" : `…（${count} 行省略）`),
  notMet: "未達",
  check: {
    passes: (command) => `\`${command}\` が終了コード 0 で終わる`,
    hidden: "非公開のチェックが成功する",
    unchanged: (files) => `タスク開始時のまま変わらない: ${files}`,
  },
  suggestion: (text) => `次の提案: ${text}`,
  worked: (result, approach) => `${results[result] ?? result}: ${approach}`,
  questionsOpen: "作業を始める前に、次の質問に答えてください。",
  answerWith: (id) => `回答するには: e8 answer ${id}`,
  report: {
    reason: "理由",
    criteria: "完了条件",
    artifacts: "成果物",
    artifactsCut: (limit) => `ほかにもあるかもしれません（1 イテレーションの記録に残るのは最大 ${limit} 件）`,
    iterations: "イテレーション",
    tokens: "トークン",
    cost: "費用",
    time: "時間",
    records: "記録",
    noneJudged: "判定されたイテレーションはありません",
    goOn: (id) => `e8 run --resume ${id}`,
    goOnOtherwise: (id) =>
      `進まない理由を確認: e8 show ${id}。続けるには（--model で別のモデル、--agent-command で別のプログラムにもできます）: e8 run --resume ${id}`,
    goOnWithMore: (id, flag) => `上限を上げて続ける: e8 run --resume ${id} ${flag}`,
    noMoreIterations: (limit) =>
      `一つのタスクは最大 ${limit} イテレーションです。新しいタスクを始めてください: e8 run "…"`,
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
  },
  cancelled: (id) => `タスク ${id} をキャンセルしました。`,
  cancelPending: (id) => `タスク ${id} に停止を伝えました。後片付け中です。`,
  resumeTakesNothingNew:
    "再開するタスクは始めたときのまま続きます。変えられるのは上限とモデルと作業者のプログラムだけです（-n、--max-…、--check-timeout、--model、--judge-model、--agent-command）。それ以外は新しいタスクを始めてください",
  stopping: "停止しています…（もう一度 Ctrl-C で即時停止）",
  skipped: "失敗した条件がありますが、定義により完了としました",
  agentRunUsage:
    "使い方: e8 agent run <name> [options]\n\nオプションはエージェントごとに異なります: e8 agent run <name> --help\n一覧: e8 agent list",
  agentNameMissing: "先にエージェントの名前を指定してください（`e8 agent list` で一覧）",
  scripted: "モデルは台本です。回答は言語モデルではなくシナリオから来ます。",
  problem: jaProblem,
  severity: { error: "エラー", warning: "警告" },
  agents: {
    none: "エージェントはまだありません。作成: e8 agent init <name>",
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
  },
  init: {
    task: "何をしたいですか",
    criterion: "完了したとき、何が成り立っているべきですか（1 文ずつ。空で次へ）",
    check: "終了コード 0 になるべきコマンド（なければ -）",
    iterations: "最大イテレーション数",
    cost: "費用の上限（米ドル。空なら上限なし）",
    wrong: "使えない値です",
    left: "何も書いていません",
    exampleTask: "やりたいことをここに書いてください。例: cart.test.js の失敗しているテストを直す",
    exampleCriterion: "完了したときに成り立つべきことをここに書いてください。例: README にテストの実行方法がある",
    made: (path) => `${path} を書きました`,
    fillIn: (keys, command) => `${keys.join(" と ")} を書き込んでから: ${command}`,
  },
  doctor: {
    healthy: "実行に必要なものはそろっています。",
    problems: (count) => `このままでは実行できない問題が ${count} 件あります。`,
  },
  demo: {
    intro: [
      "オフラインの本物の実行です。本物の Claude Code が、使い捨ての小さなプロジェクトを本物のツールで編集します。",
      "モデルだけが台本です。回答は言語モデルではなくシナリオから来ます。アカウントは使いません。",
    ],
    project: (path) => `プロジェクト: ${path}`,
    outro: "最初の作業者は完了を主張しましたが、チェックがそれを否定し、次の作業者にはその理由が伝えられました。",
    scripted: (requests) =>
      `台本のモデルはこのマシン上で ${requests} 件のリクエストに答えました。外部への通信はありません。`,
    next: '次はあなたのタスクを: e8 run "…" --check "npm test"',
  },
  help: {
    ...jaLookingBackHelp,
    ...jaLiveHelp,
    description: "タスクが完了したと証明されるまで、コーディングエージェントを毎回新しいコンテキストで働かせます。",
    run: "完了条件を満たすまでタスクを実行する",
    list: "プロジェクトのタスク一覧を表示する",
    show: "タスクで何が起きたかを表示する",
    answer: "タスクの未回答の質問に答えて続きを実行する",
    cancel: "実行中のタスクをキャンセルする（再開できます）",
    demo: "台本のモデルによる、オフラインの本物の実行",
    init: "タスクファイルのひな形を書く（端末では質問する）",
    initFile: "書くファイル",
    initTask: "やりたいこと（自然言語）",
    force: "ファイルを上書きする",
    doctor: "このマシンに足りないものと対処を表示する",
    completion: "シェルの補完スクリプトを出力する",
    shell: "bash、zsh または fish",
    doctorConfig: "あわせて確認するタスクファイル",
    agent: "ステップで作るエージェント: list、show、validate、init、run",
    agentList: "プロジェクトのエージェント一覧",
    agentShow: "エージェントの内容（ステップ、intent、引き継ぎ、ツール、完了）",
    agentValidate: "定義を検証する。エラーと警告をすべて一度に表示",
    agentInit: "テンプレートから新しいエージェントを作る",
    agentRun: "エージェントを実行する。パラメーターはフラグになる（e8 agent run <name> --help）",
    agentName: ".agent/ 以下の名前、またはディレクトリのパス",
    agentFrom: "テンプレート: single-step、plan-implement-verify-close、issue-worker",
    graph: "フローの図も出力する: mermaid または text",
    param: "名前でパラメーターを渡す。フラグ名が本体と重なるときに使う（複数可）",
    script: "シナリオからモデルを再生する（docs/scripted-model.md）",
    taskArgument: "やりたいこと（自然言語）。- で標準入力から読む",
    commandArgument: "コマンド。下位のコマンドも続けて書けます（例: `agent run`）",
    idArgument: "タスク ID（`e8 list` で確認）",
    latestIdArgument: "タスク ID（`e8 list` で確認）。省略すると最新のタスク",
    criteria: "言葉で書いた完了条件。判定エージェントが評価する（複数可）",
    check: "終了コード 0 になるべきコマンド（複数可）",
    unchanged: "変わってはならないファイル。例: 'test/**'（複数可）",
    config: "タスクファイル（task.yaml）",
    project: "プロジェクトディレクトリ",
    maxIterations: "最大イテレーション数（1〜100）",
    resume: "最新の、または指定した ID のタスクを再開する",
    verbose: "ツール呼び出しと応答をリアルタイムで表示する",
    model: "すべての役割に使うモデル",
    rawLog: "エージェントの出力を `e8 logs` 用に残す",
    judgeModel: "判定役のモデル。API 経由も可: anthropic:…、openai:…、openai-compatible:…@URL",
    json: "結果を JSON で標準出力に書く",
    dryRun: "実行内容と、各設定の出どころを表示する",
    maxCost: "この金額（米ドル）を使ったら止める",
    maxTime: "この時間で止める（分。90s、30m、8h も可）",
    maxTokens: "このトークン数を使ったら止める",
    checkTimeout: "チェックをこの時間で打ち切る（秒。90s、10m も可。既定値は 30 秒）",
    noIntake: "作業前の受付（条件の確認）を行わない",
    agentChoice:
      "作業するエージェント（claude、command:<プログラム>、scripted:<シナリオ>。docs/scripted-model.md を参照）",
    agentCommand: "Claude Code の代わりに作業するプログラム（標準入力にプロンプト、標準出力にテキスト）",
    lang: "表示言語: en または ja",
    answerOption: "回答、または候補の番号。質問の順に指定する（複数可）",
  },
};
