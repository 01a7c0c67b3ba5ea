import { systemClock } from "../../connection/clock.ts";
import { placeOf } from "../../connection/git/project-name.ts";
import type { TaskQueue } from "../../connection/ports/task-queue.ts";
import { BullmqQueue } from "../../connection/queues/bullmq/bullmq-queue.ts";
import { callWorkers, submissionOf, submit } from "../../connection/stores/postgres/submissions.ts";
import { E8Error } from "../../model/errors.ts";
import { isHidden } from "../../model/hidden.ts";
import type { TaskId } from "../../model/task.ts";
import { isPriority, PRIORITIES, urgencyOf } from "../../orchestrator/order.ts";
import { requireSubmittable } from "../admission.ts";
import { databaseStore } from "../database-store.ts";
import { type DatabaseStore, databaseOf, findTask, requireDatabase } from "../store.ts";
import type { ConfiguredTask } from "../tasks.ts";

export interface SubmissionWish {
  labels: readonly string[];
  /** The URL of the repository, as every worker's machine reaches it. Without one, only a worker in a directory of the project takes the task. */
  repository?: { url: string; base: string } | undefined;
  /** A word such as `high`, or `P0` to `P9`. */
  priority?: string | undefined;
}

/**
 * Stores a task for the first worker that has its labels. Returns its id at once. Where its file was is kept only to hide what is hidden in
 * it: that is a path of this machine.
 */
export async function submitTask(
  { project, configuration, task_file }: ConfiguredTask,
  wish: SubmissionWish,
): Promise<TaskId> {
  const found = await partFor(requireDatabase(project, "e8 submit"), wish.repository?.url);
  const repository = wish.repository && { ...wish.repository, path: "" };
  const given = {
    configuration,
    now: systemClock.now(),
    ...(task_file && configuration.criteria.some(isHidden) && { task_file }),
    ...(repository && { repository }),
  };
  requireSubmittable({ ...given, project });
  const id = await found.store.create(given);
  await giveToFleet(found, id, wish);
  return id;
}

/** Tasks of a repository belong to its project, wherever they are given. */
export async function partFor(found: DatabaseStore, url: string | undefined): Promise<DatabaseStore> {
  const project = found.part.database.address.project ?? (url === undefined ? undefined : placeOf(url));
  if (project === undefined || project === found.part.project) return found;
  return databaseStore({ ...found.part, project });
}

/** Gives a task that is stored already to the fleet, to go on from where its records end. Throws `task_in_line`. */
export async function submitAgain(project: string, meant: string, wish: Partial<SubmissionWish>): Promise<TaskId> {
  const found = requireDatabase(project, "e8 submit");
  const id = await findTask(project, meant, found.store);
  const { status, task } = await found.store.past(id);
  if (status === "completed") throw new E8Error("task_completed", { id });
  const before = await submissionOf(found.part.database, id);
  const labels = wish.labels && wish.labels.length > 0 ? wish.labels : (before?.labels ?? []);
  const { repository } = task;
  if (!(await giveToFleet(found, id, { labels, repository, priority: wish.priority ?? before?.priority })))
    throw new E8Error("task_in_line", { id });
  return id;
}

/** Whether workers of a fleet are to work on the task, rather than this process. */
export async function isOfFleet(project: string, id: TaskId): Promise<boolean> {
  const found = databaseOf(project);
  return found !== undefined && (await submissionOf(found.part.database, id)) !== undefined;
}

/** False where the fleet has it already. */
export async function giveToFleet(
  { part: { database, project } }: DatabaseStore,
  task_id: TaskId,
  { labels: given, repository, priority = "" }: SubmissionWish,
): Promise<boolean> {
  const labels = [...new Set([...given, ...(repository ? [] : [IN_DIRECTORY])])].sort();
  const now = systemClock.now();
  const rank = rankOf(priority, now);
  const isNew = await submit(database, { task_id, labels, priority, rank, submitted_at: now.toISOString() });
  if (!isNew) return false;
  const queue: TaskQueue = new BullmqQueue(database);
  try {
    await queue.add(task_id, { project, labels, rank });
  } finally {
    await queue.close();
  }
  await callWorkers(database);
  return true;
}

/** What a priority may be, where this is none. */
export function prioritiesFor(priority: string): readonly string[] | undefined {
  return isPriority(priority) ? undefined : PRIORITIES;
}

/** The label of tasks that need a directory of the project. Nobody can give it by hand. */
export const IN_DIRECTORY = "@directory";

const FIRST_YEAR = Date.parse("2026-01-01T00:00:00Z");
/** The line is in order of such steps: 40 years of them fit. */
const STEP_MILLISECONDS = 10 * 60_000;
/** A step of urgency is worth an hour of waiting. */
const STEPS_AN_URGENCY = 6;

/**
 * Where a task stands in line. A more urgent one overtakes those that were given up to an hour before it; none waits for ever, because the
 * numbers of new tasks grow.
 */
export function rankOf(priority: string, now: Date): number {
  const steps = Math.max(0, Math.floor((now.getTime() - FIRST_YEAR) / STEP_MILLISECONDS));
  return 1 + steps + urgencyOf(priority) * STEPS_AN_URGENCY;
}
