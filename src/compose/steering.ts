import { systemClock } from "../connection/clock.ts";
import { absolute } from "../connection/files.ts";
import type { TaskStatus } from "../connection/ports/task-store.ts";
import { E8Error } from "../model/errors.ts";
import type { TaskId } from "../model/task.ts";
import { findTask, onlyRunning, readableTasks, storeOf } from "./store.ts";

/** A task by its id or a part of it, or the only fitting one. */
export interface TaskChoice {
  project: string;
  id?: string | undefined;
}

/** The task that a command is about, and whether it did what it was asked before long. */
export interface Steered {
  id: string;
  isDone: boolean;
}

/** Leaves a note for the next worker. `isDone`: the task is running, or a worker of the fleet is to take it. */
export async function tellTask(choice: TaskChoice, text: string): Promise<Steered> {
  const note = text.trim();
  if (note === "") throw new E8Error("note_empty", {});
  if (note.length > LONGEST_NOTE) throw new E8Error("note_too_long", { length: note.length, limit: LONGEST_NOTE });
  const { store, id } = await chosen(choice);
  const { status } = await store.past(id);
  if (status === "completed") throw new E8Error("task_completed", { id });
  await store.tell(id, note, systemClock.now());
  return { id, isDone: status === "running" || status === "paused" || status === "queued" };
}

/** More would not fit into a prompt beside the rest. */
const LONGEST_NOTE = 12_000;

export async function pauseTask(choice: TaskChoice): Promise<Steered> {
  const { store, id } = await chosen(choice, ["running"]);
  return { id, isDone: await store.pause(id) };
}

/** The paused run to go on with. Undefined where none is: the named task is not running, or none is paused. */
export async function pausedTask({ project, id }: TaskChoice): Promise<TaskId | undefined> {
  const tasks = await readableTasks(absolute(project));
  if (id === undefined && !tasks.some(({ status }) => status === "paused")) return undefined;
  const { store, id: one } = await chosen({ project, id }, ["paused"]);
  const { status } = await store.past(one);
  if (status === "running") throw new E8Error("task_not_paused", { id: one });
  return status === "paused" ? one : undefined;
}

export async function unpauseTask(project: string, id: TaskId): Promise<Steered> {
  return { id, isDone: await storeOf(absolute(project)).unpause(id) };
}

async function chosen({ project: directory, id }: TaskChoice, statuses?: readonly TaskStatus[]) {
  const project = absolute(directory);
  const store = storeOf(project);
  return { store, id: id === undefined ? await onlyRunning(project, statuses) : await findTask(project, id) };
}
