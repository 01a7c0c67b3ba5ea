import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes = "flow_agent_unfit" | "step_agent_unbound";

/** Who works: agents of steps. */
export const enAgentErrors: Pick<ErrorTexts, ErrorCodes> = {
  flow_agent_unfit: ({ agent, lacks }) => [
    `${agent} cannot take all steps that name no agent: ${lacks.map(({ step, capability }) => `${step} needs ${capability}`).join(", ")}.`,
    "Choose another agent: --agent claude and --agent scripted:<story> can take every step. Or name one for these steps: runner.agent in steps_registry.json.",
  ],
  step_agent_unbound: ({ step, agent, problem }, tell) => [
    `${agent} is to take the step ${step}, but nothing keeps it from what steps must not do: ${tell(problem)}.`,
    "Run it in a sandbox, or choose an agent whose tool calls can be refused, such as claude.",
  ],
};
