import { isComplete } from "../../judgment/flow/completion.ts";
import { verdict } from "../../judgment/flow/conditions.ts";
import type { CompletionStep } from "../../model/definition/steps-registry.ts";
import type { RunEvent } from "../../model/events.ts";
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
  const { summary } = matter;
  const conditions = conditionsOf(run, matter.closures);
  yield* announced(conditions.map(({ validator }) => validator));
  yield { type: "phase-start", phase: "check", iteration: summary.iteration };
  const results: ConditionOutcome[] = [];
  for (const condition of conditions) {
    const result = yield* runCondition(context, run, { condition, summary });
    results.push(result);
    yield { type: "check-end", iteration: summary.iteration, evaluation: evaluationOf(result, results.length) };
  }
  const evaluations = results.map((result, index) => evaluationOf(result, index + 1));
  const failed = results.filter((result) => !result.passed);
  const [conditioned] = conditionedSteps(run, matter.closures); // without one there was nothing to fail
  const refused =
    conditioned && failed.length > 0 && refusal(context, run, { conditioned, matter, failed, evaluations });
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

interface Failure {
  conditioned: [closure: string, CompletionStep];
  matter: CompletionMatter;
  failed: ConditionOutcome[];
  evaluations: Evaluation[];
}

/** Back to the worker, or the end; undefined where the definition says that failed conditions do not hold it up. */
function refusal(
  context: RunContext,
  run: FlowRun,
  { conditioned: [closure, { onFailure }], matter, failed, evaluations }: Failure,
): CompletionVerdict | undefined {
  const attempts = (matter.attempts[closure] ?? 0) + 1;
  const decision = verdict(failed, onFailure, attempts);
  const reason = {
    text: failed.map(({ validator, evidence }) => `${validator}: ${evidence}`).join("\n"),
    wordings: failed.flatMap(({ wordings = [] }) => wordings),
  };
  const { summary, seen } = matter;
  const { iteration } = summary;
  if (decision === "abort")
    throw flowFailed("FAILED_COMPLETION_CONDITIONS", { step: closure, iteration, problem: retoldInAll(reason) });
  if (decision === "skip") return undefined;
  const variables = commonVariables(context, run, { iteration: iteration + 1, checks: seen.checks, summary });
  const retry_prompt = retryPrompt(run.definition, { closure, failed, variables });
  return { done: false, evaluations, reason, attempts: { ...matter.attempts, [closure]: attempts }, retry_prompt };
}

function evaluationOf({ validator, passed, evidence, wordings }: ConditionOutcome, id: number): Evaluation {
  const ours = wordings && { wordings };
  return { id, criterion: validator, is_met: passed, evidence, confidence: 1, source: "command", ...ours };
}
