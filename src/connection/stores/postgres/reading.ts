import { join } from "node:path";
import { z } from "zod";
import { asE8Error, E8Error } from "../../../model/errors.ts";
import { LoopResult, Note } from "../../../model/records.ts";
import { Task, TaskId } from "../../../model/task.ts";
import { addUsage, NOTHING_SPENT, UnknownAmount, type Usage } from "../../../model/usage.ts";
import type { Recalled } from "../../ports/open-task.ts";
import type { BrokenTask, TaskHeading, TaskOverview, TaskPast, TaskStatus } from "../../ports/task-store.ts";
import { MACHINE_DIRECTORY, RECORDS_DIRECTORY } from "../files/task-paths.ts";
import { inItsPlace } from "../in-its-place.ts";
import { latestOf, pastOf } from "../standing.ts";
import { BOOKMARKED, bookmarkIn } from "./bookmarks.ts";
import type { Database, Patience, Row } from "./database.ts";
import { RECORDS, recallFrom, recordsIn, SPENDINGS, spendingsIn } from "./history.ts";
import { IS_HELD, IS_OPEN } from "./lease.ts";
import type { Listener } from "./listener.ts";

/** A project's part of a database. */
export interface ProjectPart {
  database: Database;
  /** The project's directory on this machine. */
  directory: string;
  /** Its name in the database. */
  project: string;
  /** Where several parts of a database are used at once: what wakes those who wait for news of any of them. */
  listener?: Listener;
}

/** The store's own name of a task, for people. */
export function locationOf({ database }: Pick<ProjectPart, "database">, id: TaskId): string {
  return `${database.address.name}#${id}`;
}

/** What this machine alone needs of a task, such as the index of its snapshots. Never the directory of a task that is files. */
export function folderOf({ directory }: Pick<ProjectPart, "directory">, id: TaskId): string {
  return join(directory, RECORDS_DIRECTORY, MACHINE_DIRECTORY, id);
}

export function taskIn(row: Row, part: ProjectPart): Task {
  const id = String(row.task_id);
  const parsed = Task.safeParse(JSON.parse(String(row.doc)));
  if (!parsed.success) {
    const path = locationOf(part, id);
    throw new E8Error("task_file_broken", { path, problem: parsed.error.issues[0]?.message ?? "" });
  }
  return { ...inItsPlace(parsed.data, part.directory), task_id: id };
}

export async function readTask(part: ProjectPart, id: TaskId): Promise<Task> {
  return taskIn(await rowOf(part, id, "task_id, doc::text"), part);
}

/** A task as a worker looks at it before it takes it. */
export interface Prospect {
  task: Task;
  /** No run has recorded anything of it. */
  isNew: boolean;
  /** The fleet still has to work on it. */
  isOpen: boolean;
  recall(): Promise<Recalled>;
}

const PROSPECT = `
  select task.task_id, task.doc::text, task.records, ${IS_OPEN} as is_open, ${BOOKMARKED}
  from e8.task left join e8.bookmark on bookmark.task_id = task.task_id where task.task_id = $1 and project = $2`;

export async function lookAt(part: ProjectPart, id: string, patience: Patience = {}): Promise<Prospect> {
  const { database, project } = part;
  requireId(id);
  const [row] = await database.ask(PROSPECT, [id, project], patience);
  if (!row) throw new E8Error("task_not_found", { id });
  const lines = Number(row.records);
  return {
    task: taskIn(row, part),
    isNew: lines === 0,
    isOpen: row.is_open === true,
    recall: () => recallFrom((sql, values) => database.ask(sql, [id, ...values], patience), lines, bookmarkIn(row)),
  };
}

/** An id such as `../..` reaches nothing. */
export function requireId(id: string): void {
  if (!TaskId.safeParse(id).success) throw new E8Error("task_id_invalid", { id });
}

/** Throws `task_not_found`. */
export async function rowOf({ database, project }: ProjectPart, id: TaskId, columns: string): Promise<Row> {
  const sql = `select ${columns} from e8.task where task_id = $1 and project = $2`;
  const [row] = await database.ask(sql, [id, project]);
  if (!row) throw new E8Error("task_not_found", { id });
  return row;
}

const STANDING = `
  task_id, records, iterations, criteria_met, ending::text, ending_seq, last_active, spent_in_all, spent_since, held_from,
  fence is not null as was_held, ${IS_OPEN} as is_open,
  (select cancelled_at is not null and task.ending_seq <= since from e8.submission where submission.task_id = task.task_id) as is_withdrawn,
  ${IS_HELD} as is_held, coalesce(paused_for = fence, false) as is_paused`;

/** How the last run ended; `queued` while a worker is to take the task. A killed run leaves its lease, but no ending of its own. A completed task is not run again. */
function outcomeOf(row: Row): { status: TaskStatus; result: LoopResult | undefined } {
  if (row.is_held) return { status: row.is_paused ? "paused" : "running", result: undefined };
  if (row.is_open) return { status: "queued", result: undefined };
  if (row.is_withdrawn) return { status: "cancelled", result: undefined };
  const isLast = Number(row.records) > 0 && row.ending_seq === row.records;
  const ending = isLast ? LoopResult.safeParse(JSON.parse(String(row.ending))).data : undefined;
  const isEarlier = row.was_held === true && Number(row.ending_seq) <= Number(row.held_from);
  return ending && (ending.status === "completed" || !isEarlier)
    ? { status: ending.status, result: ending }
    : { status: "interrupted", result: undefined };
}

export async function readPast(part: ProjectPart, id: TaskId): Promise<TaskPast> {
  const { database } = part;
  const row = await rowOf(part, id, `doc::text, ${STANDING}`);
  const [records, spending, notes] = await Promise.all([
    database.ask(RECORDS, [id]).then(recordsIn),
    database.ask(SPENDINGS, [id]).then(spendingsIn),
    readNotes(database, id),
  ]);
  const past = pastOf(records, spending);
  return {
    task: taskIn(row, part),
    location: locationOf(part, id),
    folder: folderOf(part, id),
    ...past,
    last_active: latestOf([past.last_active, String(row.last_active)]),
    ...outcomeOf(row),
    notes,
    origin: "kept",
  };
}

export async function readNotes(database: Database, id: TaskId, patience: Patience = {}): Promise<Note[]> {
  const sql = "select doc::text from e8.note where task_id = $1 order by note_id";
  const rows = await database.ask(sql, [id], patience);
  return rows.flatMap(({ doc }) => Note.safeParse(JSON.parse(String(doc))).data ?? []);
}

const Heading = z.object({
  task_id: z.string(),
  created_at: z.string(),
  configuration: z.object({ task: z.string(), criteria: z.array(z.unknown()), max_iterations: z.number() }),
  flow: z.object({ name: z.string(), parameters: z.record(z.string(), z.unknown()) }).nullable(),
}) satisfies z.ZodType<TaskHeading>;

/** The parts of a task that a list shows, kept beside it: a list reads no whole task. */
export function headingOf({ task_id, created_at, configuration, flow }: Task): TaskHeading {
  const { task, criteria, max_iterations } = configuration;
  const call = flow && { name: flow.name, parameters: flow.parameters };
  return { task_id, created_at, configuration: { task, criteria, max_iterations }, flow: call };
}

export async function readOverviews(
  part: ProjectPart,
  ids?: readonly TaskId[],
): Promise<(TaskOverview | BrokenTask)[]> {
  const sql = `
    select heading::text, ${STANDING} from e8.task
    where project = $1 and ($2::text[] is null or task_id = any($2::text[])) order by second, number`;
  const rows = await part.database.ask(sql, [part.project, ids ?? null]);
  return rows.map((row) => overviewIn(row, part));
}

function overviewIn(row: Row, part: ProjectPart): TaskOverview | BrokenTask {
  const id = String(row.task_id);
  try {
    const outcome = outcomeOf(row);
    return {
      task: Heading.parse(JSON.parse(String(row.heading))),
      location: locationOf(part, id),
      ...outcome,
      iterations: Number(row.iterations),
      criteria_met: outcome.result ? metAtEnd(outcome.result) : Number(row.criteria_met),
      spent: spentIn(row),
      last_active: String(row.last_active),
      origin: "kept",
    };
  } catch (error) {
    return { task_id: id, error: asE8Error(error) };
  }
}

function metAtEnd({ final_judgment }: LoopResult): number {
  return final_judgment?.evaluations.filter(({ is_met }) => is_met).length ?? 0;
}

/** As `spentInAll`, of sums that every line was added to. */
export function spentIn(row: Row): Usage {
  const ending = row.ending === null ? undefined : LoopResult.safeParse(JSON.parse(String(row.ending))).data;
  const all = usageIn(row.spent_in_all);
  const since = addUsage(ending?.usage ?? NOTHING_SPENT, usageIn(row.spent_since));
  const { unknown } = addUsage(all, since);
  return {
    tokens: Math.max(all.tokens, since.tokens),
    cost_usd: Math.max(all.cost_usd, since.cost_usd),
    seconds: Math.max(all.seconds, since.seconds),
    ...(unknown && { unknown }),
  };
}

function usageIn(sums: unknown): Usage {
  const [tokens = 0, cost_usd = 0, seconds = 0, ...lines] = Array.isArray(sums) ? sums.map(Number) : [];
  const unknown = UnknownAmount.options.filter((_, index) => (lines[index] ?? 0) > 0);
  return { tokens, cost_usd, seconds, ...(unknown.length > 0 && { unknown }) };
}
