import type { RouteMessages, StepMessages } from "../../model/messages/flow.ts";
import type { MessageTexts } from "../message-texts.ts";

/** What steps return, and where that leads. */
export const flowStepMessages: MessageTexts<StepMessages & RouteMessages> = {
  step_missing: { en: "there is no such step", ja: "そのステップはありません" },
  step_id_corrected: {
    en: ({ said, step }) => `The output called its step ${said}; it was recorded as ${step}.`,
    ja: ({ said, step }) => `出力の stepId は ${said} でしたが、${step} として記録しました。`,
  },
  handoff_missing: {
    en: ({ step, variable, from, key }) => `Step ${step} needs ${variable}: step ${from} has not handed on ${key}.`,
    ja: ({ step, variable, from, key }) =>
      `ステップ ${step} には ${variable} が必要ですが、ステップ ${from} が ${key} を引き継いでいません。`,
  },
  program_failed: ({ program, how, output }, tell) => `\`${program}\`: ${tell(how)}\n${output}`,
  output_not_json: {
    en: ({ output }) => `its output is not JSON: ${output}`,
    ja: ({ output }) => `出力が JSON ではありません: ${output}`,
  },
  output_schema_unusable: {
    en: ({ problem }) => `the schema cannot be used: ${problem}`,
    ja: ({ problem }) => `スキーマを使えません: ${problem}`,
  },
  output_misfit: {
    en: ({ path, text }) => `${path || "the output"} ${text}`,
    ja: ({ path, keyword, params, text }) => `${path || "出力"}: ${misfits[keyword]?.(params) ?? text}`,
  },
  parameter_not_number: {
    en: ({ value }) => `${value} is not the number of an issue or a pull request`,
    ja: ({ value }) => `${value} はイシューやプルリクエストの番号ではありません`,
  },
  parameter_number_missing: {
    en: "is needed: it says which issue or pull request",
    ja: "必須です。どのイシュー、プルリクエストかを番号で指定してください",
  },

  flow_moved: {
    en: ({ step, intent, next }) => `${step}: ${intent ?? "again"} → ${next ?? "end"}`,
    ja: ({ step, intent, next }) => `${step}: ${intent ?? "もう一度"} → ${next ?? "終了"}`,
  },
  flow_undecided: {
    en: ({ step, problem }, tell) => `the step ${step} could not be concluded: ${tell(problem)}`,
    ja: ({ step, problem }, tell) => `ステップ ${step} の結果を判定できませんでした: ${tell(problem)}`,
  },
  intent_unusable: {
    en: ({ field, value, allowed }) =>
      `${value === null ? `The output has no intent at ${field}.` : `The output's ${field} is ${value}.`} Allowed: ${allowed.join(", ")}.`,
    ja: ({ field, value, allowed }) =>
      `${value === null ? `出力の ${field} に intent がありません。` : `出力の ${field} が ${value} です。`}許可されているのは ${allowed.join(", ")} です。`,
  },
  intent_fallback_refused: {
    en: ({ problem, intent }, tell) => `${tell(problem)} The fallback ${intent} cannot be taken.`,
    ja: ({ problem, intent }, tell) => `${tell(problem)}fallbackIntent の ${intent} は使えません。`,
  },
  intent_fallback_taken: {
    en: ({ problem, intent }, tell) => `${tell(problem)} Went on with the fallback ${intent}.`,
    ja: ({ problem, intent }, tell) => `${tell(problem)}fallbackIntent の ${intent} で続けました。`,
  },
  intent_of_other_kind: {
    en: ({ step, kind, intent }) => `${step} is a ${kind} step; it cannot ask for ${intent}.`,
    ja: ({ step, kind, intent }) => `${step} は ${kind} のステップなので、${intent} は使えません。`,
  },
  transition_missing: {
    en: ({ step, intent }) => `${step} has no transition for ${intent}.`,
    ja: ({ step, intent }) => `${step} に ${intent} の遷移がありません。`,
  },
  transition_target_missing: {
    en: ({ step, intent, target }) =>
      `${step}'s transition for ${intent} leads to ${target}, and the flow has no such step.`,
    ja: ({ step, intent, target }) =>
      `${step} の ${intent} の行き先は ${target} ですが、フローにそのステップはありません。`,
  },
  transition_must_end: {
    en: ({ step, intent, target }) => `${step}'s transition for ${intent} leads to ${target}; closing must end.`,
    ja: ({ step, intent, target }) =>
      `${step} の ${intent} の行き先は ${target} ですが、closing は終わりでなければなりません。`,
  },
  transition_may_not_end: {
    en: ({ step, intent }) => `${step}'s transition for ${intent} leads to nothing; only closing may end the flow.`,
    ja: ({ step, intent }) => `${step} の ${intent} の行き先は null ですが、フローを終えられるのは closing だけです。`,
  },
  jump_target_missing: {
    en: ({ step, target }) => `${step} jumps to ${target}, and the flow has no such step.`,
    ja: ({ step, target }) => `${step} の jump の行き先は ${target} ですが、フローにそのステップはありません。`,
  },
  transition_undecided: {
    en: ({ step, condition, value }) =>
      `${step} chooses by ${condition}, which is ${value ?? "not handed on"}; its targets have neither that nor a default.`,
    ja: ({ step, condition, value }) =>
      `${step} は ${condition} で行き先を選びますが、${value === null ? "値が引き継がれておらず" : `値が ${value} で`}、targets にその値も default もありません。`,
  },
};

type MisfitText = (params: Readonly<Record<string, unknown>>) => string;

/** By the schema's keyword; other keywords keep the validator's English. */
const misfits: Readonly<Record<string, MisfitText>> = {
  required: ({ missingProperty }) => `${missingProperty} がありません`,
  additionalProperties: ({ additionalProperty }) => `${additionalProperty} は使えません`,
  type: ({ type }) => `型が ${[type].flat().join(" か ")} ではありません`,
  enum: ({ allowedValues }) => `${[allowedValues].flat().map(asJson).join("、")} のどれでもありません`,
  const: ({ allowedValue }) => `${asJson(allowedValue)} ではありません`,
  minLength: ({ limit }) => `${limit} 文字以上にしてください`,
  maxLength: ({ limit }) => `${limit} 文字以下にしてください`,
  minItems: ({ limit }) => `${limit} 件以上にしてください`,
  maxItems: ({ limit }) => `${limit} 件以下にしてください`,
  minimum: ({ limit }) => `${limit} 以上にしてください`,
  maximum: ({ limit }) => `${limit} 以下にしてください`,
  pattern: ({ pattern }) => `${pattern} に一致しません`,
  uniqueItems: () => "同じ項目が 2 つ以上あります",
  anyOf: () => "どの形にも合いません",
  oneOf: () => "ちょうど 1 つの形に合うべきですが、合いません",
  not: () => "許されない形です",
};

function asJson(value: unknown): string {
  return JSON.stringify(value);
}
