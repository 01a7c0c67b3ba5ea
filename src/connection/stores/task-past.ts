import { existsSync } from "node:fs";
import { HistoryRecord, type LoopResult, type LoopStatus } from "../../model/records.ts";
import type { Task } from "../../model/task.ts";
import { Spending, spentInAll, type Usage } from "../../model/usage.ts";
import { collect, readRecords } from "./json-lines.ts";
import { lastHolder } from "./lock.ts";
import { openTask } from "./task-directory.ts";
import { taskPaths } from "./task-paths.ts";

/** Where a task stands: how its last run ended, that it runs now, or that it was cut off. */
export type TaskStatus = LoopStatus | "running" | "interrupted";

/** How far a task has come. */
export interface Standing {
  /** The last run's result, where it came to one; undefined while one runs, too. */
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
  const last = records.at(-1);
  const outcome = await outcomeOf(paths.lock, last?.type === "final_result" ? last : undefined);
  const ending = records.findLast((record) => record.type === "final_result");
  const iterations = records.findLast((record) => record.type === "summary")?.iteration ?? 0;
  const criteria_met = metIn(records.findLast((record) => record.type === "judgment"));
  const spent = spentInAll(spending, ending);
  return { task, directory, ...outcome, iterations, criteria_met, spent, records, spending };
}

/**
 * What became of the last run, from the task's lock and the ending that its records close with. That may be the ending of the run
 * before: whoever was killed left the lock behind and no record. What is completed does not run again.
 */
export async function outcomeOf(
  lock: string,
  ending: LoopResult | undefined,
): Promise<{ status: TaskStatus; result: LoopResult | undefined }> {
  const last = existsSync(lock) ? await lastHolder(lock) : undefined;
  if (last?.is_alive) return { status: "running", result: undefined };
  const isEarlier =
    ending?.status !== "completed" && last !== undefined && last.holder.since > (ending?.timestamp ?? "");
  return ending && !isEarlier
    ? { status: ending.status, result: ending }
    : { status: "interrupted", result: undefined };
}

export function metIn(judgment: { evaluations: readonly { is_met: boolean }[] } | null | undefined): number {
  return judgment?.evaluations.filter(({ is_met }) => is_met).length ?? 0;
}
