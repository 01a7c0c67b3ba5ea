import { statSync } from "node:fs";
import { z } from "zod";
import { HistoryRecord } from "../../../model/records.ts";
import { TaskId } from "../../../model/task.ts";
import { lastRecords, readRecords } from "./json-lines.ts";

/** The keys that identify a record of a task. */
const Mark = z.object({
  type: z.string(),
  timestamp: z.string(),
  iteration: z.number().optional(),
  key: z.string().optional(),
  stage: z.string().optional(),
});
type Mark = z.infer<typeof Mark>;
const Copy = Mark.extend({ task_id: z.string() });

/** How much of the file's end is searched. Many tasks may write to it. */
const LOOKED_THROUGH_BYTES = 4 * 1024 * 1024;

/**
 * The history's records after the last one that was copied, oldest first: a run was killed before it copied them, or the disk was
 * full. Empty when the file's end has no copy: the user may have moved them away.
 */
export function missedCopies(history: string, persist: string, task_id: string): HistoryRecord[] {
  const latest = [...lastRecords(history, HistoryRecord)];
  const copied = lastCopy(persist, task_id);
  const count = latest.findIndex((record) => copied && isSameRecord(record, copied));
  return count < 0 ? [] : latest.slice(0, count).reverse();
}

/** The ids of the tasks that the file has records of, the latest copy last. Lines that are not ours, torn or older, are skipped. */
export async function copiedTasks(persist: string): Promise<TaskId[]> {
  if (!isFile(persist)) return [];
  const ids = new Set<TaskId>();
  for await (const { task_id } of readRecords(persist, Copy.extend({ task_id: TaskId }), () => {})) {
    ids.delete(task_id); // a set keeps the order in which its values came
    ids.add(task_id);
  }
  return [...ids];
}

function lastCopy(persist: string, task_id: string): Mark | undefined {
  if (!isFile(persist)) return undefined; // a pipe would block
  const copies = lastRecords(persist, Copy, Buffer.allocUnsafe(LOOKED_THROUGH_BYTES));
  for (const copy of copies) if (copy.task_id === task_id) return copy;
  return undefined;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isSameRecord(record: HistoryRecord, copy: Mark): boolean {
  const own = Mark.parse(record);
  return (["type", "timestamp", "iteration", "key", "stage"] as const).every((name) => own[name] === copy[name]);
}
