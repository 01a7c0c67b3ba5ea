import { systemClock } from "../../connection/clock.ts";
import type { TaskQueue } from "../../connection/ports/task-queue.ts";
import { BullmqQueue } from "../../connection/queues/bullmq/bullmq-queue.ts";
import { submissionOf, submit } from "../../connection/stores/postgres/submissions.ts";
import { E8Error } from "../../model/errors.ts";
import type { TaskId } from "../../model/task.ts";
import { urgencyOf } from "../../orchestrator/order.ts";
import { type DatabaseStore, databaseOf, findTask, requireDatabase } from "../store.ts";
import type { ConfiguredTask } from "../tasks.ts";

export interface SubmissionWish {
  labels: readonly string[];
  /** A word such as `high`, or `P0` to `P9`. */
  priority?: string | undefined;
}

/** Stores a task for the first worker that has its labels. Returns its id at once. */
export async function submitTask(
  { project, configuration, task_file }: ConfiguredTask,
  wish: SubmissionWish,
): Promise<TaskId> {
  const found = requireDatabase(project, "e8 submit");
  const id = await found.store.create({ configuration, now: systemClock.now(), ...(task_file && { task_file }) });
  await giveToFleet(found, id, wish);
  return id;
}

/** Gives a task that is stored already to the fleet, to go on from where its records end. Throws `task_in_line`. */
export async function submitAgain(project: string, meant: string, wish: Partial<SubmissionWish>): Promise<TaskId> {
  const found = requireDatabase(project, "e8 submit");
  const id = await findTask(project, meant, found.store);
  const { status } = await found.store.past(id);
  if (status === "completed") throw new E8Error("task_completed", { id });
  const before = await submissionOf(found.part.database, id);
  const labels = wish.labels && wish.labels.length > 0 ? wish.labels : (before?.labels ?? []);
  if (!(await giveToFleet(found, id, { labels, priority: wish.priority ?? before?.priority })))
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
  { labels: given, priority = "" }: SubmissionWish,
): Promise<boolean> {
  const labels = [...new Set(given)].sort();
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
  await database.ask("select pg_notify($1, $2)", [database.channel, database.line_news]);
  return true;
}

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
