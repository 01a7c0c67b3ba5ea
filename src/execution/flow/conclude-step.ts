import { closesByItself } from "../../judgment/flow/completion.ts";
import { readGate } from "../../judgment/flow/gate.ts";
import { extractHandoff } from "../../judgment/flow/handoff.ts";
import { type RouteRequest, route } from "../../judgment/flow/router.ts";
import { problemOf } from "../../model/errors.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import type { FlowPosition } from "../../model/flow/position.ts";
import type { Step, StructuredGate } from "../../model/flow/steps-registry.ts";
import { asMessage, type Message, message, type Statement } from "../../model/message.ts";
import type { ExecutionSummary, JudgmentRecord } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import type { Concluded } from "../course.ts";
import { suspectsFor } from "../goal/flaky.ts";
import { Halt } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { type CompletionVerdict, completionLoop } from "./completion-loop.ts";
import { type FlowRun, flowFailed, positionOf, stepOf } from "./flow-run.ts";

/**
 * Reads a step's output, decides where the flow goes, and on the closing signal asks the completion loop. An error on the way is
 * handed over with the judgment as far as it came; only a Halt, which ends the run before there is one, is thrown.
 */
export async function* concludeStep(
  context: RunContext,
  run: FlowRun,
  { summary, state }: { summary: ExecutionSummary; state: RunState },
): AsyncGenerator<RunEvent, Concluded> {
  const before = positionOf(run, state);
  const step = stepOf(run, summary.flow?.step_id ?? null, summary.iteration);
  const suspects = await suspectsFor(context, state, summary.snapshot);
  const conclusion = { step, summary, before, evaluations: [], suspects };
  try {
    const { position, verdict } =
      summary.result === "error" ? { position: afterError(conclusion) } : yield* afterOutput(context, run, conclusion);
    const reasons = [...(verdict?.reasons ?? reasonsOf(position))];
    const decided = { is_complete: verdict?.done ?? false, reasons, flow: position };
    const judgment = judgmentOf(context, conclusion, decided);
    return verdict?.halt ? { judgment, trouble: { error: verdict.halt } } : { judgment };
  } catch (error) {
    if (error instanceof Halt || context.signal.aborted) throw error;
    return { judgment: judgmentOf(context, conclusion, undecided(conclusion, error)), trouble: { error } };
  }
}

type Decided = Pick<JudgmentRecord, "is_complete" | "is_undecided" | "reasons" | "flow">;

function judgmentOf(
  { ports }: RunContext,
  { summary: { iteration }, evaluations }: Conclusion,
  decided: Decided,
): JudgmentRecord {
  const timestamp = ports.clock.now().toISOString();
  return {
    type: "judgment",
    iteration,
    evaluations,
    overall_reason: "",
    suggested_next_action: null,
    ...decided,
    timestamp,
  };
}

function undecided({ step: { stepId }, before }: Conclusion, error: unknown): Decided {
  const reasons = [message("flow_undecided", { step: stepId, problem: problemOf(error) })];
  const flow = { ...before, step_id: stepId, intent: null, next_step: stepId, deviations: [] };
  return { is_complete: false, is_undecided: true, reasons, flow };
}

interface Conclusion extends ConcludedStep {
  /** Filled by the completion loop. */
  evaluations: Evaluation[];
  /** The names of checks that have failed on the same files. */
  suspects: readonly string[];
}

interface ConcludedStep {
  step: Step;
  summary: ExecutionSummary;
  before: FlowPosition;
}

interface Moved {
  position: FlowPosition;
  verdict?: CompletionVerdict;
}

/**
 * The same step again. Its prompt names the last failure only; why completion was refused stays. A schema that cannot be resolved
 * twice in a row ends the flow.
 */
function afterError({ step, summary, before }: Conclusion): FlowPosition {
  const isSchema = summary.metadata.error_type === "schema_resolution";
  const schema_failures = isSchema ? before.schema_failures + 1 : 0;
  if (schema_failures >= 2)
    throw flowFailed("FAILED_SCHEMA_RESOLUTION", {
      step: step.stepId,
      iteration: summary.iteration,
      problem: summary.failure ?? summary.reason,
    });
  return {
    ...before,
    step_id: step.stepId,
    intent: null,
    next_step: step.stepId,
    schema_failures,
    last_failure: isSchema ? null : (summary.failure ?? summary.reason),
    deviations: [],
  };
}

async function* afterOutput(
  context: RunContext,
  run: FlowRun,
  conclusion: Conclusion,
): AsyncGenerator<RunEvent, Moved> {
  const { step, summary, before, evaluations, suspects } = conclusion;
  const gate = step.structuredGate;
  const moved = gate ? throughGate(run, conclusion, gate) : withoutGate(run, conclusion);
  const isClosing = moved.intent === "closing";
  const looksAtCompletion = isClosing || !run.definition.isGated;
  const checks = before.checks + (looksAtCompletion ? 1 : 0);
  const byBudget = closesByItself(run.definition.agent.runner.completion, { iterations: summary.iteration, checks });
  if (!looksAtCompletion && !byBudget) return { position: { ...moved, checks } };
  const closures = isClosing ? [step.stepId] : Object.keys(run.definition.registry.completionSteps);
  const verdict = yield* completionLoop(context, run, {
    closures,
    summary,
    attempts: before.attempts,
    closing_hint: before.closing_hint,
    evaluations,
    suspects,
    progress: {
      iterations: summary.iteration,
      checks,
      terminal: isClosing,
      texts: [summary.flow?.text ?? ""],
      outputs: [summary.flow?.output ?? null],
      handoff: moved.handoff,
    },
  });
  const { attempts, closing_hint } = verdict;
  const position = { ...moved, checks, attempts: { ...attempts }, closing_hint };
  if (verdict.done) return { position: { ...position, next_step: null }, verdict };
  const next_step = isClosing ? wayBack(run, conclusion) : moved.next_step;
  return { position: { ...position, next_step, retry_prompt: verdict.retry_prompt }, verdict };
}

/** The step that goes on where a proof has refuted that the flow is complete. */
export function stepAfterRefusal(run: FlowRun, conclusion: ConcludedStep): string | null {
  return conclusion.before.intent === "closing" ? wayBack(run, conclusion) : withoutGate(run, conclusion).next_step;
}

/** Where a refused closure leads: its `repeat`, or the closure step itself where it has none. */
function wayBack(run: FlowRun, conclusion: ConcludedStep): string {
  const { step } = conclusion;
  if (!step.transitions.repeat) return step.stepId;
  return routed(run, conclusion, { intent: "repeat" }) ?? step.stepId;
}

function throughGate(run: FlowRun, conclusion: Conclusion, gate: StructuredGate): FlowPosition {
  const { step, summary, before } = conclusion;
  const read = readGate(gate, summary.flow?.output);
  if ("problem" in read) throw routingFailed(conclusion, read.problem);
  const next_step = routed(run, conclusion, read);
  const handed = { ...before.handoff[step.stepId], ...handedOn(conclusion) };
  const handoff = { ...before.handoff, [step.stepId]: handed };
  const deviations = [...(summary.flow?.deviations ?? []), ...read.deviations];
  return { ...before, ...cleared, step_id: step.stepId, intent: read.intent, next_step, handoff, deviations };
}

/** Of the values that the step handed on, only those of this answer count here: earlier ones may be outdated. */
function routed(
  { definition: { registry } }: FlowRun,
  conclusion: ConcludedStep,
  request: RouteRequest,
): string | null {
  const { step, before } = conclusion;
  const handoff = { ...before.handoff, [step.stepId]: handedOn(conclusion) };
  const found = route(step, request, { handoff, registry });
  if ("problem" in found) throw routingFailed(conclusion, found.problem);
  return found.next;
}

function handedOn({ step: { structuredGate: gate }, summary }: ConcludedStep): Record<string, unknown> {
  return gate ? extractHandoff(gate, summary.flow?.output) : {};
}

function routingFailed({ step, summary: { iteration } }: ConcludedStep, problem: Statement) {
  return flowFailed("FAILED_STEP_ROUTING", { step: step.stepId, iteration, problem });
}

const cleared = { schema_failures: 0, retry_prompt: null, last_failure: null };

/** Without gates: the declared successor, the continuation of the same name, or the same step again. */
function withoutGate({ definition }: FlowRun, { step, before }: ConcludedStep): FlowPosition {
  const { next } = step.transitions;
  const continuation = `continuation.${step.c3}`;
  const declared = next && "target" in next ? next.target : undefined;
  const next_step = declared ?? (definition.registry.steps[continuation] ? continuation : step.stepId);
  return { ...before, ...cleared, step_id: step.stepId, intent: null, next_step, deviations: [] };
}

function reasonsOf({ step_id: step, intent, next_step: next, deviations }: FlowPosition): Message[] {
  return [message("flow_moved", { step, intent, next }), ...deviations.map(asMessage)];
}
