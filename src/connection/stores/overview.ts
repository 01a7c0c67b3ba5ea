import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { asE8Error, type E8Error } from "../../model/errors.ts";
import { HistoryRecord } from "../../model/records.ts";
import { TaskId } from "../../model/task.ts";
import { Spending, type Usage } from "../../model/usage.ts";
import { readFault } from "./faults.ts";
import { parseLine } from "./json-lines.ts";
import { lastRecords } from "./last-records.ts";
import { readLock } from "./lock.ts";
import { listTasks } from "./task-directory.ts";
import { metIn, readPast, type Standing, standingOf, type TaskStatus, totalOf } from "./task-past.ts";
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

/** Reads the ends of files; a task of which they do not say enough is read as a whole. */
async function overviewOf(project: string, id: TaskId): Promise<TaskOverview> {
  const directory = taskDirectoryOf(project, id);
  const paths = taskPaths(directory);
  const task = readHeading(paths.task);
  const standing = task && readStanding(paths.history);
  if (!standing) return readPast(project, id);
  const spent = standing.result?.usage ?? readSpent(paths.ledger);
  const isRunning = existsSync(paths.lock) && (await readLock(paths.lock)) !== undefined;
  const status = isRunning ? "running" : (standing.result?.status ?? "interrupted");
  return { task, directory, status, ...standing, spent };
}

/** Undefined when something is wrong with the file: reading all of it tells what. */
function readHeading(path: string): TaskHeading | undefined {
  try {
    return TaskHeading.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** A run's result has all of it; without one it takes the last summary and the last judgment. */
function readStanding(path: string): Standing | undefined {
  const latest: HistoryRecord[] = [];
  const types = new Set<string>();
  for (const record of lastRecords(path, HistoryRecord)) {
    if (latest.length === 0 && record.type === "final_result")
      return { result: record, iterations: record.iterations_used, criteria_met: metIn(record.final_judgment) };
    latest.push(record);
    types.add(record.type);
    if (types.has("summary") && types.has("judgment")) return standingOf(latest);
  }
  return undefined;
}

function readSpent(path: string): Usage {
  const lines = existsSync(path) ? linesOf(path) : [];
  return totalOf(lines.flatMap((line) => parseLine(Buffer.from(line), Spending) ?? []));
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    throw readFault(error, path);
  }
}
