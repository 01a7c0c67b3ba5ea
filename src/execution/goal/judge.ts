import { objections } from "../../judgment/judge-answer.ts";
import { formerWord, hasNewEvidence } from "../../judgment/new-evidence.ts";
import { decide, type Evidence } from "../../judgment/verdict.ts";
import type { RunEvent } from "../../model/events.ts";
import { message } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import type { Evaluation, ExecutionSummary, Judgment, JudgmentRecord } from "../../model/records.ts";
import { JudgmentResult } from "../../model/roles.ts";
import type { AcceptedEvidence, RunState } from "../../model/state.ts";
import { fillTemplate } from "../../model/template.ts";
import { type Answered, answerTo, NO_ANSWER, type RoleRequest } from "../answer.ts";
import { acceptedList, earlierRecords } from "../prompt/accepted.ts";
import { changedFilesList, checkResults, ownSentences, ownTask, summaryText } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";
import { CheckRun } from "./checks.ts";
import { type Goal, goalOf, semanticCount } from "./goal.ts";

/** Judges the recorded work against the task's own criteria. */
export async function* concludeIteration(
  context: RunContext,
  { summary, state, checks }: { summary: ExecutionSummary; state: RunState; checks: CheckRun },
): AsyncGenerator<RunEvent, JudgmentRecord> {
  const former = await standingWord(context, summary, state);
  const material = { summary, checks, accepted: state.accepted, ...(former && { former }) };
  const judgment = yield* judgeCriteria(context, goalOf(context.ports.store.task), material);
  return {
    type: "judgment",
    iteration: summary.iteration,
    ...judgment,
    timestamp: context.ports.clock.now().toISOString(),
  };
}

/** What is judged: the recorded work, its checks, and evidence that was accepted earlier. */
interface Material {
  summary: ExecutionSummary;
  checks: CheckRun;
  accepted: readonly AcceptedEvidence[];
  /** What the judge has said of the very same work. It is not asked again. */
  former?: FormerWord;
}

interface FormerWord {
  judge: JudgmentResult;
  iteration: number;
}

async function standingWord(
  { ports: { store, workspace } }: RunContext,
  summary: ExecutionSummary,
  { judged, judgment }: RunState,
): Promise<FormerWord | undefined> {
  if (!judgment || !judged || !summary.is_unchanged) return undefined;
  const { start } = store.task;
  const changes = start && summary.snapshot ? await workspace.changes(start, summary.snapshot) : undefined;
  if (hasNewEvidence({ judged, summary, has_changed_files: (changes ?? []).length > 0 })) return undefined;
  const judge = formerWord(judgment);
  return judge && { judge, iteration: judged.iteration };
}

/** Gathers evidence from the checks and, for semantic criteria, from the judge. The pure verdict decides. */
async function* judgeCriteria(
  context: RunContext,
  goal: Goal,
  { summary, checks: running, accepted, former }: Material,
): AsyncGenerator<RunEvent, Judgment> {
  running.start(goal.criteria);
  const checks = yield* running.finish();
  const evidence: Evidence = { checks };
  if (former && semanticCount(goal.criteria) > 0) {
    const { reasons = [], ...judgment } = decide(goal.criteria, { checks, judge: former.judge });
    return { ...judgment, reasons: [...reasons, message("not_judged_again", { iteration: former.iteration })] };
  }
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
  { summary, suspects = [] }: { summary: ExecutionSummary; suspects?: readonly string[] },
): AsyncGenerator<RunEvent, Judgment> {
  const checks = new CheckRun(context, summary.iteration, { suspects });
  try {
    return yield* judgeCriteria(context, goal, { summary, checks, accepted: [] });
  } finally {
    await checks.close();
  }
}

/** What a judge sees who is asked afresh. */
interface FreshMaterial {
  summary: ExecutionSummary;
  /** As they came out in the proof. */
  checks: readonly Evaluation[];
  /** The work of earlier iterations that the claim rests on, too. */
  earlier?: readonly ExecutionSummary[];
}

/** Asks a judge who sees the records and the checks of the proof, and nothing of the judgment that made the claim. */
export async function* judgeAfresh(
  context: RunContext,
  goal: Goal,
  { summary, checks, earlier = [] }: FreshMaterial,
): AsyncGenerator<RunEvent, Judgment> {
  const { value, problem } = yield* askJudge(context, goal, { summary, checks, earlier });
  if (problem) yield { type: "notice", notice: notice("role_failed", { role: "judge", problem }) };
  return decide(goal.criteria, { checks, ...(value ? { judge: value } : { judge_problem: problem ?? NO_ANSWER }) });
}

async function* askJudge(
  context: RunContext,
  goal: Goal,
  { summary, checks, accepted = [], earlier = [] }: FreshMaterial & { accepted?: readonly AcceptedEvidence[] },
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
        task: ownTask(goal),
        criteria: ownSentences(goal),
        checks: checkResults(goal.criteria, checks, tell),
        accepted: acceptedList(accepted),
        earlier: earlierRecords(earlier, tell),
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
