import { type JapaneseProblems, ja, meant, said } from "./ja-problem-text.ts";

const UNDECIDABLE = "エージェントがいつ完了したのか、誰にも判断できません。";
const SAME_THING = "同じものの新旧 2 つの名前です。";

/** Problems of files as such, and of agent.json. */
export const jaFileProblems = {
  AGENT_FILE_MISSING: (d) =>
    said(
      `${d.file} がありません。`,
      "エージェントは agent.json と、そこに書かれた registry でできています。",
      `${d.file} を追加してください。`,
    ),
  AGENT_JSON_BROKEN: (d) =>
    said(
      `正しい JSON ではありません: ${ja(d.problem)}`,
      "このファイルは何も読み取れません。",
      "この箇所を直してください。",
    ),
  AGENT_JSON_DUPLICATE_KEY: (d) =>
    said(`${d.key} が 2 回書かれています。`, "どちらか一方が黙って失われます。", "どちらか一方だけを残してください。"),
  AGENT_UNKNOWN_KEY: (d) =>
    said(
      `${d.key} は知らないキーです。`,
      "誰にも読まれないキーには効果がなく、書き間違いにも気づけません。",
      meant(d.nearest, `削除してください。ここに書けるのは: ${d.known.join(", ") || "なし"}`),
    ),
  AGENT_KEY_MISSING: (d) =>
    said(
      `${d.key} がありません。`,
      "この形式では必須です。",
      d.needed ? `追加してください（${ja(d.needed)}）。` : "追加してください。",
    ),
  AGENT_VALUE_INVALID: (d) =>
    said(
      `${ja(d.problem)}。`,
      "この値は使えません。",
      d.allowed ? `使えるのは: ${ja(d.allowed)}` : "値を直してください。",
    ),
  AGENT_KEY_WITHOUT_EFFECT: (d) =>
    said(`${d.key} はここでは効果がありません。`, ja(d.reason), "ほかのプログラムのために残すか、削除してください。"),
  AGENT_LEGACY_FORMAT: () =>
    said(
      "バージョン 1.12 より前の形式です（`runner` ではなく `behavior`）。",
      "キーの場所も意味も違うため、推測すると意図とは別のものが動いてしまいます。",
      "移行してください: behavior.systemPromptPath → runner.flow.systemPromptPath、prompts → runner.flow.prompts、" +
        "behavior.completionType と completionConfig → runner.completion の type と config、" +
        "behavior.allowedTools、permissionMode、sandboxConfig → runner.boundaries（sandboxConfig は sandbox に）、" +
        "github → runner.integrations.github、worktree → runner.execution.worktree、logging → runner.logging、actions → runner.actions。",
    ),
  AGENT_NAME_MISMATCH: (d) =>
    said(
      `registry はエージェント "${d.agentId}" のもので、agent.json は "${d.name}" のものです。`,
      "別のエージェントの registry をコピーした可能性があります。",
      `agentId を "${d.name}" にしてください。`,
    ),
  AGENT_DIRECTORY_NAME: (d) =>
    said(
      `エージェントの名前は "${d.name}"、ディレクトリの名前は "${d.directory}" です。`,
      "実行するときはディレクトリの名前で、報告には自分の名前が使われます。",
      "同じ名前にしてください。",
    ),
  WORKFLOW_INVALID: (d) =>
    said(ja(d.problem), "オーケストレーターがイシューをフェーズの順に進められません。", ja(d.fix)),
  AGENT_COMPLETION_MISSING: () =>
    said(
      "runner に completion も verdict もありません。",
      UNDECIDABLE,
      'runner.completion を追加してください。例: {"type": "stepMachine", "config": {"maxIterations": 10}}',
    ),
  AGENT_COMPLETION_TWICE: () =>
    said("runner に completion と verdict の両方があります。", SAME_THING, "どちらか一方だけを残してください。"),
  AGENT_COMPLETION_TYPE: (d) =>
    said(`完了タイプ "${d.type}" はありません。`, UNDECIDABLE, meant(d.nearest, `使えるのは: ${d.known.join(", ")}`)),
  AGENT_COMPLETION_CONFIG: (d) =>
    said(
      `${d.type}: ${d.key} がありません。`,
      "これがないと完了を判定できません。",
      `config.${d.key} を追加してください。`,
    ),
  AGENT_COMPLETION_UNUSED: (d) =>
    said(
      `${d.key} は ${d.type} では意味を持ちません。`,
      "読まれますが、何も決めません。",
      "削除するか、これを使う完了タイプを選んでください。",
    ),
  AGENT_COMPLETION_RESOURCE: (d) =>
    said(
      `どの ${d.resource} を見ればよいか、どこにも書かれていません。`,
      "この完了タイプは、特定の 1 つのリソースの状態を見ます。",
      `パラメーター "${d.resource}" を宣言してください。`,
    ),
  AGENT_NO_GATE: (d) =>
    said(
      `${d.type} には structuredGate を持つステップが必要ですが、1 つもありません。`,
      "ステップマシンは structuredGate の intent で次のステップへ進みます。",
      "ステップに structuredGate を付けるか、別の完了タイプを選んでください。",
    ),
  AGENT_NO_CLOSING: (d) =>
    said(
      "closing を許可する closure ステップに到達できません。",
      `ステップに structuredGate があるため、${d.type} は closing の後でだけ判定されますが、closing が出ることはありません。`,
      "closure ステップを追加し、フローがそこへ到達するようにしてください。",
    ),
  AGENT_HANDLER_MISSING: (d) =>
    said(
      `ファイル ${d.path} がありません。`,
      "判断するのはこのハンドラーです。",
      "モジュールを追加するか、パスを直してください。",
    ),
  AGENT_PARAMETER_CLASH: (d) =>
    said(
      `${d.cli} はすでにパラメーター "${d.other}" のフラグです。`,
      "1 つのフラグで 2 つのパラメーターは指定できません。",
      "それぞれに別のフラグを付けてください。",
    ),
  AGENT_PARAMETER_DEFAULT: (d) =>
    said(
      `既定値が使えません: ${ja(d.problem)}`,
      "フラグを付けずに実行すると、この値が使われます。",
      "既定値か、型か、規則を直してください。",
    ),
  AGENT_PARAMETER_VALIDATION: (d) =>
    said(ja(d.problem), "どの値も通らないか、どんな値でも通ってしまいます。", ja(d.fix)),
  AGENT_PARAMETER_REQUIRED_DEFAULT: () =>
    said(
      "必須のパラメーターに既定値があります。",
      "必ず値を渡すのなら、既定値が使われることはありません。",
      "どちらか一方を削除してください。",
    ),
  AGENT_FLAG_RESERVED: (d) =>
    said(
      `${d.cli} は e8 自身のフラグです。`,
      "コマンドラインでは e8 自身の意味が優先されます。",
      `--param ${d.key}=… で渡すか、別のフラグにしてください。`,
    ),
} satisfies Partial<JapaneseProblems>;
