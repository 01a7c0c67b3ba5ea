import type { TaskStore } from "../connection/ports/task-store.ts";
import type { TaskParcel, TaskTransfer } from "../connection/ports/task-transfer.ts";
import { fileStore } from "../connection/stores/files/file-store.ts";
import { filesTransfer } from "../connection/stores/files/transfer.ts";
import { inItsPlace } from "../connection/stores/in-its-place.ts";
import { postgresTransfer } from "../connection/stores/postgres/transfer.ts";
import { asE8Error, E8Error } from "../model/errors.ts";
import { Task, type TaskId } from "../model/task.ts";
import { databaseOf, findTask } from "./store.ts";

export interface TransferRequest {
  project: string;
  /** All tasks where empty, and with them what the project knows. */
  ids: readonly string[];
  /** Removes each task where it was, once it is stored where it goes. */
  move: boolean;
}

/** A task that has come across, `false` where it was there already, to the byte; or why it stays where it is. */
export type Transferred = { task_id: TaskId; is_new: boolean } | { task_id: TaskId; error: E8Error };

/** A task by its id or a part of it, where it is taken from. */
export function findTaskIn(direction: "export" | "import", project: string, meant: string): Promise<TaskId> {
  const { database, files } = endsOf(project, `e8 ${direction}`);
  return findTask(project, meant, direction === "export" ? database.store : files.store);
}

/** From the project's database into its files. */
export function exportTasks(request: TransferRequest): AsyncGenerator<Transferred, number> {
  const { database, files } = endsOf(request.project, "e8 export");
  return transfer({ from: database, to: files }, request);
}

/** From the project's files into its database. */
export function importTasks(request: TransferRequest): AsyncGenerator<Transferred, number> {
  const { database, files } = endsOf(request.project, "e8 import");
  return transfer({ from: files, to: database }, request);
}

interface End {
  store: TaskStore;
  transfer: TaskTransfer;
}

function endsOf(project: string, command: string): { database: End; files: End } {
  const found = databaseOf(project);
  if (!found) throw new E8Error("store_missing", { command });
  return {
    database: { store: found.store, transfer: postgresTransfer(found.part) },
    files: { store: fileStore(project), transfer: filesTransfer(project) },
  };
}

/** One task that cannot be moved does not stop the others. Returns how many entries of the project's knowledge have come across. */
async function* transfer(
  { from, to }: { from: End; to: End },
  { ids, move }: TransferRequest,
): AsyncGenerator<Transferred, number> {
  const present = await from.store.list();
  for (const task_id of ids.length === 0 ? present : ids) {
    try {
      yield { task_id, is_new: await transferOne({ from, to }, task_id, move) };
    } catch (thrown) {
      const error = asE8Error(thrown);
      if (isOfAll(error)) throw error;
      yield { task_id, error };
    }
  }
  return ids.length === 0 ? shareKnowledge(from.transfer, to.transfer) : 0;
}

/** Whether the task was not there before. */
async function transferOne({ from, to }: { from: End; to: End }, id: TaskId, move: boolean): Promise<boolean> {
  const parcel = await from.transfer.pack(id);
  const is_new = !(await isThereAlready(to, id, parcel));
  if (is_new) await to.transfer.unpack(parcel);
  if (move && !is_new && !isSame(parcel, await to.transfer.pack(id))) throw await isOther(to, id);
  if (move) await from.store.remove(id);
  return is_new;
}

/** The database itself, rather than something in one task, is what is wrong. */
function isOfAll({ code }: E8Error): boolean {
  return code.startsWith("store_") && code !== "store_failed";
}

/** A transfer that was cut off can be repeated: a task with the same history is not an error. */
async function isThereAlready({ store, transfer: there }: End, id: TaskId, parcel: TaskParcel): Promise<boolean> {
  if (!(await store.list()).includes(id)) return false;
  const known = await there.pack(id);
  const isSameHistory = JSON.stringify(known.history) === JSON.stringify(parcel.history);
  return isSameHistory && (parcel.history.length > 0 || isSame(parcel, known));
}

/** Whether nothing that was worked for would be lost with one of them. Their projects may be in different places. */
function isSame(one: TaskParcel, other: TaskParcel): boolean {
  const workOf = ({ task, history, knowledge, spending, notes, output, outputs, submission }: TaskParcel) => {
    const inPlace = inItsPlace(Task.parse(JSON.parse(task)), "/");
    return JSON.stringify([inPlace, history, knowledge, spending, notes, output, outputs, submission]);
  };
  return workOf(one) === workOf(other);
}

async function isOther({ store }: End, id: TaskId): Promise<E8Error> {
  const { location: place } = await store.past(id);
  return new E8Error("task_exists", { id, place });
}

async function shareKnowledge(from: TaskTransfer, to: TaskTransfer): Promise<number> {
  const known = new Set(await to.sharedKnowledge());
  const missing = (await from.sharedKnowledge()).filter((entry) => !known.has(entry));
  if (missing.length > 0) await to.addShared(missing);
  return missing.length;
}
