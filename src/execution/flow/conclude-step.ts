import { closesByItself } from "../../judgment/flow/completion.ts";
import { readGate } from "../../judgment/flow/gate.ts";
import { extractHandoff } from "../../judgment/flow/handoff.ts";
import { type Asked, route } from "../../judgment/flow/router.ts";
import type { RunEvent } from "../../model/events.ts";
import type { FlowPosition } from "../../model/flow/position.ts";
import type { Step, StructuredGate } from "../../model/flow/steps-registry.ts";
import type { Evaluation, ExecutionSummary, JudgmentRecord } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import { type Statement, type Words, worded } from "../../model/statement.ts";
import { retoldInAll, type Told, told } from "../../model/telling.ts";
import type { RunContext } from "../run-context.ts";
import { type CompletionVerdict, completionLoop } from "./completion-loop.ts";
import { type FlowRun, flowFailed, positionOf, stepOf } from "./flow-run.ts";

/** Reads what a step returned, decides where the flow goes, and on the closing signal asks the completion loop. */
export async function* concludeStep(
  context: RunContext,
  run: FlowRun,
  { summary, state }: { summary: ExecutionSummary; state: RunState },
): AsyncGenerator<RunEvent, JudgmentRecord> {
  const before = positionOf(run, state);
  const step = stepOf(run, summary.flow?.step_id ?? null, summary.iteration);
  const conclusion = { step, summary, before };
  const { position, verdict, deviations } =
    summary.result === "error" ? afterError(conclusion) : yield* afterOutput(context, run, conclusion);
  const { text: overall_reason, ...ours } = verdict?.reason ?? reasonOf(position, deviations);
  return {
    type: "judgment",
    iteration: summary.iteration,
    is_complete: verdict?.done ?? false,
    evaluations: verdict?.evaluations ?? ([] as Evaluation[]),
    overall_reason,
    suggested_next_action: null,
    ...ours,
    flow: position,
    timestamp: context.ports.clock.now().toISOString(),
  };
}

interface Conclusion {
  step: Step;
  summary: ExecutionSummary;
  before: FlowPosition;
}

interface Concluded {
  position: FlowPosition;
  verdict?: CompletionVerdict;
  deviations: readonly Words[];
}

type Moved = Omit<Concluded, "verdict">;

/**
 * The same step again: the next worker tries, told of the last failure only; why completion was refused stays. A schema that
 * cannot be resolved twice running will never be.
 */
function afterError({ step, summary, before }: Conclusion): Concluded {
  const isSchema = summary.metadata.error_type === "schema_resolution";
  const schema_failures = isSchema ? before.schema_failures + 1 : 0;
  if (schema_failures >= 2)
    throw flowFailed("FAILED_SCHEMA_RESOLUTION", {
      step: step.stepId,
      iteration: summary.iteration,
      problem: retoldInAll({ text: summary.reason, wordings: summary.wordings }),
    });
  const position = {
    ...before,
    step_id: step.stepId,
    intent: null,
    next_step: step.stepId,
    schema_failures,
    last_failure: isSchema ? null : summary.reason,
    deviations: [],
  };
  return { position, deviations: [] };
}

async function* afterOutput(
  context: RunContext,
  run: FlowRun,
  conclusion: Conclusion,
): AsyncGenerator<RunEvent, Concluded> {
  const { step, summary, before } = conclusion;
  const gate = step.structuredGate;
  const { position: moved, deviations } = gate ? throughGate(run, conclusion, gate) : withoutGate(run, conclusion);
  const isClosing = moved.intent === "closing";
  const looksAtCompletion = isClosing || !run.definition.isGated;
  const checks = before.checks + (looksAtCompletion ? 1 : 0);
  const byBudget = closesByItself(run.definition.agent.runner.completion, { iterations: summary.iteration, checks });
  if (!looksAtCompletion && !byBudget) return { position: { ...moved, checks }, deviations };
  const closures = isClosing ? [step.stepId] : Object.keys(run.definition.registry.completionSteps);
  const verdict = yield* completionLoop(context, run, {
    closures,
    summary,
    attempts: before.attempts,
    seen: {
      iterations: summary.iteration,
      checks,
      terminal: isClosing,
      texts: [summary.flow?.text ?? ""],
      outputs: [summary.flow?.output ?? null],
    },
  });
  const position = { ...moved, checks, attempts: { ...verdict.attempts } };
  if (verdict.done) return { position: { ...position, next_step: null }, verdict, deviations };
  const next_step = isClosing ? wayBack(run, conclusion) : moved.next_step;
  return { position: { ...position, next_step, retry_prompt: verdict.retry_prompt }, verdict, deviations };
}

/** Refused: the worker named by the closure step's `repeat` goes on, told why; where it names none, the closure step itself. */
function wayBack(run: FlowRun, conclusion: Conclusion): string {
  const { step } = conclusion;
  if (!step.transitions.repeat) return step.stepId;
  return routed(run, conclusion, { intent: "repeat" }) ?? step.stepId;
}

function throughGate(run: FlowRun, conclusion: Conclusion, gate: StructuredGate): Moved {
  const { step, summary, before } = conclusion;
  const read = readGate(gate, summary.flow?.output);
  if ("problem" in read) throw routingFailed(conclusion, read.problem);
  const next_step = routed(run, conclusion, read);
  const handed = { ...before.handoff[step.stepId], ...handedOn(conclusion) };
  const handoff = { ...before.handoff, [step.stepId]: handed };
  const deviations = [...putRight(summary), ...read.deviations];
  const position = {
    ...before,
    ...cleared,
    step_id: step.stepId,
    intent: read.intent,
    next_step,
    handoff,
    deviations: deviations.map(({ en }) => en),
  };
  return { position, deviations };
}

/** Of what the step handed on, only this answer's counts here: what an earlier one said may no longer be so. */
function routed({ definition: { registry } }: FlowRun, conclusion: Conclusion, asked: Asked): string | null {
  const { step, before } = conclusion;
  const handoff = { ...before.handoff, [step.stepId]: handedOn(conclusion) };
  const found = route(step, asked, { handoff, registry });
  if ("problem" in found) throw routingFailed(conclusion, found.problem);
  return found.next;
}

function handedOn({ step: { structuredGate: gate }, summary }: Conclusion): Record<string, unknown> {
  return gate ? extractHandoff(gate, summary.flow?.output) : {};
}

function routingFailed({ step, summary: { iteration } }: Conclusion, problem: Statement) {
  return flowFailed("FAILED_STEP_ROUTING", { step: step.stepId, iteration, problem });
}

function putRight({ flow, wordings }: ExecutionSummary): Words[] {
  return (flow?.deviations ?? []).map((text) =>
    typeof text === "string" ? retoldInAll({ text, wordings }) : worded((say) => say(text)),
  );
}

const cleared = { schema_failures: 0, retry_prompt: null, last_failure: null };

/** Without gates: the declared successor, the continuation of the same name, or the same step again. */
function withoutGate({ definition }: FlowRun, { step, before }: Conclusion): Moved {
  const { next } = step.transitions;
  const continuation = `continuation.${step.c3}`;
  const declared = next && "target" in next ? next.target : undefined;
  const next_step = declared ?? (definition.registry.steps[continuation] ? continuation : step.stepId);
  const position = { ...before, ...cleared, step_id: step.stepId, intent: null, next_step, deviations: [] };
  return { position, deviations: [] };
}

function reasonOf({ step_id, intent, next_step }: FlowPosition, deviations: readonly Words[]): Told {
  const move = {
    en: `${step_id}: ${intent ?? "again"} → ${next_step ?? "end"}`,
    ja: `${step_id}: ${intent ?? "もう一度"} → ${next_step ?? "終了"}`,
  };
  return told("en", [move, ...deviations], "; ");
}
