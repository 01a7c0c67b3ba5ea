import type { ParameterFault, RunnerProblems } from "../../model/flow/problem.ts";
import { type Both, meant, type ProblemTexts, SAME_THING, UNDECIDABLE } from "./problem-text.ts";

export const runnerProblems: ProblemTexts<RunnerProblems> = {
  AGENT_COMPLETION_MISSING: {
    en: [
      "The runner has neither completion nor verdict.",
      UNDECIDABLE.en,
      'Add runner.completion, such as {"type": "stepMachine", "config": {"maxIterations": 10}}.',
    ],
    ja: [
      "runner に completion も verdict もありません。",
      UNDECIDABLE.ja,
      'runner.completion を追加してください。例：{"type": "stepMachine", "config": {"maxIterations": 10}}',
    ],
  },
  AGENT_COMPLETION_TWICE: {
    en: ["The runner has both completion and verdict.", SAME_THING.en, "Keep one of them."],
    ja: ["runner に completion と verdict の両方があります。", SAME_THING.ja, "どちらか一方だけを残してください。"],
  },
  AGENT_COMPLETION_TYPE: {
    en: ({ type, nearest, known }) => [
      `There is no completion type "${type}".`,
      UNDECIDABLE.en,
      meant.en(nearest, `Known: ${known.join(", ")}.`),
    ],
    ja: ({ type, nearest, known }) => [
      `完了タイプ「${type}」はありません。`,
      UNDECIDABLE.ja,
      meant.ja(nearest, `使えるのは：${known.join("、")}`),
    ],
  },
  AGENT_COMPLETION_CONFIG: {
    en: ({ type, key }) => [
      `${type}: ${key} is missing.`,
      "Without it the completion can never be judged.",
      `Add config.${key}.`,
    ],
    ja: ({ type, key }) => [
      `${type}: ${key} がありません。`,
      "これがないと完了を判定できません。",
      `config.${key} を追加してください。`,
    ],
  },
  AGENT_COMPLETION_UNUSED: {
    en: ({ key, type }) => [
      `${key} has no meaning for ${type}.`,
      "It is read, but decides nothing.",
      "Remove it, or choose the type that has it.",
    ],
    ja: ({ key, type }) => [
      `${key} は ${type} では意味を持ちません。`,
      "読まれますが、何も決めません。",
      "削除するか、これを使う完了タイプを選んでください。",
    ],
  },
  AGENT_COMPLETION_RESOURCE: {
    en: ({ resource }) => [
      `The definition does not say which ${resource} to watch.`,
      "The completion depends on the state of one particular resource.",
      `Declare a parameter "${resource}".`,
    ],
    ja: ({ resource }) => [
      `どの ${resource} を見ればよいか、どこにも書かれていません。`,
      "この完了タイプは、特定の 1 つのリソースの状態を見ます。",
      `パラメーター「${resource}」を宣言してください。`,
    ],
  },
  AGENT_NO_GATE: {
    en: ({ type }) => [
      `${type} needs a step with a structuredGate, and no step has one.`,
      "A step machine goes from step to step by the gates' intents.",
      "Give the steps gates, or choose another completion type.",
    ],
    ja: ({ type }) => [
      `${type} には structuredGate を持つステップが必要ですが、1 つもありません。`,
      "ステップマシンは structuredGate の intent で次のステップへ進みます。",
      "ステップに structuredGate を付けるか、別の完了タイプを選んでください。",
    ],
  },
  AGENT_NO_CLOSING: {
    en: ({ type }) => [
      "No closure step that allows closing can be reached.",
      `Steps have gates, so ${type} is judged only after a closing signal, and none can ever come.`,
      "Add a closure step and lead the flow to it.",
    ],
    ja: ({ type }) => [
      "closing を許可する closure ステップに到達できません。",
      `ステップに structuredGate があるため、${type} は closing の後でだけ判定されますが、closing が出ることはありません。`,
      "closure ステップを追加し、フローがそこへ到達するようにしてください。",
    ],
  },
  AGENT_HANDLER_MISSING: {
    en: ({ path }) => [
      `There is no file ${path}.`,
      "The handler decides whether the agent is done.",
      "Add the module, or correct the path.",
    ],
    ja: ({ path }) => [
      `ファイル ${path} がありません。`,
      "判断するのはこのハンドラーです。",
      "モジュールを追加するか、パスを直してください。",
    ],
  },
  AGENT_PARAMETER_CLASH: {
    en: ({ cli, other }) => [
      `${cli} is already the flag of the parameter "${other}".`,
      "One flag cannot set two parameters.",
      "Give each its own flag.",
    ],
    ja: ({ cli, other }) => [
      `${cli} はすでにパラメーター「${other}」のフラグです。`,
      "1 つのフラグで 2 つのパラメーターは指定できません。",
      "それぞれに別のフラグを付けてください。",
    ],
  },
  AGENT_PARAMETER_DEFAULT: {
    en: ({ problem }, tell) => [
      `The default ${tell(problem)}.`,
      "A run without the flag would use it.",
      "Correct the default, its type or the rule.",
    ],
    ja: ({ problem }, tell) => [
      `既定値が使えません：${tell(problem)}`,
      "フラグを付けずに実行すると、この値が使われます。",
      "既定値か、型か、規則を直してください。",
    ],
  },
  AGENT_PARAMETER_VALIDATION: {
    en: (params) => {
      const { problem, fix } = senseless.en(params);
      return [problem, "No value, or any value, would pass.", fix];
    },
    ja: (params) => {
      const { problem, fix } = senseless.ja(params);
      return [problem, "どの値も通らないか、どんな値でも通ってしまいます。", fix];
    },
  },
  AGENT_PARAMETER_REQUIRED_DEFAULT: {
    en: [
      "The parameter is required and has a default.",
      "The default of a required parameter is never used.",
      "Remove one of the two.",
    ],
    ja: [
      "必須のパラメーターに既定値があります。",
      "必ず値を渡すのなら、既定値が使われることはありません。",
      "どちらか一方を削除してください。",
    ],
  },
  AGENT_FLAG_RESERVED: {
    en: ({ cli }) => [
      `${cli} is a flag of e8 itself.`,
      "On the command line it has the meaning that e8 gives it.",
      "Set it with --param <name>=…, or give the parameter another flag.",
    ],
    ja: ({ cli }) => [
      `${cli} は e8 自身のフラグです。`,
      "コマンドラインでは e8 自身の意味が優先されます。",
      "--param <name>=… で渡すか、別のフラグにしてください。",
    ],
  },
};

const senseless: Record<keyof Both, (fault: ParameterFault) => { problem: string; fix: string }> = {
  en: (params) => {
    switch (params.fault) {
      case "min_above_max":
        return { problem: `min ${params.min} is more than max ${params.max}.`, fix: "Exchange them." };
      case "other_type": {
        const { rule, meant: type } = params;
        const problem = `${rule} is for the type ${type}, and this is of the type ${params.type}.`;
        return { problem, fix: `Remove ${rule}.` };
      }
      case "not_pattern":
        return { problem: `"${params.pattern}" is not a regular expression.`, fix: "Correct it." };
      case "enum_of_other_type":
        return { problem: `enum has values that are not of the type ${params.type}.`, fix: "Correct them." };
      case "enum_empty":
        return { problem: "enum is empty.", fix: "List the possible values." };
    }
  },
  ja: (params) => {
    switch (params.fault) {
      case "min_above_max":
        return {
          problem: `min ${params.min} が max ${params.max} より大きくなっています。`,
          fix: "入れ替えてください。",
        };
      case "other_type": {
        const { rule, meant: type } = params;
        const problem = `${rule} は ${type} 型のためのもので、これは ${params.type} 型です。`;
        return { problem, fix: `${rule} を削除してください。` };
      }
      case "not_pattern":
        return { problem: `「${params.pattern}」は正規表現ではありません。`, fix: "直してください。" };
      case "enum_of_other_type":
        return { problem: `enum に ${params.type} 型ではない値があります。`, fix: "直してください。" };
      case "enum_empty":
        return { problem: "enum が空です。", fix: "選べる値を並べてください。" };
    }
  },
};
