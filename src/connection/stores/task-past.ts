import { HistoryRecord, type LoopResult, type LoopStatus } from "../../model/records.ts";
import type { Task } from "../../model/task.ts";
import { Spending, spentInAll, type Usage } from "../../model/usage.ts";
import { collect, readRecords } from "./json-lines.ts";
import { readLock } from "./lock.ts";
import { openTask } from "./task-directory.ts";
import { taskPaths } from "./task-paths.ts";

/** Where a task stands: how its last run ended, that it runs now, or that it was cut off. */
export type TaskStatus = LoopStatus | "running" | "interrupted";

/** How far a task has come. */
export interface Standing {
  /** The last run's result, where it came to one. */
  result: LoopResult | undefined;
  iterations: number;
  criteria_met: number;
}

/** All that was recorded of a task. */
export interface TaskPast extends Standing {
  task: Task;
  directory: string;
  status: TaskStatus;
  spent: Usage;
  records: HistoryRecord[];
  spending: Spending[];
}

/** Read without the task's lock: it may be running. */
export async function readPast(project: string, id: string): Promise<TaskPast> {
  const { path: directory, task } = await openTask(project, id);
  const paths = taskPaths(directory);
  const records = await collect(readRecords(paths.history, HistoryRecord, () => {}));
  const spending = await collect(readRecords(paths.ledger, Spending, () => {}));
  const standing = standingOf(records.toReversed());
  const status = (await readLock(paths.lock)) ? "running" : (standing.result?.status ?? "interrupted");
  const spent = spentInAll(spending, records.findLast(isEnding));
  return { task, directory, status, ...standing, spent, records, spending };
}

/** From a task's records, the last one first: all, or as many as have its ending, or the last summary and judgment where there is none. */
export function standingOf(latest: readonly HistoryRecord[]): Standing {
  const last = latest[0];
  if (isEnding(last))
    return { result: last, iterations: last.iterations_used, criteria_met: metIn(last.final_judgment) };
  return {
    result: undefined,
    iterations: latest.find((record) => record.type === "summary")?.iteration ?? 0,
    criteria_met: metIn(latest.find((record) => record.type === "judgment")),
  };
}

export function isEnding(record: HistoryRecord | undefined): record is LoopResult {
  return record?.type === "final_result";
}

function metIn(judgment: { evaluations: readonly { is_met: boolean }[] } | null | undefined): number {
  return judgment?.evaluations.filter(({ is_met }) => is_met).length ?? 0;
}
