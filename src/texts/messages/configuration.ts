import type { ConfigurationMessages, ValueForm, ValueKind } from "../../model/messages/configuration.ts";
import type { MessageTexts } from "../message-texts.ts";
import { flowFileMessages } from "./flow-files.ts";

type Both = Readonly<Record<"en" | "ja", string>>;

const KINDS: Record<ValueKind, Both> = {
  integer: { en: "a whole number", ja: "整数" },
  number: { en: "a number", ja: "数" },
  boolean: { en: "true or false", ja: "真偽値（true、false）" },
  string: { en: "text", ja: "文字列" },
  array: { en: "a list", ja: "リスト" },
  object: { en: "a group of keys", ja: "キーのまとまり" },
};

const FORMS: Record<ValueForm, Both> = {
  mcp_server: { en: "true, or a mapping with a command or a url", ja: "true、または command か url を持つマッピング" },
  mcp_servers: {
    en: "a list of names, or a mapping of names to servers",
    ja: "名前のリスト、または名前からサーバーへのマッピング",
  },
  agent_choice: {
    en: "claude, codex, gemini, opencode, goose or claude-agent-acp, or a mapping with acp, a command or scripted",
    ja: "claude、codex、gemini、opencode、goose、claude-agent-acp、または acp、command、scripted のどれかを持つマッピング",
  },
  agent_flag: {
    en: "claude, codex, gemini, opencode, goose, claude-agent-acp, acp:<command>, command:<program> or scripted:<story>; only the last three take something after a colon",
    ja: "claude、codex、gemini、opencode、goose、claude-agent-acp、acp:<コマンド>、command:<プログラム>、scripted:<台本>。コロンの後に続けて書けるのは最後の 3 つだけです",
  },
  worker: {
    en: "an agent as in `agent`, or {agent: …, model: …}",
    ja: "`agent` と同じ形のエージェント、または {agent: …, model: …}",
  },
  stronger_worker: {
    en: "a model, an agent as in `agent`, or {agent: …, model: …}",
    ja: "モデル、`agent` と同じ形のエージェント、または {agent: …, model: …}",
  },
  criterion: {
    en: 'a criterion is a sentence (in quotes where it contains ": "), or a mapping: type: command with a command, or type: unchanged with files',
    ja: '完了条件は 1 つの文（": " を含むなら引用符で囲みます）、またはマッピング（type: command と command、あるいは type: unchanged と files）',
  },
  tokens: {
    en: "a number of tokens, such as 500000, 500k or 1.5M",
    ja: "500000、500k、1.5M のようなトークン数",
  },
  credential_name: {
    en: "gh, glab, git, ssh, all, or the name of a variable such as GITHUB_TOKEN",
    ja: "gh、glab、git、ssh、all、または GITHUB_TOKEN のような環境変数名",
  },
  host_pattern: {
    en: "a host such as registry.npmjs.org, *.npmjs.org or localhost:5432 (this machine needs a port)",
    ja: "registry.npmjs.org、*.npmjs.org、localhost:5432 のようなホスト（このマシンにはポートが必要です）",
  },
  keep_pattern: {
    en: "a file, folder or pattern inside the project, such as node_modules",
    ja: "node_modules のような、プロジェクト内のファイル、ディレクトリ、またはパターン",
  },
  deadline: {
    en: "a time such as 07:00, or a date and time such as 2026-01-24T07:00",
    ja: "07:00 のような時刻、または 2026-01-24T07:00 のような日時",
  },
  model_needed: { en: "only models.summarizer can be none", ja: "none にできるのは models.summarizer だけです" },
};

/** How a model that answers over an API is written. */
const SPELLINGS: Both = {
  en: "anthropic:<model>, openai:…, google:…, azure:…, bedrock:…, openrouter:…, ollama:… or openai-compatible:<model>@<base url>",
  ja: "anthropic:<model>、openai:…、google:…、azure:…、bedrock:…、openrouter:…、ollama:…、または openai-compatible:<model>@<base url>",
};

/** What to do about some faults, where the YAML library's short messages do not say it. */
const YAML_FAULTS: Readonly<Record<string, Both>> = {
  TAB_AS_INDENT: {
    en: "a tab is used to indent; YAML allows spaces only",
    ja: "字下げにタブが使われています。YAML では空白だけが使えます",
  },
  DUPLICATE_KEY: { en: "this key is here twice", ja: "同じキーが 2 回書かれています" },
  MULTIPLE_DOCS: {
    en: "a second document begins here; a file holds one",
    ja: "ここから 2 つ目の文書が始まっています。1 つのファイルには 1 つだけ書けます",
  },
  NON_STRING_KEY: {
    en: "this key is not a text; a text that begins with a brace or bracket needs quotes",
    ja: "このキーは文字列ではありません。かっこで始まる文字列は引用符で囲んでください",
  },
  BLOCK_AS_IMPLICIT_KEY: { en: 'a text that contains ": " needs quotes', ja: '": " を含む文は引用符で囲んでください' },
  BAD_SCALAR_START: {
    en: "a text that begins with this character needs quotes",
    ja: "この文字で始まる文は引用符で囲んでください",
  },
};

/** In Japanese, what the library's own English message is about. */
const YAML_TOPICS: Readonly<Record<string, string>> = {
  BAD_INDENT: "字下げが前後の行と合っていません",
  BAD_ALIAS: "別名（*名前）の使い方が違います",
  BAD_DQ_ESCAPE: "二重引用符の中のバックスラッシュの使い方が違います",
  MISSING_CHAR: "閉じかっこやコンマなどの文字が足りません",
  TAG_RESOLVE_FAILED: "このタグは使えません",
};

export const configurationMessages: MessageTexts<ConfigurationMessages> = {
  agents_twice: {
    en: "`agents` is there, too: name all agents in it, the preferred one first",
    ja: "`agents` もあります。すべてのエージェントを、優先するものから順に `agents` に書いてください",
  },
  value_missing: { en: "is missing", ja: "がありません" },
  value_empty: { en: "is empty", ja: "空です" },
  it_is_empty: { en: "It is empty", ja: "空です" },
  value_null: { en: "has no value", ja: "値がありません" },
  value_unfilled: {
    en: "still has the example; write your own words there",
    ja: "例のままです。自分の言葉で書き込んでください",
  },
  value_too_large: {
    en: ({ value }, tell) => `${tell(value)} is too large`,
    ja: ({ value }, tell) => `${tell(value)} は大きすぎます`,
  },
  value_too_small: {
    en: ({ value }, tell) => `${tell(value)} is too small`,
    ja: ({ value }, tell) => `${tell(value)} は小さすぎます`,
  },
  value_impossible: {
    en: ({ value }, tell) => `${tell(value)} is not possible`,
    ja: ({ value }, tell) => `${tell(value)} は使えません`,
  },
  value_not_kind: {
    en: ({ value, kind }, tell) => `${tell(value)} is not ${KINDS[kind].en}`,
    ja: ({ value, kind }, tell) => `${tell(value)} は${KINDS[kind].ja}ではありません`,
  },
  value_not_format: {
    en: ({ value, format }, tell) => `${tell(value)} is not a ${format}`,
    ja: ({ value, format }, tell) => `${tell(value)} は ${format} ではありません`,
  },
  value_not_matching: {
    en: ({ value, pattern }, tell) => `${tell(value)} does not have the form ${pattern}`,
    ja: ({ value, pattern }, tell) => `${tell(value)} は ${pattern} の形ではありません`,
  },
  value_needs_quotes: {
    en: ({ problem, value }, tell) => `${tell(problem)}; write "${value}" in quotes`,
    ja: ({ problem, value }, tell) => `${tell(problem)}。"${value}" のように引用符で囲んでください`,
  },
  value_explained: {
    en: ({ problem, allowed }, tell) => `${tell(problem)}: ${tell(allowed)}`,
    ja: ({ problem, allowed }, tell) => `${tell(problem)}（${tell(allowed)}）`,
  },
  nothing: { en: "nothing", ja: "空の値" },
  value_kind: { en: ({ kind }) => KINDS[kind].en, ja: ({ kind }) => KINDS[kind].ja },
  value_form: { en: ({ form }) => FORMS[form].en, ja: ({ form }) => FORMS[form].ja },
  value_choices: { en: ({ choices }) => choices.join(", "), ja: ({ choices }) => choices.join("、") },
  value_only: { en: ({ value }) => `only ${value}`, ja: ({ value }) => `${value} のみ` },
  value_more_than: { en: ({ minimum }) => `more than ${minimum}`, ja: ({ minimum }) => `${minimum} より大` },
  value_at_least: { en: ({ minimum }) => `at least ${minimum}`, ja: ({ minimum }) => `${minimum} 以上` },
  value_between: {
    en: ({ minimum, maximum }) => `${minimum} to ${maximum}`,
    ja: ({ minimum, maximum }) => `${minimum}〜${maximum}`,
  },
  value_or_null: {
    en: ({ allowed }, tell) => `${tell(allowed)}, or null for none`,
    ja: ({ allowed }, tell) => `${tell(allowed)}、または null（なし）`,
  },

  setting_problem: ({ file, line, path, problem }, tell) => `  ${file}:${line} ${path}: ${tell(problem)}`,
  setting_twice: {
    en: ({ source }) => `is already set in ${source}: keep one`,
    ja: ({ source }) => `すでに ${source} で設定されています。どちらか一方にしてください`,
  },
  name_empty: { en: "has an empty name", ja: "名前が空です" },
  file_names: { en: ({ names }) => names.join(" and "), ja: ({ names }) => names.join(" と ") },
  key_elsewhere: {
    en: ({ home, nearest }) =>
      `unknown key here: it belongs ${home ? `under ${home}` : "to the top level"}${nearest ? `, or did you mean ${nearest}?` : ""}`,
    ja: ({ home, nearest }) =>
      `ここにはないキーです。${home ? `${home} の下` : "最上位"}に書いてください${nearest ? `（または ${nearest} の間違い）` : ""}`,
  },
  key_of_task_file: {
    en: "belongs in task.yaml, not among the defaults",
    ja: "既定値ではなく task.yaml に書くキーです",
  },
  key_of_project_file: { en: "belongs in endless8.yaml", ja: "endless8.yaml に書くキーです" },
  key_unknown: {
    en: ({ nearest, known }) =>
      nearest ? `unknown key: did you mean ${nearest}?` : `unknown key: known here are ${known.join(", ")}`,
    ja: ({ nearest, known }) =>
      nearest
        ? `知らないキーです。${nearest} ではありませんか`
        : `知らないキーです。ここに書けるのは ${known.join("、")} です`,
  },
  flag_empty: {
    en: ({ place, count }) => (count === 1 ? "is empty" : `value ${place} of ${count} is empty`),
    ja: ({ place, count }) => (count === 1 ? "値が空です" : `${count} 個の値のうち ${place} 個目が空です`),
  },
  flag_form: {
    en: ({ problem, form }, tell) => `${tell(problem)}; ${tell(form)}`,
    ja: ({ problem, form }, tell) => `${tell(problem)}。${tell(form)}`,
  },
  only_needs_criteria: {
    en: "needs at least one criterion on the command line (-c, --check or --unchanged)",
    ja: "コマンドラインに完了条件（-c、--check、--unchanged）が 1 つ以上必要です",
  },
  time_in_minutes: {
    en: "minutes, or a time such as 90m, 2h or 1h30m",
    ja: "分、または 90m、2h、1h30m のような時間で指定します",
  },
  time_in_seconds: { en: "seconds, or a time such as 90s or 10m", ja: "秒、または 90s、10m のような時間で指定します" },
  model_unnamed: {
    en: ({ value }) => `${value} names no model: write ${SPELLINGS.en}`,
    ja: ({ value }) => `${value} にはモデル名がありません。${SPELLINGS.ja} と書いてください`,
  },
  model_server_missing: {
    en: ({ value, model }) => `${value} does not say which server: write ${serverExample(model)}`,
    ja: ({ value, model }) => `${value} にはサーバーがありません。${serverExample(model)} のように書いてください`,
  },
  address_invalid: {
    en: ({ address }) => `${address} is not an address`,
    ja: ({ address }) => `${address} はアドレスではありません`,
  },
  executor_over_api: {
    en: ({ instead }) =>
      `the executor needs tools, so it is Claude Code and cannot be asked over an API: ${instead ? `write ${instead}` : "name a model of Claude Code, or a program under agent"}`,
    ja: ({ instead }) =>
      `実行エージェントはツールを使う Claude Code であり、API では呼べません。${instead ? `${instead} と書いてください` : "Claude Code のモデル、または agent にプログラムを指定してください"}`,
  },
  provider_misspelled: {
    en: ({ provider, meant }) => `there is no provider ${provider}: did you mean ${meant}?`,
    ja: ({ provider, meant }) => `${provider} というプロバイダーはありません。${meant} ではありませんか`,
  },
  provider_unknown: {
    en: ({ provider }) => `the provider ${provider} is not supported: write ${SPELLINGS.en}`,
    ja: ({ provider }) => `${provider} というプロバイダーは使えません。${SPELLINGS.ja} と書いてください`,
  },

  yaml_fault: {
    en: ({ fault, message }) => YAML_FAULTS[fault]?.en ?? message.charAt(0).toLowerCase() + message.slice(1),
    ja: ({ fault, message }) =>
      YAML_FAULTS[fault]?.ja ?? `${YAML_TOPICS[fault] ?? "ここを YAML として読めません"}（yaml: ${message}）`,
  },
  yaml_quote_open: { en: "the quote that opens here is never closed", ja: "ここで開いた引用符が閉じられていません" },
  yaml_anchor_missing: {
    en: ({ name }) => `*${name} has no anchor &${name} before it`,
    ja: ({ name }) => `*${name} より前に &${name} がありません`,
  },
  yaml_not_mapping: {
    en: ({ is }) => `it is ${is === "list" ? "a list" : "a single value"}, where keys are needed, such as \`task: …\``,
    ja: ({ is }) => `${is === "list" ? "リスト" : "1 つの値"}ではなく、\`task: …\` のようなキーが必要です`,
  },
  yaml_place: {
    en: ({ line, column, text }) => `  line ${line}, column ${column}: ${text}`,
    ja: ({ line, column, text }) => `  ${line} 行 ${column} 桁：${text}`,
  },
  nested_too_deep: {
    en: ({ levels }) => `nested more than ${levels} levels deep`,
    ja: ({ levels }) => `入れ子が ${levels} 段を超えています`,
  },

  ...flowFileMessages,
};

function serverExample(model: string): string {
  return `openai-compatible:${model}@http://127.0.0.1:11434/v1`;
}
