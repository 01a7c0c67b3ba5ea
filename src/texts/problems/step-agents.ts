import type { StepAgentProblems } from "../../model/flow/problem.ts";
import type { StepCapability } from "../../model/flow/step-needs.ts";
import type { Both, ProblemTexts } from "./problem-text.ts";

/** Why a step needs a capability. */
const NEEDS: Record<StepCapability, Both> = {
  structured_answers: {
    en: "The step's gate or schema needs an answer that is held against the schema.",
    ja: "このステップの gate かスキーマには、スキーマと照らし合わせた構造化された回答が必要です。",
  },
  withholds_tools: {
    en: "A verification step must not write files, so tool calls have to be refused before they happen.",
    ja: "verification のステップはファイルに書き込めないため、ツールの呼び出しを事前に止められなければなりません。",
  },
};

export const stepAgentProblems: ProblemTexts<StepAgentProblems> = {
  STEP_RUNNER: {
    en: (params) => {
      const why = "A step is taken by a program (command) or by an agent (agent).";
      if (params.fault === "empty")
        return ["The runner names neither a program nor an agent.", why, "Add one of them."];
      if (params.fault === "both") return ["The runner names a program and an agent.", why, "Remove one of them."];
      return [`${params.key} is for a program only.`, why, `Remove ${params.key}.`];
    },
    ja: (params) => {
      const why = "ステップを担当するのは、プログラム（command）かエージェント（agent）のどちらかです。";
      if (params.fault === "empty")
        return ["runner にプログラムもエージェントもありません。", why, "どちらかを書いてください。"];
      if (params.fault === "both")
        return ["runner にプログラムとエージェントの両方があります。", why, "どちらかを削除してください。"];
      return [`${params.key} はプログラムだけのものです。`, why, `${params.key} を削除してください。`];
    },
  },
  STEP_AGENT_LACKS: {
    en: ({ stepId, agent, capability }) => [
      `The agent ${agent} lacks ${capability}, which the step "${stepId}" needs.`,
      NEEDS[capability].en,
      `Name an agent with ${capability} in runner.agent of this step, such as claude.`,
    ],
    ja: ({ stepId, agent, capability }) => [
      `ステップ「${stepId}」に必要な ${capability} が、エージェント ${agent} にはありません。`,
      NEEDS[capability].ja,
      `このステップの runner.agent に、${capability} を備えたエージェント（claude など）を書いてください。`,
    ],
  },
  STEP_AGENT_UNBOUND: {
    en: ({ stepId, agent }) => [
      `allowedTools and permissionMode do not bind ${agent} in the step "${stepId}".`,
      "Its tool calls cannot be refused; only the sandbox and the withheld credentials bound it.",
      "Keep the sandbox on, or name an agent that withholds tools.",
    ],
    ja: ({ stepId, agent }) => [
      `ステップ「${stepId}」の ${agent} には、allowedTools と permissionMode の制限が効きません。`,
      "ツールの呼び出しを止められないため、制限になるのはサンドボックスと、渡されない認証情報だけです。",
      "サンドボックスを有効にしておくか、ツールの呼び出しを止められるエージェントを書いてください。",
    ],
  },
};
