import { objections } from "../../judgment/judge-answer.ts";
import { decide, type Evidence } from "../../judgment/verdict.ts";
import type { RunEvent } from "../../model/events.ts";
import { notice } from "../../model/notices.ts";
import type { Evaluation, ExecutionSummary, Judgment, JudgmentRecord } from "../../model/records.ts";
import { JudgmentResult } from "../../model/roles.ts";
import type { AcceptedEvidence } from "../../model/state.ts";
import { fillTemplate } from "../../model/template.ts";
import { type Answered, answerTo, NO_ANSWER, type RoleRequest } from "../answer.ts";
import { acceptedList } from "../prompt/accepted.ts";
import { changedFilesList, checkResults, semanticList, summaryText } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";
import { CheckRun } from "./checks.ts";
import { type Goal, goalOf, semanticCount } from "./goal.ts";

/** Judges the recorded work against the task's own criteria. */
export async function* concludeIteration(
  context: RunContext,
  material: Material,
): AsyncGenerator<RunEvent, JudgmentRecord> {
  const judgment = yield* judgeCriteria(context, goalOf(context.ports.store.task), material);
  return {
    type: "judgment",
    iteration: material.summary.iteration,
    ...judgment,
    timestamp: context.ports.clock.now().toISOString(),
  };
}

/** What is judged: the recorded work, its checks, and evidence that was accepted earlier. */
interface Material {
  summary: ExecutionSummary;
  checks: CheckRun;
  accepted: readonly AcceptedEvidence[];
}

/** Gathers evidence from the checks and, for semantic criteria, from the judge. The pure verdict decides. */
async function* judgeCriteria(
  context: RunContext,
  goal: Goal,
  { summary, checks: running, accepted }: Material,
): AsyncGenerator<RunEvent, Judgment> {
  running.start(goal.criteria);
  const checks = yield* running.finish();
  const evidence: Evidence = { checks };
  if (semanticCount(goal.criteria) > 0) {
    const { value, problem } = yield* askJudge(context, goal, { summary, checks, accepted });
    if (problem) yield { type: "notice", notice: notice("role_failed", { role: "judge", problem }) };
    if (value) evidence.judge = value;
    else evidence.judge_problem = problem ?? NO_ANSWER;
  }
  return decide(goal.criteria, evidence);
}

/** The same with checks of its own, and nothing accepted earlier. */
export async function* judgeAlone(
  context: RunContext,
  goal: Goal,
  summary: ExecutionSummary,
): AsyncGenerator<RunEvent, Judgment> {
  const checks = new CheckRun(context, summary.iteration);
  try {
    return yield* judgeCriteria(context, goal, { summary, checks, accepted: [] });
  } finally {
    await checks.close();
  }
}

/** A judge who has not seen the work before looks at its record and the checks of the proof. */
export async function* judgeAfresh(
  context: RunContext,
  goal: Goal,
  { summary, checks }: { summary: ExecutionSummary; checks: readonly Evaluation[] },
): AsyncGenerator<RunEvent, Judgment> {
  const { value, problem } = yield* askJudge(context, goal, { summary, checks, accepted: [] });
  return decide(goal.criteria, { checks, ...(value ? { judge: value } : { judge_problem: problem ?? NO_ANSWER }) });
}

async function* askJudge(
  context: RunContext,
  goal: Goal,
  { summary, checks, accepted }: Omit<Material, "checks"> & { checks: readonly Evaluation[] },
): AsyncGenerator<RunEvent, Answered<JudgmentResult>> {
  const { prompts, tell } = context;
  const checksPassed = checks.every((check) => check.is_met);
  const changes = await changesText(context, summary);
  yield { type: "phase-start", phase: "judge", iteration: summary.iteration };
  return yield* answerTo(context, {
    ...judgeRequest(context),
    iteration: summary.iteration,
    prompt: (objection) =>
      fillTemplate(prompts["judge-question"], {
        task: goal.task,
        criteria: semanticList(goal.criteria, goal.answers),
        checks: checkResults(goal.criteria, checks, tell),
        accepted: acceptedList(accepted),
        iteration: String(summary.iteration),
        changes,
        summary: summaryText(summary, summary.reason, tell),
        objection,
      }),
    objections: (answer) => objections(goal.criteria, answer, checksPassed),
  });
}

/** What differs from the start, as we see it: whatever the record says, this does not come from a model. */
async function changesText({ ports }: RunContext, { snapshot }: ExecutionSummary): Promise<string> {
  const { start } = ports.store.task;
  const found = start && snapshot ? await ports.workspace.changes(start, snapshot) : undefined;
  return found ? changedFilesList(found) : UNKNOWN;
}

const UNKNOWN = "(not known)";

export function judgeRequest({ configuration, prompts }: RunContext): RoleRequest<JudgmentResult> {
  const guidance = configuration.prompts.judgment ?? prompts["judge-guidance"].text.trim();
  return { role: "judge", system_prompt: fillTemplate(prompts.judge, { guidance }), schema: JudgmentResult };
}
