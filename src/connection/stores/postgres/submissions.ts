import type { TaskId } from "../../../model/task.ts";
import { queueSchema } from "../../queues/bullmq/queue-schema.ts";
import { type Database, LINE, type Patience, type Row } from "./database.ts";
import { IS_HELD, IS_OPEN } from "./lease.ts";

/** A task that was given to the fleet. */
export interface Submission {
  task_id: TaskId;
  project: string;
  labels: string[];
  /** As the submitter has put it; empty: none. */
  priority: string;
  rank: number;
  submitted_at: string;
}

/** Gives a stored task to the fleet, also one that the fleet has had before. False where it waits or runs already. */
export async function submit(
  database: Database,
  { task_id, labels, priority, rank, submitted_at }: Omit<Submission, "project">,
): Promise<boolean> {
  const values = [task_id, labels, priority, rank, submitted_at];
  return (await database.ask(SUBMIT, values)).length > 0;
}

const SUBMIT = `
  insert into e8.submission as known (task_id, labels, priority, rank, submitted_at, since)
  select task_id, $2, $3, $4, $5, ending_seq from e8.task where task_id = $1
  on conflict (task_id) do update set labels = excluded.labels, priority = excluded.priority, rank = excluded.rank,
    submitted_at = excluded.submitted_at, since = excluded.since, cancelled_at = null
  where known.cancelled_at is not null or known.since < excluded.since
  returning task_id`;

/** Workers look at once for a task that waits. */
export async function callWorkers(database: Database): Promise<void> {
  await database.ask("select pg_notify($1, $2)", [database.channel("calls"), LINE]);
}

/** Takes a task back from the fleet: no worker begins it any more. False where it was never given, or is over. */
export async function withdraw(database: Database, id: TaskId, now: string): Promise<boolean> {
  const sql = `
    update e8.submission set cancelled_at = $2 where task_id = $1 and cancelled_at is null
      and exists (select from e8.task where task.task_id = submission.task_id and ending_seq <= since)
    returning pg_notify($3, task_id)`;
  return (await database.ask(sql, [id, now, database.channel("news")])).length > 0;
}

/** What the fleet was given, whether or not that is over. */
export async function submissionOf(database: Database, id: TaskId): Promise<Submission | undefined> {
  const sql = `select ${COLUMNS} from e8.submission join e8.task using (task_id) where task_id = $1`;
  const [row] = await database.ask(sql, [id]);
  return row && submissionIn(row);
}

/** Whether the fleet still has to work on the task. */
export async function isOpen(database: Database, id: TaskId, patience: Patience = {}): Promise<boolean> {
  const sql = `select 1 as open from e8.task where task_id = $1 and ${IS_OPEN}`;
  return (await database.ask(sql, [id], patience)).length > 0;
}

/** Open tasks of the projects that are in no line: whoever gave them died before that, or a worker after it. */
export async function missingInLine(database: Database, projects: readonly string[]): Promise<Submission[]> {
  const jobs = `"${queueSchema(database)}".job`;
  const sql = `
    select ${COLUMNS} from e8.submission join e8.task using (task_id)
    where project = any($1) and ${IS_OPEN} and not ${IS_HELD} and not exists (select from ${jobs} where job.id = task.task_id)`;
  return (await database.ask(sql, [projects])).map(submissionIn);
}

/** The projects that have ever had a task in line. */
export async function projectsInLine(database: Database): Promise<string[]> {
  const rows = await database.ask("select distinct project from e8.queue order by project");
  return rows.map(({ project }) => String(project));
}

const COLUMNS = "task_id, project, labels, priority, rank, submitted_at";

function submissionIn({ task_id, project, labels, priority, rank, submitted_at }: Row): Submission {
  return {
    task_id: String(task_id),
    project: String(project),
    labels: Array.isArray(labels) ? labels.map(String) : [],
    priority: String(priority),
    rank: Number(rank),
    submitted_at: String(submitted_at),
  };
}
