import { objections } from "../judgment/judge-answer.ts";
import { decide, type Evidence } from "../judgment/verdict.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { Evaluation, ExecutionSummary, Judgment, JudgmentRecord } from "../model/records.ts";
import { JudgmentResult } from "../model/roles.ts";
import { fillTemplate } from "../model/template.ts";
import { type Answered, answerTo, NO_ANSWER, type Office } from "./answer.ts";
import { beginChecks, type Checks, followChecks } from "./checks.ts";
import { type Goal, goalOf, semanticCount } from "./goal.ts";
import type { RunContext } from "./run-context.ts";
import { checkResults, quoted, semanticList, summaryText } from "./texts.ts";

/** Judges the recorded work against the task's own criteria. */
export async function* concludeIteration(
  context: RunContext,
  summary: ExecutionSummary,
  checks?: Checks,
): AsyncGenerator<RunEvent, JudgmentRecord> {
  const judgment = yield* judgeCriteria(context, goalOf(context.ports.files.task), { summary, checks });
  return {
    type: "judgment",
    iteration: summary.iteration,
    ...judgment,
    timestamp: context.ports.clock.now().toISOString(),
  };
}

/**
 * Gathers evidence (the commands, unless they are running already, then the judge where a criterion needs one) and lets the pure
 * verdict decide.
 */
export async function* judgeCriteria(
  context: RunContext,
  goal: Goal,
  { summary, checks: begun }: { summary: ExecutionSummary; checks?: Checks | undefined },
): AsyncGenerator<RunEvent, Judgment> {
  const checks = yield* followChecks(context, begun ?? beginChecks(context, goal.criteria, summary.iteration));
  const evidence: Evidence = { checks };
  if (semanticCount(goal.criteria) > 0) {
    const { value, problem } = yield* askJudge(context, goal, { summary, checks });
    if (problem) yield { type: "notice", notice: notice("role_failed", { role: "judge", problem }) };
    if (value) evidence.judge = value;
    else evidence.judge_problem = problem ?? NO_ANSWER;
  }
  return decide(goal.criteria, evidence, context.phrases);
}

async function* askJudge(
  context: RunContext,
  goal: Goal,
  { summary, checks }: { summary: ExecutionSummary; checks: readonly Evaluation[] },
): AsyncGenerator<RunEvent, Answered<JudgmentResult>> {
  const { phrases, prompts } = context;
  const checksPassed = checks.every((check) => check.is_met);
  yield { type: "phase-start", phase: "judge", iteration: summary.iteration };
  return yield* answerTo(context, {
    ...judgeOffice(context),
    iteration: summary.iteration,
    prompt: (objection) =>
      fillTemplate(prompts["judge-question"], {
        task: goal.task,
        criteria: semanticList(goal.criteria, phrases),
        checks: checkResults(goal.criteria, checks, phrases),
        iteration: String(summary.iteration),
        summary: quoted(summaryText(summary, summary.reason)),
        objection,
      }),
    objections: (answer) => objections(goal.criteria, answer, checksPassed),
  });
}

export function judgeOffice({ configuration, prompts }: RunContext): Office<JudgmentResult> {
  const guidance = configuration.prompts.judgment ?? prompts["judge-guidance"].text.trim();
  return {
    role: "judge",
    system_prompt: fillTemplate(prompts.judge, { guidance }),
    schema: JudgmentResult,
  };
}
