import { objections } from "../../judgment/judge-answer.ts";
import { type JudgeAnswer, saysComplete } from "../../judgment/judges.ts";
import { formerWords, hasNewEvidence } from "../../judgment/new-evidence.ts";
import { decide, type Evidence } from "../../judgment/verdict.ts";
import { judgesOf } from "../../model/configuration.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import { listed, message, type Statement } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import type { ExecutionSummary, Judgment, JudgmentRecord } from "../../model/records.ts";
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
  /** What the judges have said of the very same work. They are not asked again. */
  former?: FormerWord;
}

interface FormerWord {
  judges: JudgeAnswer[];
  overall_reason: string;
  iteration: number;
}

async function standingWord(
  { ports: { store, workspace }, configuration }: RunContext,
  summary: ExecutionSummary,
  { judged, judgment }: RunState,
): Promise<FormerWord | undefined> {
  if (!judgment || !judged || !summary.is_unchanged) return undefined;
  const { start } = store.task;
  const changes = start && summary.snapshot ? await workspace.changes(start, summary.snapshot) : undefined;
  if (hasNewEvidence({ judged, summary, has_changed_files: (changes ?? []).length > 0 })) return undefined;
  const judges = formerWords(judgment, judgesOf(configuration));
  return judges && { judges, overall_reason: judgment.overall_reason, iteration: judged.iteration };
}

/** Gathers evidence from the checks and, for semantic criteria, from the judges. The pure verdict decides. */
async function* judgeCriteria(
  context: RunContext,
  goal: Goal,
  { summary, checks: running, accepted, former }: Material,
): AsyncGenerator<RunEvent, Judgment> {
  running.start(goal.criteria);
  const checks = yield* running.finish();
  if (semanticCount(goal.criteria) === 0) return decide(goal.criteria, { checks });
  if (former) {
    const { judges, overall_reason, iteration } = former;
    const { reasons = [], ...judgment } = decide(goal.criteria, { checks, judges });
    return { ...judgment, overall_reason, reasons: [...reasons, message("not_judged_again", { iteration })] };
  }
  return decide(goal.criteria, yield* askJudges(context, goal, { summary, checks, accepted }));
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
  return decide(goal.criteria, yield* askJudges(context, goal, { summary, checks, earlier }));
}

/** The records as one judge sees them, or several. */
interface JudgedMaterial extends FreshMaterial {
  accepted?: readonly AcceptedEvidence[];
}

/** One judge after the other until one does not call the task complete: they must all agree, so the others could not change that. */
async function* askJudges(
  context: RunContext,
  goal: Goal,
  material: JudgedMaterial,
): AsyncGenerator<RunEvent, Evidence> {
  const { checks } = material;
  const models = judgesOf(context.configuration);
  const judges: JudgeAnswer[] = [];
  let judge_problem: Statement | undefined;
  for (const model of models) {
    // The first one is the role's own model, for which agents get ready.
    const other = judges.length > 0 ? { model } : {};
    const { value, problem, answered_by: name = model } = yield* askJudge(context, goal, { ...material, ...other });
    judges.push({ model: name, ...(value && { answer: value }) });
    if (problem) yield { type: "notice", notice: notice("role_failed", { role: "judge", problem }) };
    if (!value) judge_problem = models.length > 1 ? byModel(name, problem) : (problem ?? NO_ANSWER);
    if (!saysComplete(value)) break;
  }
  const unasked = models.slice(judges.length);
  return { checks, judges, unasked, ...(judge_problem !== undefined && { judge_problem }) };
}

function byModel(model: string, problem: Statement = NO_ANSWER): Statement {
  return listed([model, problem], ": ");
}

async function* askJudge(
  context: RunContext,
  goal: Goal,
  { summary, checks, accepted = [], earlier = [], model }: JudgedMaterial & { model?: string },
): AsyncGenerator<RunEvent, Answered<JudgmentResult>> {
  const { prompts, tell } = context;
  const checksPassed = checks.every((check) => check.is_met);
  const changes = await changesText(context, summary);
  yield { type: "phase-start", phase: "judge", iteration: summary.iteration };
  return yield* answerTo(context, {
    ...judgeRequest(context),
    ...(model !== undefined && { model }),
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
