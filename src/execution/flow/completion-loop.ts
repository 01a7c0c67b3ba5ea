import { isComplete, unsaidIn } from "../../judgment/flow/completion.ts";
import { type ConditionsVerdict, verdict } from "../../judgment/flow/conditions.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import type { CompletionStep } from "../../model/flow/steps-registry.ts";
import { listed, type Message, message, type Statement } from "../../model/message.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { Halt } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { announced, conditionedSteps, conditionsOf, type FlowRun, flowFailed } from "./flow-run.ts";
import { type FlowProgress, observe } from "./observe.ts";
import { findings, retryPrompt } from "./retry-prompt.ts";
import { closureVariables } from "./step-prompt.ts";
import { type ConditionOutcome, surelyRun } from "./validators.ts";

/** What the completion loop returns to the flow: done, or what to try next. Nothing else completes a flow. */
export interface CompletionVerdict {
  done: boolean;
  reasons: readonly Message[];
  /** Failed attempts so far, by closure step. */
  attempts: Readonly<Record<string, number>>;
  retry_prompt: string | null;
  /** The signal that completion waits for, where it waits for one. */
  closing_hint: string | undefined;
  /** Ends the run: the conditions have failed as often as they may. */
  halt?: Halt;
}

export interface CompletionRequest {
  /** The closure steps whose conditions must hold. */
  closures: readonly string[];
  summary: ExecutionSummary;
  attempts: Readonly<Record<string, number>>;
  /** Of an earlier refusal. */
  closing_hint: string | undefined;
  progress: FlowProgress;
  /** The names of checks that have failed on the same files. */
  suspects: readonly string[];
  /** Filled with what is found, as it is found: an error on the way loses none of it. */
  evaluations: Evaluation[];
}

/** Checks the conditions, then decides. Runs once: a retry is the flow's next iteration. */
export async function* completionLoop(
  context: RunContext,
  run: FlowRun,
  request: CompletionRequest,
): AsyncGenerator<RunEvent, CompletionVerdict> {
  const failures = yield* checkConditions(context, run, request);
  const refused = refusal(context, run, { request, failures });
  if (refused) return refused;
  const { summary, progress, attempts, evaluations } = request;
  const {
    observation,
    evaluations: judged,
    remarks,
  } = yield* observe(context, run, {
    progress,
    summary,
    suspects: request.suspects,
  });
  for (const evaluation of judged) evaluations.push({ ...evaluation, id: evaluations.length + 1 });
  const result = isComplete(run.definition.agent.runner.completion, observation);
  const { complete, reasons } = result;
  // Without a closing signal, the worker need not be told that completion has not come yet.
  const advice = [...(progress.terminal ? [context.tell(listed(reasons))] : []), ...remarks].join("\n");
  const unsaid = unsaidIn(result);
  return {
    done: complete,
    reasons,
    attempts,
    retry_prompt: complete || advice === "" ? null : advice,
    closing_hint: unsaid.length > 0 ? `Completion was refused: ${context.tell(listed(unsaid))}.` : undefined,
  };
}

/** The conditions of one closure step that did not hold. */
interface FailedClosure {
  closure: string;
  onFailure: CompletionStep["onFailure"];
  failed: ConditionOutcome[];
}

async function* checkConditions(
  context: RunContext,
  run: FlowRun,
  request: CompletionRequest,
): AsyncGenerator<RunEvent, FailedClosure[]> {
  const { closures, summary, progress, evaluations, suspects } = request;
  const { iteration } = summary;
  const { handoff } = progress;
  yield* announced(conditionsOf(run, closures).map(({ validator }) => validator));
  yield { type: "phase-start", phase: "check", iteration };
  const failures: FailedClosure[] = [];
  for (const [closure, { completionConditions, onFailure }] of conditionedSteps(run, closures)) {
    const variables = variablesFor(context, run, { request, closure });
    const failed: ConditionOutcome[] = [];
    for (const condition of completionConditions) {
      const outcome = yield* surelyRun(context, run, { condition, summary, handoff, variables, suspects });
      const evaluation = evaluationOf(outcome, evaluations.length + 1);
      evaluations.push(evaluation);
      if (!outcome.passed) failed.push(outcome);
      yield { type: "check-end", iteration, evaluation };
    }
    if (failed.length > 0) failures.push({ closure, onFailure, failed });
  }
  return failures;
}

function variablesFor(
  context: RunContext,
  run: FlowRun,
  { request: { summary, progress }, closure }: { request: CompletionRequest; closure: string },
): Record<string, string> {
  const { checks, handoff } = progress;
  return closureVariables(context, run, { closure, handoff, iteration: summary.iteration + 1, checks, summary });
}

interface CheckedConditions {
  request: CompletionRequest;
  failures: readonly FailedClosure[];
}

/** Sends the worker back, for the last time where it has failed too often; undefined where the definition lets the failures pass. */
function refusal(
  context: RunContext,
  run: FlowRun,
  { request, failures }: CheckedConditions,
): CompletionVerdict | undefined {
  const decided = failures.map((failure): DecidedFailure => {
    const attempts = (request.attempts[failure.closure] ?? 0) + 1;
    return { ...failure, attempts, decision: verdict(failure.failed, failure.onFailure, attempts) };
  });
  const refused = decided.filter(({ decision }) => decision !== "skip");
  const [first] = refused;
  if (!first) return undefined;
  const halt = haltFor(decided, request.summary);
  const failed = refused.flatMap((failure) => failure.failed);
  const variables = variablesFor(context, run, { request, closure: first.closure });
  const counted = Object.fromEntries(refused.map((failure) => [failure.closure, failure.attempts]));
  return {
    done: false,
    reasons: failed.map((one) => failureOf(one, one.outcome ?? one.evidence)),
    attempts: { ...request.attempts, ...counted },
    retry_prompt: retryPrompt(context, run, { closure: first.closure, failed, variables }),
    closing_hint: request.closing_hint,
    ...(halt && { halt }),
  };
}

interface DecidedFailure extends FailedClosure {
  attempts: number;
  decision: ConditionsVerdict;
}

/** Work that fails its conditions too often has failed. Throws where no work could pass: the definition is at fault. */
function haltFor(decided: readonly DecidedFailure[], { iteration }: ExecutionSummary): Halt | undefined {
  const aborting = decided.find(({ decision }) => decision === "abort");
  if (!aborting) return undefined;
  const { closure: step, failed } = aborting;
  const failures = failed.map((one) => failureOf(one, findings(one)));
  const recoverable = !failed.some(({ unrecoverable }) => unrecoverable);
  const where = { step, iteration, problem: listed(failures, "\n"), recoverable };
  const error = flowFailed("FAILED_COMPLETION_CONDITIONS", where);
  if (!recoverable) throw error;
  return new Halt({ stop_reason: "conditions_failed", error });
}

function failureOf({ validator }: ConditionOutcome, problem: Statement): Message {
  return message("condition_failed", { validator, problem });
}

export function evaluationOf(condition: ConditionOutcome, id: number): Evaluation {
  const { validator, passed, outcome, evidence, passes, is_flaky } = condition;
  return {
    id,
    criterion: validator,
    is_met: passed,
    evidence,
    ...(outcome && { outcome }),
    ...(passes && { passes }),
    ...(is_flaky && { is_flaky }),
    confidence: 1,
    source: "command",
  };
}
