import { asE8Error, type E8Error } from "../../model/errors.ts";
import { HistoryRecord, type LoopResult, type LoopStatus } from "../../model/records.ts";
import type { Task, TaskId } from "../../model/task.ts";
import { addUsage, NOTHING_SPENT, Spending, type Usage } from "../../model/usage.ts";
import { readRecords } from "./json-lines.ts";
import { readLock } from "./lock.ts";
import { listTasks, openTask } from "./task-directory.ts";
import { taskPaths } from "./task-paths.ts";

/** Where a task stands: how its last run ended, that it runs now, or that it was cut off. */
export type TaskStatus = LoopStatus | "running" | "interrupted";

export interface TaskOverview {
  task: Task;
  directory: string;
  status: TaskStatus;
  records: HistoryRecord[];
  /** The last run's result, where it came to one. */
  result: LoopResult | undefined;
  iterations: number;
  criteria_met: number;
  spent: Usage;
}

/** Reads a task without its lock: it may be running. */
export async function overviewOf(project: string, id: string): Promise<TaskOverview> {
  const { path, task } = await openTask(project, id);
  const paths = taskPaths(path);
  const records: HistoryRecord[] = [];
  for await (const record of readRecords(paths.history, HistoryRecord, () => {})) records.push(record);
  let spent = NOTHING_SPENT;
  for await (const spending of readRecords(paths.ledger, Spending, () => {})) spent = addUsage(spent, spending);
  const last = records.at(-1);
  const result = last?.type === "final_result" ? last : undefined;
  const isRunning = (await readLock(paths.lock)) !== undefined;
  const judgment = records.findLast((record) => record.type === "judgment");
  return {
    task,
    directory: path,
    status: isRunning ? "running" : (result?.status ?? "interrupted"),
    records,
    result,
    iterations: records.findLast((record) => record.type === "summary")?.iteration ?? 0,
    criteria_met: judgment?.evaluations.filter((evaluation) => evaluation.is_met).length ?? 0,
    spent,
  };
}

/** All of a project's tasks, oldest first. A broken one is listed with what is wrong with it. */
export async function overviews(project: string): Promise<(TaskOverview | { task_id: TaskId; error: E8Error })[]> {
  const ids = await listTasks(project);
  return Promise.all(
    ids.map((task_id) => overviewOf(project, task_id).catch((error) => ({ task_id, error: asE8Error(error) }))),
  );
}
