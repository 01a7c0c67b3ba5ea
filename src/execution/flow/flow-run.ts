import type { LoadModule } from "../../connection/ports/modules.ts";
import type { IssueTracker } from "../../connection/ports/tracker.ts";
import { type Criterion, CriterionInput } from "../../model/criterion.ts";
import { E8Error } from "../../model/errors.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import type { FlowPosition } from "../../model/flow/position.ts";
import type { Step } from "../../model/flow/steps-registry.ts";
import type { RunState } from "../../model/state.ts";
import type { Statement } from "../../model/statement.ts";

/** One run of an agent: its definition, what it was called with, and what it may reach besides the usual ports. */
export interface FlowRun {
  definition: FlowDefinition;
  parameters: Readonly<Record<string, unknown>>;
  /** What was piped in, for steps that use it. */
  stdin: string;
  tracker: IssueTracker;
  loadModule: LoadModule;
}

/** Where the flow stands: after its last concluded step, or at its beginning. */
export function positionOf({ definition }: FlowRun, state: RunState): FlowPosition {
  return state.judgment?.flow ?? beginning(definition);
}

export function beginning({ entryStep }: FlowDefinition): FlowPosition {
  return {
    step_id: "",
    intent: null,
    next_step: entryStep,
    handoff: {},
    attempts: {},
    schema_failures: 0,
    checks: 0,
    retry_prompt: null,
    last_failure: null,
    deviations: [],
  };
}

const NO_SUCH_STEP: Statement = { en: "there is no such step", ja: "そのステップはありません" };

export function stepOf({ definition }: FlowRun, id: string | null, iteration: number): Step {
  const step = id === null ? undefined : definition.registry.steps[id];
  if (!step) throw flowFailed("FAILED_STEP_ROUTING", { step: String(id), iteration, problem: NO_SUCH_STEP });
  return step;
}

/** How a flow can fail for good. What a worker does wrong is recorded instead, and the next one reads it. */
export type FlowFailure =
  | "FAILED_SCHEMA_RESOLUTION"
  | "FAILED_STEP_ROUTING"
  | "FAILED_HANDOFF_INPUT"
  | "FAILED_COMPLETION_CONDITIONS"
  | "FAILED_BOUNDARY_HOOK";

/** Only the hook's failure lies outside the definition, so only there can the run go on as it is. */
export function flowFailed(code: FlowFailure, where: { step: string; iteration: number; problem: Statement }): E8Error {
  return new E8Error("flow_failed", { code, ...where, recoverable: code === "FAILED_BOUNDARY_HOOK" });
}

/** The criteria of a `criteria` completion. */
export function criteriaIn(criteria: readonly unknown[]): Criterion[] {
  return criteria.map((one) => CriterionInput.parse(one));
}
