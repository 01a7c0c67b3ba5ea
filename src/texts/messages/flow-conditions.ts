import type { ConditionMessages, TemplateMessages } from "../../model/messages/flow.ts";
import type { MessageTexts } from "../message-texts.ts";

/** Whether completion conditions hold, and what is wrong with the prompts that follow when they do not. */
export const flowConditionMessages: MessageTexts<ConditionMessages & TemplateMessages> = {
  condition_failed: ({ validator, problem }, tell) => `${validator}: ${tell(problem)}`,
  validator_missing: { en: "there is no such validator", ja: "その validator はありません" },
  command_not_runnable: {
    en: ({ exit_code }) => `exit code ${exit_code}: the command cannot be run`,
    ja: ({ exit_code }) => `終了コード ${exit_code}: コマンドを実行できません`,
  },
  exit_code_compared: {
    en: ({ exit_code, expected }) => `exit code ${exit_code}, expected ${expected}`,
    ja: ({ exit_code, expected }) => `終了コード ${exit_code}（期待は ${expected}）`,
  },
  output_empty: { en: "the output is empty", ja: "出力は空です" },
  output_not_empty: { en: "the output is not empty", ja: "出力が空ではありません" },
  output_empty_but_failed: {
    en: ({ exit_code }) => `no output, but exit code ${exit_code}`,
    ja: ({ exit_code }) => `出力はありませんが、終了コードは ${exit_code} です`,
  },
  output_contains: { en: ({ text }) => `the output contains ${text}`, ja: ({ text }) => `出力に ${text} があります` },
  output_lacks: {
    en: ({ text }) => `the output does not contain ${text}`,
    ja: ({ text }) => `出力に ${text} がありません`,
  },
  output_matches: {
    en: ({ pattern }) => `the output matches ${pattern}`,
    ja: ({ pattern }) => `出力が ${pattern} に一致します`,
  },
  output_does_not_match: {
    en: ({ pattern }) => `the output does not match ${pattern}`,
    ja: ({ pattern }) => `出力が ${pattern} に一致しません`,
  },
  pattern_invalid: {
    en: ({ pattern }) => `${pattern} is not a regular expression`,
    ja: ({ pattern }) => `${pattern} は正規表現ではありません`,
  },
  value_read_as_code: {
    en: ({ name }) => `The value of \${${name}} stands where it would be read as code and is not plain.`,
    ja: ({ name }) => `\${${name}} の値はコードとして読まれる場所にあり、単純な文字だけではないため使えません。`,
  },
  value_holds_nul: {
    en: ({ name }) => `The value of \${${name}} holds a NUL.`,
    ja: ({ name }) => `\${${name}} の値に NUL 文字があります。`,
  },
  value_not_handed_on: {
    en: ({ name }) => `No step has handed on a value for \${${name}}.`,
    ja: ({ name }) => `\${${name}} の値を引き継いだステップがありません。`,
  },
  path_exists: { en: ({ path }) => `${path} exists`, ja: ({ path }) => `${path} があります` },
  module_not_function: {
    en: "its default export is not a function",
    ja: "モジュールの default export が関数ではありません",
  },
  module_without_handler: {
    en: "its default export does not give an object with isComplete()",
    ja: "default export が isComplete() を持つオブジェクトを返しません",
  },
  module_silent: {
    en: ({ seconds }) => `it gave no answer within ${seconds} s`,
    ja: ({ seconds }) => `${seconds} 秒以内に応答がありませんでした`,
  },
  module_failed: {
    en: ({ problem }, tell) => `its module failed: ${tell(problem)}`,
    ja: ({ problem }, tell) => `モジュールが失敗しました: ${tell(problem)}`,
  },
  module_passes: { en: "its module says so", ja: "モジュールが成立と判断しました" },
  module_refuses: { en: "its module says no", ja: "モジュールが不成立と判断しました" },

  template_name_invalid: {
    en: ({ tag }) => `{{${tag}}} is not a name`,
    ja: ({ tag }) => `{{${tag}}} は名前ではありません`,
  },
  template_block_unknown: {
    en: ({ tag }) => `{{${tag}}} is neither an if nor an each block`,
    ja: ({ tag }) => `{{${tag}}} は if でも each でもありません`,
  },
  template_block_unnamed: {
    en: ({ tag }) => `{{${tag}}} does not name a value`,
    ja: ({ tag }) => `{{${tag}}} が値の名前を示していません`,
  },
  template_close_unopened: {
    en: ({ tag }) => `{{${tag}}} closes nothing`,
    ja: ({ tag }) => `{{${tag}}} に対応する始まりがありません`,
  },
  template_close_mismatched: {
    en: ({ tag, expected }) => `{{${tag}}} stands where {{${expected}}} should`,
    ja: ({ tag, expected }) => `{{${expected}}} があるべきところに {{${tag}}} があります`,
  },
  template_else_outside: { en: "{{else}} belongs to no block", ja: "{{else}} がどのブロックにも属していません" },
  template_else_twice: { en: "a second {{else}} in one block", ja: "1 つのブロックに {{else}} が 2 つあります" },
  template_unclosed: { en: ({ tag }) => `${tag} is never closed`, ja: ({ tag }) => `${tag} が閉じられていません` },
};
