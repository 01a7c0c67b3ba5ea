import { systemClock } from "../connection/clock.ts";
import { absolute } from "../connection/files.ts";
import type { TaskOverview, TaskStatus, TaskStore } from "../connection/ports/task-store.ts";
import { secretBook } from "../connection/secrets/secret-book.ts";
import { fileStore } from "../connection/stores/files/file-store.ts";
import type { Listener } from "../connection/stores/postgres/listener.ts";
import type { ProjectPart } from "../connection/stores/postgres/reading.ts";
import { type RedactingStore, redactingStore } from "../connection/stores/redacting.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import { type Notice, notice } from "../model/notices.ts";
import type { Redact } from "../model/redaction.ts";
import { isInFuture, TaskId } from "../model/task.ts";

/** Where the tasks of a project are kept. The one place that knows which store that is. */
export function storeOf(project: string): RedactingStore {
  return databases.get(absolute(project))?.store ?? redactingStore(fileStore(project), redactionOf(project));
}

/** Takes the secrets of a project, and of whoever runs this process, out of texts. */
export function redactionOf(project: string): Redact {
  return secretBook(absolute(project)).redact;
}

/** Has what these variables keep secret be written nowhere about the project. */
export function learnSecrets(project: string, environment: Environment): void {
  secretBook(absolute(project)).learn(environment);
}

/** A project's tasks in a database, and that part of the database. `databaseStore` makes it. */
export interface DatabaseStore {
  store: RedactingStore;
  part: ProjectPart & { listener: Listener };
}

/** The projects whose tasks are in a database, as this process was told. */
const databases = new Map<string, DatabaseStore>();

/** From now on, this process finds the project's tasks there; among its files where there is none. */
export function keepIn(project: string, database: DatabaseStore | undefined): void {
  const before = databases.get(absolute(project));
  void before?.part.database.close().catch(() => {});
  if (database) databases.set(absolute(project), database);
  else databases.delete(absolute(project));
}

/** The same for a checkout that is there for a while, in a database that is others' to close. Returns how to forget it. */
export function lendTo(directory: string, database: DatabaseStore): () => void {
  databases.set(absolute(directory), database);
  return () => void databases.delete(absolute(directory));
}

export function databaseOf(project: string): DatabaseStore | undefined {
  return databases.get(absolute(project));
}

/** Throws `store_missing`, which names the command. */
export function requireDatabase(project: string, command: string): DatabaseStore {
  const found = databaseOf(project);
  if (!found) throw new E8Error("store_missing", { command });
  return found;
}

const LATEST = "latest";

/**
 * The task that a user means: by its id, by the beginning or end of one where no other task fits, or as `latest`. A whole id means that
 * task alone, even when it is gone and another one begins alike.
 */
export async function findTask(project: string, meant = LATEST, store: TaskStore = storeOf(project)): Promise<TaskId> {
  if (TaskId.safeParse(meant).success) return meant;
  if (meant === LATEST) return latestTask(project, store);
  const ids = await store.list();
  if (!/^[\dT-]+$/.test(meant)) throw new E8Error("task_id_invalid", { id: meant });
  const fitting = ids.filter((id) => id.startsWith(meant) || id.endsWith(meant));
  const [found, ...others] = fitting;
  if (found === undefined) throw new E8Error("task_not_found", { id: meant });
  if (others.length === 0) return found;
  const tasks = (await store.overviews()).filter((one) => "task" in one);
  const textOf = (id: TaskId) => textIn(tasks.find(({ task }) => task.task_id === id));
  throw new E8Error("task_ambiguous", { id: meant, candidates: fitting.map((id) => ({ id, task: textOf(id) })) });
}

/** Tasks that are dated in the future do not count, unless they are named. */
async function latestTask(project: string, store: TaskStore): Promise<TaskId> {
  for (const id of (await store.list()).toReversed()) {
    const { created_at } = await store.read(id).catch(() => ({ created_at: "" }));
    if (!isInFuture({ task_id: id, created_at }, systemClock.now())) return id;
  }
  throw new E8Error("no_tasks", { directory: project });
}

/** Names the tasks that are left out of the question which is the latest. */
export async function futureTasks(project: string): Promise<Notice[]> {
  const ids = await storeOf(project).list();
  const ahead = ids.filter((task_id) => isInFuture({ task_id }, systemClock.now()));
  return ahead.map((id) => notice("task_in_future", { id }));
}

/** The only task that is running or paused; with `statuses`, the only one that is one of these. */
export async function onlyRunning(project: string, statuses: readonly TaskStatus[] = RUNNING): Promise<TaskId> {
  const running = (await readableTasks(project)).filter(({ status }) => statuses.includes(status));
  return onlyOf(running, new E8Error("nothing_running", { directory: project }));
}

const RUNNING: readonly TaskStatus[] = ["running", "paused"];

/** The only task whose questions are open while it does not run. */
export async function onlyAsking(project: string): Promise<TaskId> {
  const ended = (await readableTasks(project)).filter(({ status }) => ![...RUNNING, "completed"].includes(status));
  const tasks = await Promise.all(ended.map(({ task }) => storeOf(project).read(task.task_id)));
  const asking = ended.filter((_, index) => tasks[index]?.intake?.status === "needs_clarification");
  return onlyOf(asking, new E8Error("nothing_asked", { directory: project }));
}

function onlyOf([found, ...others]: readonly TaskOverview[], none: E8Error): TaskId {
  if (!found) throw none;
  if (others.length === 0) return found.task.task_id;
  const candidates = [found, ...others].map((one) => ({ id: one.task.task_id, task: textIn(one) }));
  throw new E8Error("task_ambiguous", { candidates });
}

export async function readableTasks(project: string): Promise<TaskOverview[]> {
  return (await storeOf(project).overviews()).filter((one) => "task" in one);
}

const TEXT_SHOWN = 60;

function textIn(overview: TaskOverview | undefined): string {
  const [first = ""] = (overview?.task.configuration.task ?? "").trim().split("\n");
  return first.length > TEXT_SHOWN ? `${first.slice(0, TEXT_SHOWN)}…` : first;
}
