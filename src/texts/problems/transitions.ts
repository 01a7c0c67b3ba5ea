import type { TransitionProblems } from "../../model/flow/problem.ts";
import { meant, type ProblemTexts } from "./problem-text.ts";

export const transitionProblems: ProblemTexts<TransitionProblems> = {
  TRANSITION_MISSING: {
    en: ({ intent }) => [
      `There is no transition for the allowed intent ${intent}.`,
      "The run would stop when a step says it.",
      `Add transitions.${intent}.`,
    ],
    ja: ({ intent }) => [
      `許可された intent ${intent} の遷移がありません。`,
      "ステップがこれを返すと、実行が止まります。",
      `transitions.${intent} を追加してください。`,
    ],
  },
  TRANSITION_UNUSED: {
    en: ({ intent }) => [
      `The transition ${intent} can never be taken.`,
      "allowedIntents does not have it.",
      "Allow the intent, or remove the transition.",
    ],
    ja: ({ intent }) => [
      `${intent} の遷移は決して使われません。`,
      "allowedIntents にありません。",
      "intent を許可するか、遷移を削除してください。",
    ],
  },
  TRANSITION_SHAPE: {
    en: [
      "A transition has either target, or condition with targets.",
      "Anything else leads nowhere.",
      'Write {"target": "step.id"} or {"condition": "key", "targets": {"value": "step.id", "default": "step.id"}}.',
    ],
    ja: [
      "遷移には、target か、condition と targets の組のどちらかが必要です。",
      "それ以外の形では、どこにも進めません。",
      '{"target": "step.id"} か {"condition": "key", "targets": {"value": "step.id", "default": "step.id"}} と書いてください。',
    ],
  },
  TRANSITION_TARGET_UNKNOWN: {
    en: ({ target, nearest }) => [
      `There is no step "${target}".`,
      "The run would stop here.",
      meant.en(nearest, "Add the step, or correct the target."),
    ],
    ja: ({ target, nearest }) => [
      `ステップ "${target}" がありません。`,
      "実行がここで止まります。",
      meant.ja(nearest, "ステップを追加するか、target を直してください。"),
    ],
  },
  SECTION_IN_FLOW: {
    en: ({ target }) => [
      `"${target}" is a section, not a step of the flow.`,
      "Sections are parts of other prompts: the flow could not go on from there.",
      'Lead to a step; one whose id begins with "section." needs another id for that.',
    ],
    ja: ({ target }) => [
      `"${target}" はセクションで、フローのステップではありません。`,
      "セクションはほかのプロンプトの一部なので、そこから先へは進めません。",
      '別のステップにするか、"section." で始まらない ID に変えてください。',
    ],
  },
  TRANSITION_NULL: {
    en: ({ intent }) => [
      `The transition ${intent} has the target null.`,
      "Only closing ends the flow.",
      "Name the step that follows.",
    ],
    ja: ({ intent }) => [
      `${intent} の遷移の target が null です。`,
      "フローを終えるのは closing だけです。",
      "次のステップを書いてください。",
    ],
  },
  TRANSITION_CLOSING_TARGET: {
    en: ({ target }) => [
      `closing leads to "${target}".`,
      "What follows closing is decided by the completion, not by a step.",
      'Make it {"target": null}.',
    ],
    ja: ({ target }) => [
      `closing の行き先が "${target}" です。`,
      "closing の後に何が起きるかは、ステップではなく完了の判定が決めます。",
      '{"target": null} にしてください。',
    ],
  },
  TRANSITION_CONDITION_UNKNOWN: {
    en: ({ condition, nearest }) => [
      `The condition "${condition}" is not a handoff key of this or any other step.`,
      "It is looked up among the values handed on, and would never be found.",
      meant.en(nearest, "List the field among this step's handoffFields, or name another step's value as stepId.key."),
    ],
    ja: ({ condition, nearest }) => [
      `condition の "${condition}" は、このステップでもほかのステップでも引き継がれません。`,
      "引き継がれた値の中から探すので、決して見つかりません。",
      meant.ja(
        nearest,
        "このステップの handoffFields に項目を追加するか、ほかのステップの値を stepId.key の形で書いてください。",
      ),
    ],
  },
  TRANSITION_CONDITION_ELSEWHERE: {
    en: ({ condition, names }) => [
      `This step does not hand on "${condition}"; another step does.`,
      "A key by itself means this step's own answer, where it would never be found.",
      `Write ${names.join(" or ")}, or list the field among this step's handoffFields.`,
    ],
    ja: ({ condition, names }) => [
      `"${condition}" を引き継ぐのは、このステップではなく別のステップです。`,
      "キーだけを書くと、このステップ自身の回答の値を指すため、決して見つかりません。",
      `${names.join(" か ")} と書くか、このステップの handoffFields に項目を追加してください。`,
    ],
  },
  TRANSITION_CONDITION_NEVER: {
    en: ({ condition, step, stepId }) => [
      `The step "${step}" can never have run before "${stepId}".`,
      `The value ${condition} can never be there.`,
      "Lead the flow through it first, or choose by another value.",
    ],
    ja: ({ condition, step, stepId }) => [
      `ステップ "${step}" が "${stepId}" より前に実行されることはありません。`,
      `${condition} の値は決してそろいません。`,
      "先にそのステップを通るか、別の値で選んでください。",
    ],
  },
  TRANSITION_NO_DEFAULT: {
    en: ["The targets have no default.", "A value that is not listed stops the run.", 'Add "default" to the targets.'],
    ja: [
      "targets に default がありません。",
      "一覧にない値が来ると、実行が止まります。",
      'targets に "default" を追加してください。',
    ],
  },
  SCHEMA_UNRESOLVED: {
    en: ({ schema, file, problem }, tell) => [
      `The schema ${schema} of ${file} cannot be resolved: ${tell(problem)}.`,
      "The step's answer could not be asked for; the run ends after two attempts.",
      "Correct outputSchemaRef or the schema file.",
    ],
    ja: ({ file, schema, problem }, tell) => [
      `${file} のスキーマ ${schema} を解決できません: ${tell(problem)}`,
      "ステップの回答を求めることができず、2 回試して実行が終わります。",
      "outputSchemaRef かスキーマファイルを直してください。",
    ],
  },
  SCHEMA_UNUSABLE: {
    en: ({ schema, file, problem }) => [
      `The schema ${schema} of ${file} cannot be used: ${problem}.`,
      "No answer could ever fit it.",
      "Correct the schema file.",
    ],
    ja: ({ file, schema, problem }) => [
      `${file} のスキーマ ${schema} を使えません: ${problem}`,
      "どの回答も、このスキーマに合うことがありません。",
      "スキーマファイルを直してください。",
    ],
  },
};
