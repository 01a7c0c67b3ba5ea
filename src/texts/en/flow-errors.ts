import type { ErrorParams } from "../../model/errors.ts";
import type { ErrorTexts } from "../message-texts.ts";
import { problemLines } from "../problems/problems.ts";

type FlowErrors = Pick<
  ErrorTexts,
  | "agent_exists"
  | "module_broken"
  | "agent_not_found"
  | "no_agents"
  | "definition_invalid"
  | "workflow_missing"
  | "workflow_invalid"
  | "parameter_invalid"
  | "flow_failed"
>;

/** Agents made of steps, workflows, and the modules that they name. */
export const enFlowErrors: FlowErrors = {
  agent_exists: (d) => [`${d.path} exists already; it was left as it is.`, "Choose another name, or remove it first."],
  module_broken: (d, tell) => [
    `${d.path} cannot be used as a module: ${tell(d.problem)}`,
    "It must be an ES module with a default export.",
  ],
  agent_not_found: (d) => [
    `There is no agent ${d.name} in ${d.directory}.`,
    d.known ? `There are: ${d.known}.` : "Make one: e8 agent init <name>",
  ],
  no_agents: (d) => [`There are no agents in ${d.directory}.`, "Make one: e8 agent init <name>"],
  definition_invalid: (d) => [
    `The agent ${d.name} cannot be run:\n${problemLines(d.problems, "en")}`,
    `See all of it: e8 agent validate ${d.name}`,
  ],
  workflow_missing: (d) => [`There is no ${d.path}.`, "Write one: docs/agents.md has its keys, under workflow.json."],
  workflow_invalid: (d) => [
    `${d.path} cannot be used:\n${problemLines(d.problems, "en")}`,
    "Correct it; docs/agents.md has its keys, under workflow.json.",
  ],
  parameter_invalid: (d, tell) => [
    `${d.flag}: ${tell(d.problem)}`,
    `See \`e8 agent run ${d.agent ?? "<name>"} --help\`.`,
  ],
  flow_failed: (d, tell) => [
    `${d.code} at step ${d.step} in iteration ${d.iteration}: ${tell(d.problem)}`,
    flowHint(d),
  ],
};

function flowHint({ code, recoverable }: ErrorParams["flow_failed"]): string {
  if (code === "FAILED_BOUNDARY_HOOK")
    return "See to the issue: .e8/issues/<number>.md, or a git remote named origin and GITHUB_TOKEN. Then `e8 run --resume`: it tries this again, not the work.";
  if (recoverable) return "The work did not meet the conditions. `e8 run --resume` tries again, with what failed.";
  return "Correct the agent's definition; `e8 agent validate` helps.";
}
