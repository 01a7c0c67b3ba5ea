import type { ErrorTexts } from "../message-texts.ts";

type ErrorCodes =
  | "flow_agent_unfit"
  | "step_agent_unbound"
  | "branch_kept"
  | "comparison_impossible"
  | "comparison_missing"
  | "comparison_choice"
  | "comparison_unfit"
  | "comparison_runs";

/** Who works: agents of steps, and agents that are compared. */
export const enAgentErrors: Pick<ErrorTexts, ErrorCodes> = {
  flow_agent_unfit: ({ agent, lacks }) => [
    `${agent} cannot take all steps that name no agent: ${lacks.map(({ step, capability }) => `${step} needs ${capability}`).join(", ")}.`,
    "Choose another agent: --agent claude and --agent scripted:<story> can take every step. Or name one for these steps: runner.agent in steps_registry.json.",
  ],
  step_agent_unbound: ({ step, agent, problem }, tell) => [
    `${agent} is to take the step ${step}, but nothing keeps it from what steps must not do: ${tell(problem)}.`,
    "Run it in a sandbox, or choose an agent whose tool calls can be refused, such as claude.",
  ],
  branch_kept: ({ path, branch, problem }, tell) => [
    `Branch ${branch} and its worktree stay: what is in ${path} could not be committed: ${tell(problem)}.`,
    "Commit or remove what is left there, then choose again.",
  ],
  comparison_impossible: ({ problem }, tell) => [
    `Agents cannot be compared here: ${tell(problem)}.`,
    "Each agent works on a branch of its own, so the project must be a git repository with a commit, and the base a branch: --base main.",
  ],
  comparison_missing: ({ id }) => [
    id === undefined ? "There is no comparison in this project." : `Task ${id} is not part of a comparison.`,
    "Begin one: e8 compare --agent claude --agent codex task.yaml. `e8 list` shows all tasks.",
  ],
  comparison_choice: ({ choice, found, known }) => [
    found === 0 ? `None of the runs is ${choice}.` : `${choice} is the agent of ${found} runs.`,
    `Choose by number or agent: ${known.join(", ")}; or none.`,
  ],
  comparison_unfit: ({ number, agent, id, status, comparison }) => [
    `${number} (${agent}) has not completed the task (${status}), so there is nothing proved to keep.`,
    `Continue it with e8 run --resume ${id}, then: e8 compare --keep ${number} ${comparison}`,
  ],
  comparison_runs: ({ number, agent, id }) => [
    `${number} (${agent}) still runs as task ${id}.`,
    `Wait for it, or end it: e8 cancel ${id}`,
  ],
};
