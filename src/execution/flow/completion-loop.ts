import { isComplete } from "../../judgment/flow/completion.ts";
import { verdict } from "../../judgment/flow/conditions.ts";
import { fillRetryTemplate } from "../../judgment/flow/retry-template.ts";
import type { RunEvent } from "../../model/events.ts";
import type { CompletionStep } from "../../model/flow/steps-registry.ts";
import { listed, type Message, message, type Statement } from "../../model/message.ts";
import type { Evaluation, ExecutionSummary } from "../../model/records.ts";
import { fillTemplate } from "../../model/template.ts";
import type { RunContext } from "../run-context.ts";
import { announced, conditionedSteps, conditionsOf, type FlowRun, flowFailed } from "./flow-run.ts";
import { type FlowProgress, observe } from "./observe.ts";
import { commonVariables } from "./step-prompt.ts";
import { type ConditionOutcome, runCondition } from "./validators.ts";

/** What the completion loop returns to the flow: done, or what to try next. Nothing else completes a flow. */
export interface CompletionVerdict {
  done: boolean;
  evaluations: Evaluation[];
  reasons: readonly Message[];
  /** Failed attempts so far, by closure step. */
  attempts: Readonly<Record<string, number>>;
  retry_prompt: string | null;
}

export interface CompletionRequest {
  /** The closure steps whose conditions must hold. */
  closures: readonly string[];
  summary: ExecutionSummary;
  attempts: Readonly<Record<string, number>>;
  progress: FlowProgress;
}

/** Checks the conditions, then decides. Runs once: a retry is the flow's next iteration. */
export async function* completionLoop(
  context: RunContext,
  run: FlowRun,
  request: CompletionRequest,
): AsyncGenerator<RunEvent, CompletionVerdict> {
  const { outcomes, failures } = yield* checkConditions(context, run, request);
  const { summary, progress, attempts } = request;
  const evaluations = outcomes.map((outcome, index) => evaluationOf(outcome, index + 1));
  const refused = refusal(context, run, { request, failures, evaluations });
  if (refused) return refused;
  const { observation, evaluations: judged, remarks } = yield* observe(context, run, { progress, summary });
  const { complete, reasons } = isComplete(run.definition.agent.runner.completion, observation);
  // Without a closing signal, the worker need not be told that completion has not come yet.
  const advice = [...(progress.terminal ? [context.tell(listed(reasons))] : []), ...remarks].join("\n");
  return {
    done: complete,
    evaluations: [...evaluations, ...judged].map((evaluation, index) => ({ ...evaluation, id: index + 1 })),
    reasons,
    attempts,
    retry_prompt: complete || advice === "" ? null : advice,
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
  { closures, summary }: CompletionRequest,
): AsyncGenerator<RunEvent, { outcomes: ConditionOutcome[]; failures: FailedClosure[] }> {
  const { iteration } = summary;
  yield* announced(conditionsOf(run, closures).map(({ validator }) => validator));
  yield { type: "phase-start", phase: "check", iteration };
  const outcomes: ConditionOutcome[] = [];
  const failures: FailedClosure[] = [];
  for (const [closure, { completionConditions, onFailure }] of conditionedSteps(run, closures)) {
    const failed: ConditionOutcome[] = [];
    for (const condition of completionConditions) {
      const outcome = yield* runCondition(context, run, { condition, summary });
      outcomes.push(outcome);
      if (!outcome.passed) failed.push(outcome);
      yield { type: "check-end", iteration, evaluation: evaluationOf(outcome, outcomes.length) };
    }
    if (failed.length > 0) failures.push({ closure, onFailure, failed });
  }
  return { outcomes, failures };
}

interface CheckedConditions {
  request: CompletionRequest;
  failures: readonly FailedClosure[];
  evaluations: Evaluation[];
}

/** Sends the worker back, or throws where that cannot help; undefined where the definition lets the failures pass. */
function refusal(
  context: RunContext,
  run: FlowRun,
  { request, failures, evaluations }: CheckedConditions,
): CompletionVerdict | undefined {
  const { summary, progress } = request;
  const { iteration } = summary;
  const decided = failures.map((failure) => {
    const attempts = (request.attempts[failure.closure] ?? 0) + 1;
    return { ...failure, attempts, decision: verdict(failure.failed, failure.onFailure, attempts) };
  });
  const aborting = decided.find(({ decision }) => decision === "abort");
  if (aborting) {
    const problem = listed(
      aborting.failed.map((one) => failureOf(one, findings(one))),
      "\n",
    );
    throw flowFailed("FAILED_COMPLETION_CONDITIONS", { step: aborting.closure, iteration, problem });
  }
  const retried = decided.filter(({ decision }) => decision === "retry");
  const [first] = retried;
  if (!first) return undefined;
  const failed = retried.flatMap((failure) => failure.failed);
  const variables = commonVariables(context, run, { iteration: iteration + 1, checks: progress.checks, summary });
  const retry_prompt = retryPrompt(context, run, { closure: first.closure, failed, variables });
  const counted = Object.fromEntries(retried.map((failure) => [failure.closure, failure.attempts]));
  const reasons = failed.map((one) => failureOf(one, one.outcome ?? one.evidence));
  return { done: false, evaluations, reasons, attempts: { ...request.attempts, ...counted }, retry_prompt };
}

function failureOf({ validator }: ConditionOutcome, problem: Statement): Message {
  return message("condition_failed", { validator, problem });
}

/** How the condition came out, then the quoted evidence. */
function findings({ outcome, evidence }: ConditionOutcome): Statement {
  return listed([...(outcome ? [outcome] : []), ...(evidence ? [evidence] : [])], "\n");
}

function evaluationOf({ validator, passed, outcome, evidence }: ConditionOutcome, id: number): Evaluation {
  return {
    id,
    criterion: validator,
    is_met: passed,
    evidence,
    ...(outcome && { outcome }),
    confidence: 1,
    source: "command",
  };
}

interface RetryInputs {
  closure: string;
  failed: readonly ConditionOutcome[];
  /** For `{uv-…}` in the author's own text; values that validators found are never expanded. */
  variables: Readonly<Record<string, string>>;
}

/** The prompt of the first failure's pattern, f_failed.md, or a plain list of the failures. */
function retryPrompt({ tell }: RunContext, run: FlowRun, { closure, failed, variables }: RetryInputs): string {
  const { retryPrompts } = run.definition;
  const [first] = failed;
  const template = retryPrompts[`${closure}/${first?.failurePattern ?? ""}`] ?? retryPrompts[`${closure}/`];
  const found = failed.map((one) => ({ ...one, evidence: tell(findings(one)) }));
  const list = found.map(({ validator, evidence }) => `- ${validator}: ${evidence}`).join("\n");
  const rendered =
    template &&
    fillRetryTemplate(template.text, paramsOf(found), (text) => fillTemplate({ ...template, text }, variables));
  if (typeof rendered !== "string") return `Completion was refused. What failed:\n\n${list}`;
  return failed.length === 1 ? rendered : `${rendered}\n\nAll that failed:\n\n${list}`;
}

/** What every retry prompt may use, and the validators' own parameters; of two with the same name, the first one's. */
function paramsOf(failed: readonly ConditionOutcome[]): Record<string, unknown> {
  const [first] = failed;
  return Object.assign(
    {
      validator: first?.validator,
      validators: failed.map(({ validator }) => validator),
      evidence: first?.evidence,
      reason: first?.evidence,
    },
    ...failed.map(({ params }) => params).reverse(),
  );
}
