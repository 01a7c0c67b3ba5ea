import { HistoryRecord, type LoopResult, type LoopStatus } from "../../model/records.ts";
import type { Task } from "../../model/task.ts";
import { addUsage, NOTHING_SPENT, Spending, spentInAll, type Usage } from "../../model/usage.ts";
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
  const ending = records.findLast((record) => record.type === "final_result");
  return { task, directory, status, ...standing, spent: spentInAll(spending, ending), records, spending };
}

/** From a task's records, the last one first, or as many of them as have the last summary and judgment. */
export function standingOf(latest: readonly HistoryRecord[]): Standing {
  const last = latest[0];
  const judgment = latest.find((record) => record.type === "judgment");
  return {
    result: last?.type === "final_result" ? last : undefined,
    iterations: latest.find((record) => record.type === "summary")?.iteration ?? 0,
    criteria_met: metIn(judgment),
  };
}

export function metIn(judgment: { evaluations: readonly { is_met: boolean }[] } | null | undefined): number {
  return judgment?.evaluations.filter(({ is_met }) => is_met).length ?? 0;
}

export function totalOf(spending: readonly Usage[]): Usage {
  return spending.reduce<Usage>(addUsage, NOTHING_SPENT);
}
