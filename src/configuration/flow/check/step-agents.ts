import { agentFrom, spelledAgent } from "../../../model/agent-choice.ts";
import type { AgentChoice } from "../../../model/configuration.ts";
import { lackingFor, neededFor, type StepCapabilities } from "../../../model/flow/step-needs.ts";
import { isSection, type Step } from "../../../model/flow/steps-registry.ts";
import { message } from "../../../model/message.ts";
import type { AgentSettings } from "../../task/agent-settings.ts";
import type { Place, Report } from "../report.ts";
import { type Draft, stepPlace } from "./draft.ts";

/** What a definition may name as `runner.agent`, and what each can do. */
export type FlowAgents = Pick<AgentSettings, "choice" | "capabilities">;

/** An agent that a definition names. Reports one that does not exist, and returns undefined. */
export function knownAgent(
  named: AgentChoice | undefined,
  agents: FlowAgents,
  report: Report,
  place: Place,
): AgentChoice | undefined {
  if (named === undefined) return undefined;
  const read = agents.choice.safeParse(agentFrom(named));
  if (read.success) return read.data;
  const problem = message("value_impossible", { value: spelledAgent(named) });
  report.add("AGENT_VALUE_INVALID", place, { problem, allowed: message("value_form", { form: "agent_choice" }) });
  return undefined;
}

interface FlowAgent {
  choice: AgentChoice;
  place: Place;
}

/** Each step's runner: one program or one agent, and an agent that can do what the step needs. `flow`: who takes the other steps. */
export function checkStepAgents(draft: Draft, agents: FlowAgents, flow: FlowAgent | undefined): void {
  for (const step of Object.values(draft.steps)) {
    const place = stepPlace(draft, step.stepId, "runner", "agent");
    checkRunner(draft, step);
    const own = knownAgent(step.agent, agents, draft.report, place);
    const by = step.agent === undefined ? flow : own && { choice: own, place };
    if (by) checkCapabilities(draft.report, step, by, agents.capabilities(by.choice));
  }
}

function checkRunner(draft: Draft, { stepId }: Step): void {
  const runner = draft.json.steps[stepId]?.runner;
  if (!runner) return;
  const { command, agent, ...program } = runner;
  const place = stepPlace(draft, stepId, "runner");
  if (command === undefined && agent === undefined) draft.report.add("STEP_RUNNER", place, { fault: "empty" });
  if (command !== undefined && agent !== undefined) draft.report.add("STEP_RUNNER", place, { fault: "both" });
  if (command !== undefined || agent === undefined) return;
  for (const key of Object.keys(program))
    draft.report.add("STEP_RUNNER", stepPlace(draft, stepId, "runner", key), { fault: "of_program", key });
}

function checkCapabilities(report: Report, step: Step, { choice, place }: FlowAgent, can: StepCapabilities): void {
  const named = { stepId: step.stepId, agent: spelledAgent(choice) };
  for (const capability of lackingFor(step, can)) report.add("STEP_AGENT_LACKS", place, { ...named, capability });
  const isUnbound = !can.withholds_tools && !neededFor(step).includes("withholds_tools");
  if (isUnbound && !step.runner && !isSection(step.stepId)) report.add("STEP_AGENT_UNBOUND", place, named);
}
