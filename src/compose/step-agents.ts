import { capabilitiesOf } from "../connection/agents/registry.ts";
import { spelledAgent } from "../model/agent-choice.ts";
import type { AgentChoice, Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import { lackingFor, type StepCapability } from "../model/flow/step-needs.ts";
import { isDeadEnd, type Step, type StepKind } from "../model/flow/steps-registry.ts";
import { message, type Statement } from "../model/message.ts";
import type { SandboxUse } from "../model/sandbox.ts";
import { everyWorkerOf } from "../model/workers.ts";

/** Who takes a step: the agent that it names, else the run's; undefined for a program. */
function agentOf({ runner, agent }: Step, configuration: Pick<Configuration, "agent">): AgentChoice | undefined {
  return runner ? undefined : (agent ?? configuration.agent);
}

/** The agents that steps name themselves, each once. */
export function namedAgents(definition: FlowDefinition): AgentChoice[] {
  const named = stepsOf(definition).flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
  return [...new Map(named.map((agent) => [spelledAgent(agent), agent])).values()];
}

/** Whether the run's own agent takes a step. */
export function usesDefault(definition: FlowDefinition): boolean {
  return stepsOf(definition).some(({ runner, agent }) => !runner && agent === undefined);
}

function stepsOf({ registry: { steps } }: FlowDefinition): Step[] {
  return Object.values(steps).filter(({ stepId }) => !isDeadEnd(steps, stepId));
}

/** A step, and who takes it. */
export interface TakenStep {
  step: string;
  kind: StepKind;
  /** As `--agent` names it; null: a program takes it. */
  agent: string | null;
  program?: string;
  /** The step names it itself. */
  is_own: boolean;
  /** What bounds it: its tool calls can be refused, or only the sandbox holds it. */
  withholds_tools: boolean;
}

export function takenSteps(definition: FlowDefinition, configuration: Configuration): TakenStep[] {
  return stepsOf(definition).map((step) => {
    const { stepId, stepKind: kind, runner, agent: own } = step;
    const agent = agentOf(step, configuration);
    return {
      ...{ step: stepId, kind, agent: agent === undefined ? null : spelledAgent(agent), is_own: own !== undefined },
      withholds_tools: agent !== undefined && capabilitiesOf(agent).withholds_tools,
      ...(runner && { program: [runner.command, ...runner.args].join(" ") }),
    };
  });
}

interface Unfit {
  step: string;
  capability: StepCapability;
}

/** What the run's own agent cannot do that a step without an agent of its own needs. Loading has looked at the others. */
export function unfitSteps(definition: FlowDefinition, agent: AgentChoice): Unfit[] {
  const steps = stepsOf(definition).filter((step) => !step.runner && step.agent === undefined);
  const can = capabilitiesOf(agent);
  return steps.flatMap((step) => lackingFor(step, can).map((capability) => ({ step: step.stepId, capability })));
}

/**
 * Throws where the run's own agent lacks what a step needs, or where nothing bounds an agent: one whose tool calls cannot be refused takes
 * steps in a sandbox only.
 */
export function requireStepAgents(configuration: Configuration, definition: FlowDefinition): void {
  for (const { agent } of everyWorkerOf(configuration)) {
    const lacks = unfitSteps(definition, agent);
    if (lacks.length > 0) throw new E8Error("flow_agent_unfit", { agent: spelledAgent(agent), lacks });
  }
  if (configuration.sandbox === "off") refuseUnbound(configuration, definition, message("sandbox_off", {}));
}

/** The same, once it is known what sandbox there is. */
export function requireBound(configuration: Configuration, definition: FlowDefinition, sandbox: SandboxUse): void {
  if (sandbox.adapter !== "none") return;
  refuseUnbound(configuration, definition, sandbox.problem ?? message("sandbox_off", {}));
}

function refuseUnbound(configuration: Configuration, definition: FlowDefinition, problem: Statement): void {
  for (const step of stepsOf(definition)) {
    const workers = everyWorkerOf(configuration).map((one) => agentOf(step, one));
    const agent = workers.find((one) => one !== undefined && !capabilitiesOf(one).withholds_tools);
    if (agent === undefined) continue;
    throw new E8Error("step_agent_unbound", { step: step.stepId, agent: spelledAgent(agent), problem });
  }
}
