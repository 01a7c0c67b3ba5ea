import type { GateProblems } from "../../model/flow/problem.ts";
import { type Both, meant, type ProblemTexts } from "./problem-text.ts";

export const gateProblems: ProblemTexts<GateProblems> = {
  STEP_ID_MISMATCH: {
    en: ({ key, stepId }) => [
      `The entry "${key}" has the stepId "${stepId}".`,
      "Other steps refer to the key, records to the stepId: they must be the same.",
      `Make stepId "${key}".`,
    ],
    ja: ({ key, stepId }) => [
      `「${key}」の項目の stepId が「${stepId}」です。`,
      "ほかのステップはキーで指し、記録には stepId が残るため、同じでなければなりません。",
      `stepId を「${key}」にしてください。`,
    ],
  },
  STEP_KIND_UNKNOWN: {
    en: ({ c2 }) => [
      `stepKind is missing, and c2 "${c2}" does not imply one.`,
      "The kind decides which intents and tools the step may use.",
      "Add stepKind: work, verification or closure.",
    ],
    ja: ({ c2 }) => [
      `stepKind がなく、c2 の「${c2}」からもわかりません。`,
      "使える intent とツールは stepKind で決まります。",
      "stepKind に work、verification、closure のいずれかを書いてください。",
    ],
  },
  STEP_NEEDS: {
    en: ({ stepId, key, gated }) => [
      `The step "${stepId}" has no ${key}.`,
      `The step "${gated}" has a gate; so gates lead the flow, and every step needs ${key}.`,
      `Add ${key}, or name the step section.… if it is only part of other prompts.`,
    ],
    ja: ({ stepId, key, gated }) => [
      `ステップ「${stepId}」に ${key} がありません。`,
      `ステップ「${gated}」に structuredGate があるので、フロー全体が gate で進み、どのステップにも ${key} が必要です。`,
      `${key} を追加してください。ほかのプロンプトの一部でしかないなら、名前を section.… にしてください。`,
    ],
  },
  STEP_FALLBACK_KEY: {
    en: [
      "fallbackKey is missing.",
      "The format requires it beside runner.completion.",
      "Add it, such as initial_task.",
    ],
    ja: [
      "fallbackKey がありません。",
      "runner.completion を使う形式では必須です。",
      "追加してください。例：initial_task",
    ],
  },
  GATE_INTENT_UNKNOWN: {
    en: ({ intent, nearest }) => [
      `There is no intent "${intent}".`,
      "Only these exist: next, repeat, jump, handoff, escalate, closing.",
      meant.en(nearest, "Use one of them."),
    ],
    ja: ({ intent, nearest }) => [
      `intent「${intent}」はありません。`,
      "値は正確に next、repeat、jump、handoff、escalate、closing のいずれかです。",
      meant.ja(nearest, "このいずれかにしてください。"),
    ],
  },
  GATE_INTENT_KIND: {
    en: ({ kind, intent, allowed }) => [
      `A ${kind} step cannot say ${intent}.`,
      intent === "closing"
        ? "Only a closure step may signal that the agent is done."
        : `A ${kind} step says ${allowed.join(", ")}.`,
      `Remove ${intent} from allowedIntents, or change the step's kind.`,
    ],
    ja: ({ kind, intent, allowed }) => [
      `${kind} のステップで ${intent} は使えません。`,
      intent === "closing"
        ? "エージェントの完了を知らせられるのは closure ステップだけです。"
        : `${kind} のステップで使えるのは ${allowed.join("、")} です。`,
      `allowedIntents から ${intent} を削除するか、ステップの種類を変えてください。`,
    ],
  },
  GATE_INTENT_REPEATED: {
    en: ({ intent }) => [`${intent} is listed twice.`, "Once is enough.", "Remove one."],
    ja: ({ intent }) => [`${intent} が 2 回書かれています。`, "1 回で十分です。", "片方を削除してください。"],
  },
  GATE_SCHEMA_REF_EXTERNAL: {
    en: ({ reference }) => [
      `intentSchemaRef "${reference}" is not an internal pointer.`,
      "It points into the step's own resolved schema.",
      "Write a pointer that begins with #/, such as #/properties/next_action/properties/action.",
    ],
    ja: ({ reference }) => [
      `intentSchemaRef の「${reference}」は内部を指すポインターではありません。`,
      "ステップ自身の解決済みスキーマの中を指すものです。",
      "#/ で始まるポインターにしてください。例：#/properties/next_action/properties/action",
    ],
  },
  GATE_ENUM_MISSING: {
    en: ({ reference }) => [
      `intentSchemaRef "${reference}" leads to no enum in the step's schema.`,
      "The enum holds the model to the allowed intents.",
      "Point it at the property with the enum, such as #/properties/next_action/properties/action.",
    ],
    ja: ({ reference }) => [
      `intentSchemaRef の「${reference}」の先に enum がありません。`,
      "モデルの回答を許可された intent に限るのは enum です。",
      "enum を持つプロパティを指してください。例：#/properties/next_action/properties/action",
    ],
  },
  GATE_ENUM_MISMATCH: {
    en: ({ missing, extra }) => [
      `allowedIntents and the schema's enum differ: ${differences.en(missing, extra)}.`,
      "A value that only one of them knows would stop the run or could never be chosen.",
      "Make them the same, in any order.",
    ],
    ja: ({ missing, extra }) => [
      `allowedIntents とスキーマの enum が違います（${differences.ja(missing, extra)}）。`,
      "片方にしかない値は、実行を止めるか、決して選ばれません。",
      "順序は自由なので、同じ値にそろえてください。",
    ],
  },
  GATE_FIELD_UNKNOWN: {
    en: ({ what, field }) => [
      `${what} "${field}" is not in the step's schema.`,
      "The model can never return it, so every answer would stop the run.",
      "Correct the path, or add the property to the schema.",
    ],
    ja: ({ what, field }) => [
      `${what} の「${field}」がステップのスキーマにありません。`,
      "モデルが返すことのできない項目なので、どの回答でも実行が止まります。",
      "パスを直すか、スキーマにプロパティを追加してください。",
    ],
  },
  GATE_FALLBACK_UNKNOWN: {
    en: ({ intent }) => [
      `fallbackIntent "${intent}" is not among allowedIntents.`,
      "It could not be followed.",
      "Choose one of the allowed intents.",
    ],
    ja: ({ intent }) => [
      `fallbackIntent の「${intent}」が allowedIntents にありません。`,
      "従うことができません。",
      "許可された intent から選んでください。",
    ],
  },
  GATE_FALLBACK_IGNORED: {
    en: [
      "fallbackIntent has no effect while failFast is true (the default).",
      "An answer without an intent stops the run.",
      "Set failFast to false to use the fallback, or remove it.",
    ],
    ja: [
      "failFast が true（既定値）の間、fallbackIntent に効果はありません。",
      "intent のない回答は実行を止めます。",
      "使うなら failFast を false にし、使わないなら削除してください。",
    ],
  },
  GATE_FALLBACK_CLOSING: {
    en: [
      "closing is never taken as a fallback.",
      "An answer without an intent does not signal completion: it stops the run.",
      "Choose another intent, such as repeat, or remove the fallback.",
    ],
    ja: [
      "closing が fallbackIntent として使われることはありません。",
      "intent のない回答は完了の合図ではなく、実行を止めます。",
      "repeat など別の intent を選ぶか、削除してください。",
    ],
  },
  HANDOFF_COLLISION: {
    en: ({ fields, key }) => [
      `${fields.join(" and ")} are both handed on as "${key}".`,
      "The key is the last part of the path, and one value would be lost.",
      "Rename one of the fields.",
    ],
    ja: ({ fields, key }) => [
      `${fields.join(" と ")} がどちらも「${key}」として引き継がれます。`,
      "引き継ぐ名前はパスの最後の部分なので、片方の値が失われます。",
      "どちらかの名前を変えてください。",
    ],
  },
  HANDOFF_FIELD_UNKNOWN: {
    en: ({ field }) => [
      `The handoff field "${field}" is not in the step's schema.`,
      "The model can never return it, so it is never handed on.",
      "Correct the path, or add the property to the schema.",
    ],
    ja: ({ field }) => [
      `引き継ぐ項目「${field}」がステップのスキーマにありません。`,
      "モデルが返すことのできない項目なので、引き継がれることはありません。",
      "パスを直すか、スキーマにプロパティを追加してください。",
    ],
  },
  HANDOFF_NAME_COLLISION: {
    en: ({ name, steps }) => [
      `{uv-${name}} would stand for a value of ${steps.join(" and of ")}.`,
      "Dots of step ids become underscores in names.",
      "Rename a step or a field.",
    ],
    ja: ({ name, steps }) => [
      `{uv-${name}} が ${steps.join(" と ")} の両方の値になります。`,
      "名前の中では、ステップ ID のドットが下線に変わります。",
      "ステップか項目の名前を変えてください。",
    ],
  },
};

type Names = readonly string[];

const differences: Record<keyof Both, (missing: Names, extra: Names) => string> = {
  en: (missing, extra) =>
    [
      ...(extra.length > 0 ? [`only the schema has ${extra.join(", ")}`] : []),
      ...(missing.length > 0 ? [`only allowedIntents has ${missing.join(", ")}`] : []),
    ].join("; "),
  ja: (missing, extra) =>
    [
      ...(extra.length > 0 ? [`スキーマだけにあるもの：${extra.join("、")}`] : []),
      ...(missing.length > 0 ? [`allowedIntents だけにあるもの：${missing.join("、")}`] : []),
    ].join("、"),
};
