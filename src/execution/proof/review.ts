import { posix } from "node:path";
import type { IgnoredChange, Place } from "../../connection/ports/workspace.ts";
import { isWrittenByRuns } from "../../judgment/proof/file-kinds.ts";
import { gapsIn, objectionsIn, type ReviewQuestions, reviewOf, unfoundIn } from "../../judgment/proof/review.ts";
import type { ChangedFile } from "../../model/changes.ts";
import { reviewersOf } from "../../model/configuration.ts";
import type { RunEvent } from "../../model/events.ts";
import { listed, type Message, message } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import type {
  ProofRecord,
  ProtectedChange,
  ProvedCheck,
  Review,
  ReviewedCriterion,
  ReviewRecord,
} from "../../model/proof-record.ts";
import { ReviewerResult } from "../../model/roles.ts";
import { fillTemplate } from "../../model/template.ts";
import { everyWorkerOf, workerName } from "../../model/workers.ts";
import { answerTo, NO_ANSWER } from "../answer.ts";
import { lines } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";
import type { Demand } from "./demand.ts";
import { lookUpIn, type QuotedWork, withNames } from "./quoted-files.ts";
import {
  byImportance,
  checkLines,
  diffParts,
  fileList,
  filesText,
  ignoredText,
  namedFirst,
  worthShowing,
} from "./review-prompt.ts";

/** What is reviewed. */
export interface ReviewMaterial {
  iteration: number;
  /** What the user has told the workers. */
  notes: readonly string[];
  start: string | null;
  commit: string | null;
  changes: readonly ChangedFile[];
  ignored: readonly IgnoredChange[];
  protected_changes: readonly ProtectedChange[];
  checks: readonly ProvedCheck[];
  /** Whether a check fails without files that git ignores. */
  rests_on_ignored: boolean;
  /** The reviewers decide about protected files. */
  decides_files: boolean;
  /** The claim is refuted already. */
  is_refuted: boolean;
  place: Place | undefined;
  /** The proof of the claim before this one. */
  earlier: ProofRecord | null;
}

/**
 * Asks the reviewers, one after the other until one objects. Files that an earlier review has refuted are not reviewed again as long as
 * they are the same: a reviewer that errs now and then would be asked until it errs.
 */
export async function* reviewWork(
  context: RunContext,
  demand: Demand,
  material: ReviewMaterial,
): AsyncGenerator<RunEvent, ReviewRecord> {
  const { iteration, start, commit, earlier } = material;
  const missing = reasonForNone(context, demand, material);
  if (missing || start === null || commit === null)
    return { missing: missing ?? message("review_without_snapshot", {}), reviews: [], cut_files: [] };
  const models = reviewersOf(context.configuration);
  const known = [...models, ...everyWorkerOf(context.configuration).map(workerName)];
  if (earlier?.commit === commit && earlier.review && isRefuted(earlier.review, known)) return earlier.review;
  yield { type: "phase-start", phase: "review", iteration };
  const work = quotedWork(context, material, { start, commit });
  const shown = await shownTexts(context, { ...material, demand }, work);
  const reviews: Review[] = [];
  for (const model of models) {
    const review = yield* askInParts(context, { model, material: { ...material, demand }, work, shown });
    reviews.push(review);
    if (review.problem !== undefined)
      yield { type: "notice", notice: notice("role_failed", { role: "reviewer", problem: review.problem }) };
    if (objectionsIn(review).length > 0) break;
  }
  const is_untouched = isUntouched(material);
  return { reviews, cut_files: shown.cut_files.slice(0, MOST_CUT_FILES), ...(is_untouched && { is_untouched }) };
}

const MOST_CUT_FILES = 200;

function isRefuted({ reviews }: ReviewRecord, reviewers: readonly string[]): boolean {
  return reviews.some((one) => reviewers.includes(one.model) && objectionsIn(one).length > 0);
}

/** Why no reviewer is asked. */
function reasonForNone(
  { configuration, has_reviewer }: RunContext,
  { asks_untouched, criteria }: Demand,
  material: ReviewMaterial,
): Message | undefined {
  if (!configuration.review) return message("review_off", {});
  if (!has_reviewer) return message("review_without_model", {});
  if (material.is_refuted) return message("review_not_reached", {});
  const hasSentences = asks_untouched && criteria.length > 0;
  return isUntouched(material) && !hasSentences ? message("review_nothing_changed", {}) : undefined;
}

/** Nobody knows it without snapshots. */
function isUntouched({ start, commit, changes, protected_changes, rests_on_ignored }: ReviewMaterial): boolean {
  if (start === null || commit === null) return false;
  return changes.length === 0 && protected_changes.length === 0 && !rests_on_ignored;
}

function quotedWork(
  { ports }: RunContext,
  { changes, ignored, place }: ReviewMaterial,
  kept: { start: string; commit: string },
): QuotedWork {
  const { project } = ports.store.task;
  return {
    ...kept,
    changed: new Set(changes.map(({ path }) => path)),
    ignored: new Set(ignored.map(({ path }) => path)),
    reads: place ? counterpart(place, project) : project,
  };
}

/** The project in the clean room: names of files are seen from there. */
function counterpart({ root, stands_for, directory }: Place, project: string): string {
  const inside = posix.relative(stands_for, project);
  return inside.startsWith("..") ? directory : posix.join(root, inside);
}

/** The work, and what it is held against. */
interface Reviewed extends ReviewMaterial {
  demand: Demand;
}

/** The parts of the prompt that are the same for all reviewers. */
interface Shown {
  texts: Record<string, string>;
  /** What has changed, in as many parts as it needs. */
  diffs: readonly string[];
  cut_files: string[];
}

async function shownTexts(context: RunContext, material: Reviewed, work: QuotedWork): Promise<Shown> {
  const { workspace } = context.ports;
  const { demand, notes, changes, ignored, protected_changes, checks, rests_on_ignored } = material;
  const isProtected = new Set(protected_changes.map(({ path }) => path));
  const diff = isUntouched(material)
    ? await filesAsTheyAre(context, material, work)
    : await shownDiff(context, material, work);
  const made = ignored.filter(({ path, status }) => status !== "deleted" && !isWrittenByRuns(path));
  const paths = made
    .map(({ path }) => path)
    .sort((left, right) => Number(isProtected.has(right)) - Number(isProtected.has(left)));
  const isAsked = rests_on_ignored || paths.some((path) => isProtected.has(path));
  const looks = isAsked ? await workspace.look(paths, IGNORED_CHARACTERS) : [];
  return {
    cut_files: diff.cut_files,
    diffs: diff.texts,
    texts: {
      task: [demand.task, ...notes.map((note) => `Added by the user during the work: ${note}`)].join("\n\n"),
      criteria: demand.sentences,
      checks: checkLines(checks),
      may_change: lines(context.configuration.may_change),
      files: fileList(changes, protected_changes),
      ignored: ignoredText(paths, looks, rests_on_ignored),
    },
  };
}

async function shownDiff(
  { ports: { workspace } }: RunContext,
  { changes, protected_changes }: Reviewed,
  { start, commit }: QuotedWork,
): Promise<ReturnType<typeof diffParts>> {
  const isProtected = new Set(protected_changes.map(({ path }) => path));
  const ordered = byImportance(changes, (path) => isProtected.has(path));
  return diffParts(ordered, await workspace.fileDiffs(start, commit, worthShowing(ordered)));
}

/** No file has changed: a criterion may be met by what stands in them all the same. */
async function filesAsTheyAre(
  { ports: { workspace } }: RunContext,
  { demand: { own_words }, notes }: Reviewed,
  { commit }: QuotedWork,
): Promise<ReturnType<typeof diffParts>> {
  const ordered = namedFirst(await workspace.paths(commit), [...own_words, ...notes]);
  return { texts: [filesText(ordered, await workspace.textsAt(commit, ordered.slice(0, MOST_SHOWN)))], cut_files: [] };
}

const MOST_SHOWN = 100;
const IGNORED_CHARACTERS = 4_500;

interface Asked {
  model: string;
  material: Reviewed;
  work: QuotedWork;
  shown: Shown;
}

/** Asks about one part after the other until the reviewer objects. Protected and ignored files are asked about with the first. */
async function* askInParts(context: RunContext, asked: Asked): AsyncGenerator<RunEvent, Review> {
  const [first = "", ...others] = asked.shown.diffs;
  let review = yield* askReviewer(context, { ...asked, diff: first });
  const material = { ...asked.material, protected_changes: [], rests_on_ignored: false };
  for (const diff of others) {
    if (review.problem !== undefined || review.findings.some(({ is_verified }) => is_verified)) break;
    review = joined(review, yield* askReviewer(context, { ...asked, material, diff }));
  }
  return review;
}

/** A criterion is met where one part shows it. */
function joined(review: Review, next: Review): Review {
  const isShown = ({ is_met, is_verified }: ReviewedCriterion) => is_met && is_verified;
  const shown = new Map(next.criteria.filter(isShown).map((one) => [one.id, one]));
  return {
    ...review,
    ...(next.problem !== undefined && { problem: next.problem }),
    findings: [...review.findings, ...next.findings],
    criteria: review.criteria.map((one) => (isShown(one) ? one : (shown.get(one.id) ?? one))),
  };
}

async function* askReviewer(
  context: RunContext,
  { model, material, work, shown, diff }: Asked & { diff: string },
): AsyncGenerator<RunEvent, Review> {
  const { prompts } = context;
  const questions = questionsFor(material);
  const looked = async (given: ReviewerResult) => {
    const answer = withNames(given, work);
    const gaps = gapsIn(answer, questions);
    const problem = gaps.length > 0 ? listed(gaps) : undefined;
    return { gaps, review: reviewOf(model, { answer, problem }, questions, await lookUpIn(context, answer, work)) };
  };
  const {
    value,
    problem,
    answered_by = model,
  } = yield* answerTo(context, {
    role: "reviewer",
    system_prompt: prompts.reviewer.text,
    schema: ReviewerResult,
    model,
    reads: work.reads,
    iteration: material.iteration,
    prompt: (objection) => fillTemplate(prompts["reviewer-question"], { ...shown.texts, diff, objection }),
    objections: async (answer) => {
      const { gaps, review } = await looked(answer);
      return [...gaps, ...unfoundIn(review)];
    },
  });
  if (value) return { ...(await looked(value)).review, model: answered_by };
  return {
    model: answered_by,
    problem: problem ?? NO_ANSWER,
    findings: [],
    criteria: [],
    protected_files: [],
    ignored_files: null,
  };
}

function questionsFor(material: Reviewed): ReviewQuestions {
  const { demand, notes, protected_changes, decides_files, rests_on_ignored } = material;
  return {
    criteria: demand.criteria,
    protected_files: decides_files ? protected_changes.map(({ path }) => path) : [],
    asks_ignored: rests_on_ignored,
    is_untouched: isUntouched(material),
    own_words: [...demand.own_words, ...notes],
  };
}
