import type { PromptProblems } from "../../model/flow/problem.ts";
import type { ProblemTexts } from "./problem-text.ts";

export const promptProblems: ProblemTexts<PromptProblems> = {
  PROMPT_MISSING: {
    en: ({ step, tried }) => [
      `There is no prompt for ${step === undefined ? "the system" : `the step "${step}"`}.`,
      "The step could not be asked to do anything.",
      `Add ${tried.join(", or ")}.`,
    ],
    ja: ({ step, tried }) => [
      `${step === undefined ? "システム" : `ステップ「${step}」`}のプロンプトがありません。`,
      "ステップに何も頼めません。",
      `追加してください：${tried.join(" または ")}`,
    ],
  },
  PROMPT_EMPTY: {
    en: ["The prompt is empty.", "The step would be asked to do nothing.", "Write what the step has to do."],
    ja: ["プロンプトが空です。", "ステップに何も頼まないことになります。", "ステップがすることを書いてください。"],
  },
  PROMPT_FRONTMATTER: {
    en: ({ problem }, tell) => [
      `The frontmatter cannot be read: ${tell(problem)}.`,
      "It would be sent to the model, or hide the prompt.",
      "Correct it, or remove it: it is optional.",
    ],
    ja: ({ problem }, tell) => [
      `フロントマターを読めません：${tell(problem)}`,
      "そのままモデルに送られるか、プロンプトを隠してしまいます。",
      "直すか、削除してください。フロントマターは省略できます。",
    ],
  },
  PROMPT_FRONTMATTER_DIFFERS: {
    en: ({ key, front, step }) => [
      `The frontmatter has the ${key} ${front}, the step has ${step}.`,
      "One of them is out of date.",
      "Make them agree.",
    ],
    ja: ({ key, front, step }) => [
      `フロントマターの ${key} は ${front}、ステップでは ${step} です。`,
      "どちらかが古くなっています。",
      "同じにしてください。",
    ],
  },
  PROMPT_CUSTOM_VARIABLE: {
    en: ({ name }) => [
      `The custom variable {${name}} is not filled in.`,
      "Only {uv-name} is; anything else reaches the model as it stands.",
      "Write it as {uv-name}, with a parameter or an input of that name.",
    ],
    ja: ({ name }) => [
      `独自の変数 {${name}} に値は入りません。`,
      "値が入るのは {uv-name} の形だけで、ほかはそのままモデルに届きます。",
      "その名前のパラメーターか入力を作り、{uv-name} の形で書いてください。",
    ],
  },
  VARIABLE_UNSUPPLIED: {
    en: ({ name, nearest }) => [
      `Nothing supplies {uv-${name}}.`,
      "A placeholder is never sent to the model unfilled.",
      nearest ? `Did you mean {uv-${nearest}}?` : "Add a parameter or an input of that name, or remove it.",
    ],
    ja: ({ name, nearest }) => [
      `{uv-${name}} に入る値がありません。`,
      "プレースホルダーが空のままモデルに送られることはありません。",
      nearest ? `{uv-${nearest}} ではありませんか。` : "その名前のパラメーターか入力を追加するか、削除してください。",
    ],
  },
  VARIABLE_OPTIONAL: {
    en: ({ name, cli }) => [
      `{uv-${name}} has no value without ${cli}.`,
      "The parameter is optional and has no default: a run without it stops here.",
      "Give the parameter a default, or make it required.",
    ],
    ja: ({ cli, name }) => [
      `${cli} を付けないと {uv-${name}} に値が入りません。`,
      "このパラメーターは省略でき、既定値もないため、付けずに実行するとここで止まります。",
      "パラメーターに既定値を付けるか、必須にしてください。",
    ],
  },
  VARIABLE_NOT_ALWAYS: {
    en: ({ name, step }) => [
      `{uv-${name}} is missing on paths that do not go through "${step}".`,
      "On such a path the run stops here.",
      "Declare it under inputs with a default.",
    ],
    ja: ({ step, name }) => [
      `「${step}」を通らない道では {uv-${name}} に値が入りません。`,
      "その道では実行がここで止まります。",
      "inputs に default を付けて宣言してください。",
    ],
  },
  VARIABLE_UNDECLARED: {
    en: ({ name }) => [
      `{uv-${name}} is not among the step's uvVariables.`,
      "It is filled in, but readers of the registry do not see it.",
      "Add it to uvVariables.",
    ],
    ja: ({ name }) => [
      `{uv-${name}} がステップの uvVariables にありません。`,
      "値は入りますが、registry を読む人にはわかりません。",
      "uvVariables に追加してください。",
    ],
  },
  VARIABLE_UNUSED: {
    en: ({ name }) => [
      `The step declares the variable "${name}", and its prompt does not use it.`,
      "Its value does not reach the model.",
      "Use it in the prompt as {uv-name}, or remove it from uvVariables.",
    ],
    ja: ({ name }) => [
      `ステップが宣言する変数「${name}」を、プロンプトが使っていません。`,
      "その内容はモデルに届きません。",
      "プロンプトで {uv-name} の形で使うか、uvVariables から削除してください。",
    ],
  },
  RUNNER_VARIABLE_UNKNOWN: {
    en: ({ name }) => [
      `\${context.${name}} is not a parameter of the agent.`,
      "The program would be started without this argument.",
      `Add a parameter "${name}", or correct the name.`,
    ],
    ja: ({ name }) => [
      `\${context.${name}} はエージェントのパラメーターではありません。`,
      "引数の欠けたプログラムが起動されてしまいます。",
      `パラメーター「${name}」を追加するか、名前を直してください。`,
    ],
  },
  RETRY_TEMPLATE_BROKEN: {
    en: ({ problem }, tell) => [
      `The retry prompt cannot be read: ${tell(problem)}.`,
      "It is first needed when completion fails, and the run would stop there.",
      "Close every {{#if}} and {{#each}} in order.",
    ],
    ja: ({ problem }, tell) => [
      `再試行のプロンプトを読めません：${tell(problem)}`,
      "完了に失敗したときに初めて必要になり、そこで実行が止まります。",
      "{{#if}} と {{#each}} を正しい順で閉じてください。",
    ],
  },
  RETRY_PARAM_UNKNOWN: {
    en: ({ name, known }) => [
      `No validator gives {{${name}}}.`,
      "It stays empty in the retry prompt.",
      `Known: ${known.join(", ") || "none"}. Add it to the pattern's params and the validator's extractParams.`,
    ],
    ja: ({ name, known }) => [
      `{{${name}}} を渡す validator がありません。`,
      "再試行のプロンプトでは空になります。",
      `使えるのは：${known.join("、") || "なし"}。パターンの params と validator の extractParams に追加してください。`,
    ],
  },
};
