import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes = "flow_agent_unfit" | "step_agent_unbound";

/** 誰が作業するか：ステップを担当するエージェント。 */
export const jaAgentErrors: Pick<ErrorTexts, ErrorCodes> = {
  flow_agent_unfit: ({ agent, lacks }) => [
    `${agent} は、エージェントの指定がないステップをすべては担当できません：${lacks.map(({ step, capability }) => `${step} には ${capability} が必要です`).join("、")}。`,
    "別のエージェントを選んでください。--agent claude と --agent scripted:<台本> はどのステップも担当できます。あるいは、これらのステップの runner.agent（steps_registry.json）に書いてください。",
  ],
  step_agent_unbound: ({ step, agent, problem }, tell) => [
    `ステップ ${step} を ${agent} が担当しますが、ステップがしてはならないことを止めるものがありません：${tell(problem)}`,
    "サンドボックスの中で実行するか、ツールの呼び出しを止められるエージェント（claude など）を選んでください。",
  ],
};
