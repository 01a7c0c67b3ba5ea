import type { FlowProblems } from "../../model/flow/problem.ts";
import { meant, type ProblemTexts } from "./problem-text.ts";

export const flowProblems: ProblemTexts<FlowProblems> = {
  ENTRY_MISSING: {
    en: ({ type }) => [
      "The registry does not say where the flow begins.",
      `There is neither entryStep nor a step for ${type ?? "the completion type"} in entryStepMapping.`,
      'Add "entryStep" with the id of the first step.',
    ],
    ja: ({ type }) => [
      "フローの始まりがどこにも書かれていません。",
      `entryStep も、entryStepMapping の ${type ?? "完了タイプ"} の項目もありません。`,
      '"entryStep" に最初のステップの ID を書いてください。',
    ],
  },
  ENTRY_UNKNOWN: {
    en: ({ step, nearest }) => [
      `There is no step "${step}".`,
      "The flow could not begin.",
      meant.en(nearest, "Name an existing step."),
    ],
    ja: ({ step, nearest }) => [
      `ステップ「${step}」がありません。`,
      "フローを始められません。",
      meant.ja(nearest, "実在するステップにしてください。"),
    ],
  },
  ENTRY_TYPE_UNKNOWN: {
    en: ({ type, nearest }) => [
      `"${type}" is not a completion type, so this entry is never used.`,
      "entryStepMapping is read by the agent's completion type.",
      meant.en(nearest, "Use a completion type, or remove the entry."),
    ],
    ja: ({ type, nearest }) => [
      `「${type}」は完了タイプではないので、この項目は決して使われません。`,
      "entryStepMapping は、エージェントの完了タイプで引かれます。",
      meant.ja(nearest, "完了タイプにするか、項目を削除してください。"),
    ],
  },
  STEP_UNREACHABLE: {
    en: ({ stepId }) => [
      `No path leads to the step "${stepId}".`,
      "It can never run.",
      "Lead a transition to it, or remove it.",
    ],
    ja: ({ stepId }) => [
      `ステップ「${stepId}」へ至る道がありません。`,
      "決して実行されません。",
      "ここへの遷移を作るか、ステップを削除してください。",
    ],
  },
  INPUT_FROM_MALFORMED: {
    en: ({ from }) => [
      `"${from}" does not name a step and a key.`,
      "The value cannot be found.",
      'Write "stepId.key".',
    ],
    ja: ({ from }) => [
      `「${from}」はステップとキーを指していません。`,
      "値を見つけられません。",
      '"stepId.key" の形で書いてください。',
    ],
  },
  INPUT_STEP_UNKNOWN: {
    en: ({ from, step, nearest }) => [
      `"${from}" asks the step "${step}", which does not exist.`,
      "The value can never come.",
      meant.en(nearest, "Correct the step id; the key is what follows the last dot."),
    ],
    ja: ({ from, step, nearest }) => [
      `「${from}」はステップ「${step}」の値を求めていますが、そのステップはありません。`,
      "値が来ることはありません。",
      meant.ja(nearest, "ステップ ID を直してください。最後のドットの後がキーです。"),
    ],
  },
  INPUT_KEY_UNKNOWN: {
    en: ({ step, key, known }) => [
      `The step "${step}" does not hand on "${key}".`,
      "Only declared handoffFields are handed on.",
      known.length > 0
        ? `It hands on ${known.join(", ")}. Use one of them, or add the field to its handoffFields.`
        : "Add the field to its handoffFields.",
    ],
    ja: ({ step, key, known }) => [
      `ステップ「${step}」は「${key}」を引き継ぎません。`,
      "引き継がれるのは handoffFields に宣言された項目だけです。",
      known.length > 0
        ? `引き継がれるのは ${known.join("、")} です。このいずれかを使うか、handoffFields に追加してください。`
        : "そのステップの handoffFields に追加してください。",
    ],
  },
  INPUT_NEVER_BEFORE: {
    en: ({ step, stepId }) => [
      `The step "${step}" can never have run before "${stepId}".`,
      "The value is required and can never be there.",
      "Lead the flow through it first, give a default, or say required: false.",
    ],
    ja: ({ step, stepId }) => [
      `ステップ「${step}」が「${stepId}」より前に実行されることはありません。`,
      "必須の値なのに、決してそろいません。",
      "先にそのステップを通るか、default を書くか、required: false にしてください。",
    ],
  },
  INPUT_NOT_ALWAYS: {
    en: ({ stepId, step }) => [
      `Some paths reach "${stepId}" without "${step}".`,
      "The value is required; on such a path the run stops.",
      "Give a default, say required: false, or lead every path through it.",
    ],
    ja: ({ step, stepId }) => [
      `「${step}」を通らずに「${stepId}」へ至る道があります。`,
      "値は必須なので、その道では実行が止まります。",
      "default を書くか、required: false にするか、必ずそのステップを通るようにしてください。",
    ],
  },
  INPUT_SHADOWED: {
    en: ({ variable }) => [
      `The input "${variable}" is hidden by another value of that name.`,
      "Parameters and the variables of e8 itself come first.",
      "Give the input another name.",
    ],
    ja: ({ variable }) => [
      `入力「${variable}」は、先に渡される同じ名前のものに隠れます。`,
      "パラメーターと e8 自身の変数が優先されます。",
      "入力の名前を変えてください。",
    ],
  },
};
