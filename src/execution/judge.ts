import { objections } from "../judgment/judge-answer.ts";
import { decide, type Evidence } from "../judgment/verdict.ts";
import type { RunEvent } from "../model/events.ts";
import type { Evaluation, ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import { JudgmentResult } from "../model/roles.ts";
import { fillTemplate } from "../model/template.ts";
import { type Answered, answerTo } from "./answer.ts";
import { runChecks } from "./checks.ts";
import { goalOf, semanticCount } from "./goal.ts";
import type { RunContext } from "./run-context.ts";
import { checkResults, semanticList, summaryText } from "./texts.ts";

/** Gathers evidence (the commands, then the judge where a criterion needs one) and lets the pure verdict decide. */
export async function* concludeIteration(
  context: RunContext,
  summary: ExecutionSummary,
): AsyncGenerator<RunEvent, JudgmentRecord> {
  const { criteria } = goalOf(context.ports.files.task);
  const checks = yield* runChecks(context, summary.iteration);
  const evidence: Evidence = { checks };
  if (semanticCount(criteria) > 0) {
    const { value, problem } = yield* askJudge(context, summary, checks);
    if (value) evidence.judge = value;
    else evidence.judge_problem = problem ?? "no answer";
  }
  return {
    type: "judgment",
    iteration: summary.iteration,
    ...decide(criteria, evidence, context.phrases),
    timestamp: context.ports.clock.now().toISOString(),
  };
}

async function* askJudge(
  context: RunContext,
  summary: ExecutionSummary,
  checks: readonly Evaluation[],
): AsyncGenerator<RunEvent, Answered<JudgmentResult>> {
  const { configuration, phrases, ports, prompts } = context;
  const goal = goalOf(ports.files.task);
  const checksPassed = checks.every((check) => check.is_met);
  yield { type: "phase-start", phase: "judge", iteration: summary.iteration };
  return yield* answerTo(context, {
    role: "judge",
    iteration: summary.iteration,
    system_prompt: fillTemplate(prompts.judge, {
      guidance: configuration.prompts.judgment ?? prompts["judge-guidance"].text.trim(),
    }),
    prompt: (objection) =>
      fillTemplate(prompts["judge-question"], {
        task: goal.task,
        criteria: semanticList(goal.criteria, phrases),
        checks: checkResults(goal.criteria, checks, phrases),
        iteration: String(summary.iteration),
        summary: summaryText(summary, summary.reason),
        objection,
      }),
    schema: JudgmentResult,
    max_turns: configuration.claude_options.max_turns.judgment,
    objections: (answer) => objections(goal.criteria, answer, checksPassed),
  });
}
