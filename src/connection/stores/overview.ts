import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { asE8Error, type E8Error } from "../../model/errors.ts";
import { HistoryRecord, type LoopResult } from "../../model/records.ts";
import { TaskId } from "../../model/task.ts";
import { Spending, spentInAll, type Usage } from "../../model/usage.ts";
import { readFault } from "./faults.ts";
import { parseLine } from "./json-lines.ts";
import { lastRecords } from "./last-records.ts";
import { listTasks } from "./task-directory.ts";
import { metIn, outcomeOf, readPast, type Standing, type TaskStatus } from "./task-past.ts";
import { taskDirectoryOf, taskPaths } from "./task-paths.ts";

/** What a list shows of a task.json. */
const TaskHeading = z.object({
  task_id: TaskId,
  created_at: z.string(),
  configuration: z.object({ task: z.string(), criteria: z.array(z.unknown()), max_iterations: z.number() }),
  agent: z
    .object({ name: z.string(), parameters: z.record(z.string(), z.unknown()) })
    .nullable()
    .default(null),
});
type TaskHeading = z.infer<typeof TaskHeading>;

export interface TaskOverview extends Standing {
  task: TaskHeading;
  directory: string;
  status: TaskStatus;
  spent: Usage;
}

export interface BrokenTask {
  task_id: TaskId;
  error: E8Error;
}

/** All of a project's tasks, oldest first. A broken one is listed with what is wrong with it. */
export async function overviews(project: string): Promise<(TaskOverview | BrokenTask)[]> {
  const ids = await listTasks(project);
  return Promise.all(
    ids.map((task_id) => overviewOf(project, task_id).catch((error) => ({ task_id, error: asE8Error(error) }))),
  );
}

/** The ending of the last run says where a task stands; a task without one is read as a whole. */
async function overviewOf(project: string, id: TaskId): Promise<TaskOverview> {
  const directory = taskDirectoryOf(project, id);
  const paths = taskPaths(directory);
  const task = readHeading(paths.task);
  const { status, result } = await outcomeOf(paths.lock, readEnding(paths.history));
  if (!task || !result) return readPast(project, id);
  const { iterations_used: iterations, final_judgment } = result;
  const spent = spentInAll(readSpending(paths.ledger), result);
  return { task, directory, status, result, iterations, criteria_met: metIn(final_judgment), spent };
}

/** Undefined when something is wrong with the file: reading all of it tells what. */
function readHeading(path: string): TaskHeading | undefined {
  try {
    return TaskHeading.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function readEnding(path: string): LoopResult | undefined {
  const [last] = lastRecords(path, HistoryRecord);
  return last?.type === "final_result" ? last : undefined;
}

function readSpending(path: string): Spending[] {
  const lines = existsSync(path) ? linesOf(path) : [];
  return lines.flatMap((line) => parseLine(Buffer.from(line), Spending) ?? []);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    throw readFault(error, path);
  }
}
