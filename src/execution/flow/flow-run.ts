import type { LoadModule } from "../../connection/ports/modules.ts";
import type { IssueTracker } from "../../connection/ports/tracker.ts";
import { observationsNeeded } from "../../judgment/flow/completion.ts";
import { takesTurns } from "../../judgment/workers.ts";
import type { Assignment } from "../../model/agent.ts";
import { spelledAgent } from "../../model/agent-choice.ts";
import type { Configuration } from "../../model/configuration.ts";
import { type Criterion, CriterionInput, criterionText } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import type { RunEvent } from "../../model/events.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import { FlowPosition } from "../../model/flow/position.ts";
import type { CompletionStep, Step } from "../../model/flow/steps-registry.ts";
import { message, type Statement } from "../../model/message.ts";
import type { RunState } from "../../model/state.ts";

/** One run of a flow: its definition, its parameters, and what it may reach besides the usual ports. */
export interface FlowRun {
  definition: FlowDefinition;
  parameters: Readonly<Record<string, unknown>>;
  /** The text that was piped in, for steps that use it. */
  stdin: string;
  tracker: Pick<IssueTracker, "get" | "close" | "label" | "release">;
  loadModule: LoadModule;
}

/** Where the flow stands: after its last concluded step or the proof that refuted it, or at its beginning. */
export function positionOf({ definition: { entryStep } }: FlowRun, { judgment, proof }: RunState): FlowPosition {
  const beginning = { step_id: "", intent: null, next_step: entryStep, handoff: {}, attempts: {} };
  const refuted = proof && proof.iteration === judgment?.iteration ? proof.flow : undefined;
  return refuted ?? judgment?.flow ?? FlowPosition.parse(beginning);
}

export function stepOf({ definition }: FlowRun, id: string | null, iteration: number): Step {
  const step = id === null ? undefined : definition.registry.steps[id];
  if (!step)
    throw flowFailed("FAILED_STEP_ROUTING", { step: String(id), iteration, problem: message("step_missing", {}) });
  return step;
}

/** Who takes a step, as `--agent` names agents; nothing for a program, and where agents take turns: then the iteration names its worker. */
export function takenBy({ runner, agent }: Step, configuration: Configuration): { agent?: string } {
  if (runner || (agent === undefined && takesTurns(configuration))) return {};
  return { agent: spelledAgent(agent ?? configuration.agent) };
}

/** A step that names its agent is that agent's alone. The others are done by whose turn it is. */
export function workerOf({ agent, model }: Step, configuration: Configuration): Pick<Assignment, "worker" | "model"> {
  if (agent === undefined || spelledAgent(agent) === spelledAgent(configuration.agent)) return model ? { model } : {};
  return { worker: { agent, model: model ?? null } };
}

/** How a flow can fail for good. A worker's mistakes are recorded instead, and the next worker reads them. */
type FlowFailure =
  | "FAILED_SCHEMA_RESOLUTION"
  | "FAILED_STEP_ROUTING"
  | "FAILED_HANDOFF_INPUT"
  | "FAILED_COMPLETION_CONDITIONS"
  | "FAILED_BOUNDARY_HOOK";

interface FailurePlace {
  step: string;
  iteration: number;
  problem: Statement;
  /** Whether the run can be resumed with the definition as it is. */
  recoverable?: boolean;
}

export function flowFailed(code: FlowFailure, { recoverable = false, ...place }: FailurePlace): E8Error {
  return new E8Error("flow_failed", { code, ...place, recoverable });
}

export function criteriaIn(criteria: readonly unknown[]): Criterion[] {
  return criteria.map((one) => CriterionInput.parse(one));
}

/** The closure steps that have conditions, each with its declaration; of several that share a declaration, the first. */
export function conditionedSteps({ definition }: FlowRun, closures: readonly string[]): [string, CompletionStep][] {
  const steps = Object.entries(definition.registry.completionSteps).filter(([id]) => closures.includes(id));
  return steps.filter(([, { stepId }], index) => steps.findIndex(([, other]) => other.stepId === stepId) === index);
}

/** The conditions that must hold when one of these closure steps gives the closing signal. */
export function conditionsOf(run: FlowRun, closures: readonly string[]): CompletionStep["completionConditions"] {
  return conditionedSteps(run, closures).flatMap(([, { completionConditions }]) => completionConditions);
}

/** All that a flow may have to meet, by the names that its evaluations have. */
export function allConditions(run: FlowRun): string[] {
  const { registry } = run.definition;
  const validators = conditionsOf(run, Object.keys(registry.completionSteps)).map(({ validator }) => validator);
  return [...new Set([...validators, ...judgedCriteria(run).map(criterionText)])];
}

/** The criteria of a `criteria` completion. */
export function judgedCriteria({ definition }: FlowRun): Criterion[] {
  const { criteria } = observationsNeeded(definition.agent.runner.completion);
  return criteria.flatMap(({ config }) => criteriaIn(config.criteria ?? []));
}

export function* announced(conditions: readonly string[]): Generator<RunEvent> {
  if (conditions.length > 0) yield { type: "conditions", conditions: [...conditions] };
}
