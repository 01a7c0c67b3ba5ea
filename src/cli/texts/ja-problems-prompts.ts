import { type JapaneseProblems, ja, said } from "./ja-problem-text.ts";

/** Problems of prompts and the variables in them. */
export const jaPromptProblems = {
  PROMPT_MISSING: (d) =>
    said(
      `${ja(d.what)}のプロンプトがありません。`,
      "ステップに何も頼めません。",
      `追加してください: ${d.tried.join(" または ")}`,
    ),
  PROMPT_EMPTY: () =>
    said("プロンプトが空です。", "ステップに何も頼まないことになります。", "ステップがすることを書いてください。"),
  PROMPT_FRONTMATTER: (d) =>
    said(
      `frontmatter を読めません: ${ja(d.problem)}`,
      "そのままモデルに送られるか、プロンプトを飲み込んでしまいます。",
      "直すか、削除してください。frontmatter は省略できます。",
    ),
  PROMPT_FRONTMATTER_DIFFERS: (d) =>
    said(
      `frontmatter の ${d.key} は ${d.said}、ステップでは ${d.step} です。`,
      "どちらかが古くなっています。",
      "同じにしてください。",
    ),
  PROMPT_CUSTOM_VARIABLE: (d) =>
    said(
      `独自の変数 {${d.name}} に値は入りません。`,
      "値が入るのは {uv-name} の形だけで、ほかはそのままモデルに届きます。",
      `その名前のパラメーターか入力を作り、{uv-${d.name}} と書いてください。`,
    ),
  VARIABLE_UNSUPPLIED: (d) =>
    said(
      `{uv-${d.name}} に入る値がありません。`,
      "プレースホルダーが空のままモデルに送られることはありません。",
      d.nearest
        ? `{uv-${d.nearest}} ではありませんか。`
        : "その名前のパラメーターか入力を追加するか、削除してください。",
    ),
  VARIABLE_OPTIONAL: (d) =>
    said(
      `${d.cli} を付けないと {uv-${d.name}} に値が入りません。`,
      "このパラメーターは省略でき、既定値もないため、付けずに実行するとここで止まります。",
      "パラメーターに既定値を付けるか、必須にしてください。",
    ),
  VARIABLE_NOT_ALWAYS: (d) =>
    said(
      `"${d.step}" を通らない道では {uv-${d.name}} に値が入りません。`,
      "その道では実行がここで止まります。",
      "inputs に default を付けて宣言してください。",
    ),
  VARIABLE_UNDECLARED: (d) =>
    said(
      `{uv-${d.name}} がステップの uvVariables にありません。`,
      "値は入りますが、registry を読む人にはわかりません。",
      `uvVariables に "${d.name}" を追加してください。`,
    ),
  VARIABLE_UNUSED: (d) =>
    said(
      `ステップが宣言する変数 "${d.name}" を、プロンプトが使っていません。`,
      "その内容はモデルに届きません。",
      `プロンプトで {uv-${d.name}} を使うか、uvVariables から削除してください。`,
    ),
  RUNNER_VARIABLE_UNKNOWN: (d) =>
    said(
      `\${context.${d.name}} はエージェントのパラメーターではありません。`,
      "引数の欠けたプログラムが起動されてしまいます。",
      `パラメーター "${d.name}" を追加するか、名前を直してください。`,
    ),
  RETRY_TEMPLATE_BROKEN: (d) =>
    said(
      `再試行のプロンプトを読めません: ${ja(d.problem)}`,
      "完了に失敗したときに必要になるもので、そのときに気づいても手遅れです。",
      "{{#if}} と {{#each}} を正しい順で閉じてください。",
    ),
  RETRY_PARAM_UNKNOWN: (d) =>
    said(
      `{{${d.name}}} を渡す validator がありません。`,
      "再試行のプロンプトでは空になります。",
      `使えるのは: ${d.known.join(", ") || "なし"}。パターンの params と validator の extractParams に追加してください。`,
    ),
} satisfies Partial<JapaneseProblems>;
