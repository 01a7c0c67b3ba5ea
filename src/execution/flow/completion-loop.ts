import { isComplete } from "../../judgment/flow/completion.ts";
import { verdict } from "../../judgment/flow/conditions.ts";
import type { RunEvent } from "../../model/events.ts";
import type { CompletionStep } from "../../model/flow/steps-registry.ts";
import type { Evaluation, ExecutionSummary } from "../../model/records.ts";
import { retoldInAll, type Told, told } from "../../model/telling.ts";
import type { RunContext } from "../run-context.ts";
import { announced, conditionedSteps, conditionsOf } from "./conditions.ts";
import { type FlowRun, flowFailed } from "./flow-run.ts";
import { observe, type Seen } from "./observe.ts";
import { retryPrompt } from "./retry-prompt.ts";
import { commonVariables } from "./step-prompt.ts";
import { type ConditionOutcome, runCondition } from "./validators.ts";

/** What the completion loop returns to the flow: done, or what to try next. Nothing else completes an agent. */
export interface CompletionVerdict {
  done: boolean;
  evaluations: Evaluation[];
  reason: Told;
  /** Failed attempts so far, by closure step. */
  attempts: Readonly<Record<string, number>>;
  retry_prompt: string | null;
}

export interface CompletionMatter {
  /** The closure steps whose conditions must hold. */
  closures: readonly string[];
  summary: ExecutionSummary;
  attempts: Readonly<Record<string, number>>;
  /** What is known about the flow for the completion type to decide on. */
  seen: Seen;
}

/** Validation, then the verdict: once, not a while. The closure step's own reply was the prompt stage. */
export async function* completionLoop(
  context: RunContext,
  run: FlowRun,
  matter: CompletionMatter,
): AsyncGenerator<RunEvent, CompletionVerdict> {
  const { results, failures } = yield* checked(context, run, matter);
  const { summary } = matter;
  const evaluations = results.map((result, index) => evaluationOf(result, index + 1));
  const refused = refusal(context, run, { matter, failures, evaluations });
  if (refused) return refused;
  const { observation, evaluations: judged, remarks } = yield* observe(context, run, { seen: matter.seen, summary });
  const { complete, reason } = isComplete(run.definition.agent.runner.completion, observation);
  const { attempts } = matter;
  // Where nobody signalled the end, that it has not come yet is no news.
  const said = [...(matter.seen.terminal ? [reason.en] : []), ...remarks].join("\n");
  return {
    done: complete,
    evaluations: [...evaluations, ...judged].map((evaluation, index) => ({ ...evaluation, id: index + 1 })),
    reason: told("en", [reason], ""),
    attempts,
    retry_prompt: complete || said === "" ? null : said,
  };
}

interface Checked {
  results: ConditionOutcome[];
  failures: Failure[];
}

/** Conditions that did not hold, with what their closure step says of that. */
interface Failure {
  closure: string;
  onFailure: CompletionStep["onFailure"];
  failed: ConditionOutcome[];
}

async function* checked(
  context: RunContext,
  run: FlowRun,
  { closures, summary }: CompletionMatter,
): AsyncGenerator<RunEvent, Checked> {
  const { iteration } = summary;
  yield* announced(conditionsOf(run, closures).map(({ validator }) => validator));
  yield { type: "phase-start", phase: "check", iteration };
  const results: ConditionOutcome[] = [];
  const failures: Failure[] = [];
  for (const [closure, { completionConditions, onFailure }] of conditionedSteps(run, closures)) {
    const failed: ConditionOutcome[] = [];
    for (const condition of completionConditions) {
      const result = yield* runCondition(context, run, { condition, summary });
      results.push(result);
      if (!result.passed) failed.push(result);
      yield { type: "check-end", iteration, evaluation: evaluationOf(result, results.length) };
    }
    if (failed.length > 0) failures.push({ closure, onFailure, failed });
  }
  return { results, failures };
}

interface Refused {
  matter: CompletionMatter;
  failures: readonly Failure[];
  evaluations: Evaluation[];
}

/** Back to the worker, or the end; undefined where the definition says that what failed does not hold it up. */
function refusal(
  context: RunContext,
  run: FlowRun,
  { matter, failures, evaluations }: Refused,
): CompletionVerdict | undefined {
  const { summary, seen } = matter;
  const { iteration } = summary;
  const decided = failures.map((failure) => {
    const attempts = (matter.attempts[failure.closure] ?? 0) + 1;
    return { ...failure, attempts, decision: verdict(failure.failed, failure.onFailure, attempts) };
  });
  const aborting = decided.find(({ decision }) => decision === "abort");
  if (aborting) {
    const problem = retoldInAll(reasonOf(aborting.failed));
    throw flowFailed("FAILED_COMPLETION_CONDITIONS", { step: aborting.closure, iteration, problem });
  }
  const retried = decided.filter(({ decision }) => decision === "retry");
  const [first] = retried;
  if (!first) return undefined;
  const failed = retried.flatMap((failure) => failure.failed);
  const variables = commonVariables(context, run, { iteration: iteration + 1, checks: seen.checks, summary });
  const retry_prompt = retryPrompt(run.definition, { closure: first.closure, failed, variables });
  const attempts = Object.fromEntries(retried.map((failure) => [failure.closure, failure.attempts]));
  const counted = { ...matter.attempts, ...attempts };
  return { done: false, evaluations, reason: reasonOf(failed), attempts: counted, retry_prompt };
}

function reasonOf(failed: readonly ConditionOutcome[]): Told {
  return {
    text: failed.map(({ validator, evidence }) => `${validator}: ${evidence}`).join("\n"),
    wordings: failed.flatMap(({ wordings = [] }) => wordings),
  };
}

function evaluationOf({ validator, passed, evidence, wordings }: ConditionOutcome, id: number): Evaluation {
  const ours = wordings && { wordings };
  return { id, criterion: validator, is_met: passed, evidence, confidence: 1, source: "command", ...ours };
}
