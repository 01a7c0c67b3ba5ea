import type { ConditionProblems, ProblemParams, SuccessFault } from "../../model/flow/problem.ts";
import { type Both, meant, type ProblemTexts, SAME_THING } from "./problem-text.ts";

export const conditionProblems: ProblemTexts<ConditionProblems> = {
  CONDITIONS_UNREACHABLE: {
    en: (params) => [
      `The conditions of "${params.key}" could never run: ${NEVER_CLOSES[params.reason].en(params)}.`,
      "Checks that never run look like checks that passed.",
      "Key them by a closure step that the flow reaches, or by closure.<the agent's completion type>.",
    ],
    ja: (params) => [
      `「${params.key}」の条件は決して実行されません：${NEVER_CLOSES[params.reason].ja(params)}。`,
      "実行されないチェックは、成功したチェックのように見えてしまいます。",
      "フローが到達する closure ステップか、closure.<エージェントの完了タイプ> をキーにしてください。",
    ],
  },
  CONDITIONS_BOTH: {
    en: ["There are completionConditions and validationConditions.", SAME_THING.en, "Keep one of them."],
    ja: [
      "completionConditions と validationConditions の両方があります。",
      SAME_THING.ja,
      "どちらか一方だけを残してください。",
    ],
  },
  CONDITIONS_TWICE: {
    en: ({ first, second }) => [`There are ${first} and ${second}.`, SAME_THING.en, `Move everything into ${first}.`],
    ja: ({ first, second }) => [
      `${first} と ${second} の両方があります。`,
      SAME_THING.ja,
      `すべて ${first} に移してください。`,
    ],
  },
  VALIDATOR_UNKNOWN: {
    en: ({ validator, nearest }) => [
      `There is no validator "${validator}".`,
      "The check could not run.",
      meant.en(nearest, "Add it to validators."),
    ],
    ja: ({ validator, nearest }) => [
      `validator「${validator}」がありません。`,
      "チェックを実行できません。",
      meant.ja(nearest, "validators に追加してください。"),
    ],
  },
  VALIDATOR_UNUSED: {
    en: ({ validator }) => [
      `No condition uses the validator "${validator}".`,
      "It never runs.",
      "Use it, or remove it.",
    ],
    ja: ({ validator }) => [
      `validator「${validator}」を使う条件がありません。`,
      "決して実行されません。",
      "使うか、削除してください。",
    ],
  },
  VALIDATOR_KEY_MISSING: {
    en: ({ type, key }) => [`A ${type} validator needs ${key}.`, "There is nothing to check.", `Add ${key}.`],
    ja: ({ type, key }) => [
      `${type} の validator には ${key} が必要です。`,
      "調べるものがありません。",
      `${key} を追加してください。`,
    ],
  },
  VALIDATOR_SUCCESS_WHEN: {
    en: ({ value, fault }) => [
      `successWhen "${value}" ${SUCCESS[fault].en}.`,
      "It would not be known whether the check passed.",
      "Write empty, exitCode:N, contains:text or matches:pattern.",
    ],
    ja: ({ value, fault }) => [
      `successWhen の「${value}」${SUCCESS[fault].ja}。`,
      "チェックが成功したのか判断できません。",
      "empty、exitCode:数、contains:文字列、matches:正規表現 のいずれかにしてください。",
    ],
  },
  VALIDATOR_PARAM_UNKNOWN: {
    en: ({ name, validator }) => [
      `The command asks for \${${name}}, which the condition does not give.`,
      "The command would run without this value.",
      `Add params.${name} to the condition that uses ${validator}.`,
    ],
    ja: ({ name, validator }) => [
      `コマンドの \${${name}} に入る値を、条件が渡していません。`,
      "値の欠けたコマンドが実行されてしまいます。",
      `${validator} を使う条件に params.${name} を追加してください。`,
    ],
  },
  PATTERN_UNKNOWN: {
    en: ({ pattern, nearest }) => [
      `There is no failure pattern "${pattern}".`,
      "The retry prompt is chosen by it.",
      meant.en(nearest, "Add the pattern, or correct the name."),
    ],
    ja: ({ pattern, nearest }) => [
      `失敗パターン「${pattern}」がありません。`,
      "再試行のプロンプトはこれで選ばれます。",
      meant.ja(nearest, "パターンを追加するか、名前を直してください。"),
    ],
  },
  PARSER_UNKNOWN: {
    en: ({ parser, nearest, known }) => [
      `There is no parser "${parser}".`,
      "The parameter of the retry prompt could not be made.",
      meant.en(nearest, `Known: ${known.join(", ")}.`),
    ],
    ja: ({ parser, nearest, known }) => [
      `パーサー「${parser}」がありません。`,
      "再試行プロンプトのパラメーターを作れません。",
      meant.ja(nearest, `使えるのは：${known.join("、")}`),
    ],
  },
  PATTERN_PARAM_UNSUPPLIED: {
    en: ({ pattern, param, validator }) => [
      `The pattern "${pattern}" wants "${param}", which the validator "${validator}" does not extract.`,
      "It is missing from the retry prompt.",
      "Add it to the validator's extractParams.",
    ],
    ja: ({ pattern, param, validator }) => [
      `パターン「${pattern}」が求める「${param}」を、validator「${validator}」が取り出していません。`,
      "再試行のプロンプトに値が入りません。",
      "validator の extractParams に追加してください。",
    ],
  },
  RETRY_NOWHERE: {
    en: ({ stepId }) => [
      `The closure step "${stepId}" has no transition repeat.`,
      "When a condition fails there is no work step to send the retry prompt to; the closure step itself gets it.",
      'Add transitions.repeat with the work step to go back to, or onFailure {"action": "abort"}.',
    ],
    ja: ({ stepId }) => [
      `closure ステップ「${stepId}」に repeat の遷移がありません。`,
      "条件が満たされなかったとき、再試行のプロンプトを渡す作業ステップがなく、closure ステップ自身に渡されます。",
      'transitions.repeat に戻り先の作業ステップを書くか、onFailure を {"action": "abort"} にしてください。',
    ],
  },
};

type Unreachable = ProblemParams["CONDITIONS_UNREACHABLE"];

/** Why a step's conditions never run. */
const NEVER_CLOSES: Record<Unreachable["reason"], Record<keyof Both, (params: Unreachable) => string>> = {
  not_closure_name: {
    en: ({ key, completion = ANY_TYPE }) => `"${key}" is neither a closure step nor closure.${completion}`,
    ja: ({ key, completion = ANY_TYPE }) => `「${key}」は closure ステップでも closure.${completion} でもありません`,
  },
  other_kind: {
    en: ({ key, kind }) => `"${key}" is a ${kind} step, not a closure step`,
    ja: ({ key, kind }) => `「${key}」は closure ではなく ${kind} のステップです`,
  },
  no_gate: {
    en: ({ key }) => `"${key}" has no gate, so it can never say closing`,
    ja: ({ key }) => `「${key}」には structuredGate がなく、closing を言えません`,
  },
  closing_not_allowed: {
    en: ({ key }) => `"${key}" does not allow closing`,
    ja: ({ key }) => `「${key}」では closing が許可されていません`,
  },
  never_reached: {
    en: ({ key }) => `the flow never reaches "${key}"`,
    ja: ({ key }) => `フローは「${key}」に到達しません`,
  },
};

const ANY_TYPE = "<completion type>";

const SUCCESS: Record<SuccessFault, Both> = {
  more_than_empty: { en: "says more than empty", ja: "には empty だけを書きます" },
  exit_code: { en: "needs a number from 0 to 255", ja: "には 0 から 255 の数が必要です" },
  text: { en: "needs a text", ja: "には文字列が必要です" },
  pattern: { en: "needs a regular expression", ja: "には正規表現が必要です" },
  unknown: { en: "is not known", ja: "という形はありません" },
};
