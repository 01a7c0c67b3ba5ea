import { statSync } from "node:fs";
import { z } from "zod";
import { HistoryRecord } from "../../../model/records.ts";
import { lastRecords } from "./json-lines.ts";

/** What tells a task's records apart. */
const Mark = z.object({
  type: z.string(),
  timestamp: z.string(),
  iteration: z.number().optional(),
  key: z.string().optional(),
  stage: z.string().optional(),
});
type Mark = z.infer<typeof Mark>;
const Copy = Mark.extend({ task_id: z.string() });

/** Of a file that many tasks may write to. */
const LOOKED_THROUGH_BYTES = 4 * 1024 * 1024;

/**
 * The history's records after the last one that has a copy, oldest first: a run was killed, or the disk was full, before they had
 * one. None where no copy is found at the file's end: the user may have put the others away.
 */
export function missedCopies(history: string, persist: string, task_id: string): HistoryRecord[] {
  const latest = [...lastRecords(history, HistoryRecord)];
  const copied = lastCopy(persist, task_id);
  const count = latest.findIndex((record) => copied && isSameRecord(record, copied));
  return count < 0 ? [] : latest.slice(0, count).reverse();
}

function lastCopy(persist: string, task_id: string): Mark | undefined {
  if (!isFile(persist)) return undefined; // a pipe keeps its reader waiting
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
