import { existsSync } from "node:fs";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { publicTask } from "../../../model/hidden.ts";
import type { Task, TaskId } from "../../../model/task.ts";
import type { NewTask } from "../../ports/task-store.ts";
import { requireProject } from "../../project.ts";
import { syncDirectory } from "./durable.ts";
import { errorCode, writeFault } from "./faults.ts";
import { listTasks } from "./reading.ts";
import { writeTask } from "./task-file.ts";
import { OWN_DIRECTORY, RECORDS_DIRECTORY, tasksDirectory } from "./task-paths.ts";
import { leaveUnnamed, nameMaker, sweepUnmade } from "./unmade.ts";
import { requireRegistry } from "./vault/registry.ts";
import { forgetVault, keepNewTask } from "./vault/vault.ts";

/** Makes the task's directory with its task.json, or leaves nothing behind. */
export async function createTask(directory: string, input: NewTask): Promise<TaskId> {
  const { configuration, now, flow, named, ...given } = input;
  const project = resolve(directory);
  await requireProject(project);
  await sweepUnmade(project);
  const made: Undo[] = [];
  await requireRegistry(project, () => listTasks(project)).catch(() => {}); // a run without one says so
  try {
    await makeRecordsDirectory(project, made);
    const { id, path } = await makeTaskDirectory(tasksDirectory(project), now, made);
    await named?.(id);
    const created_at = now.toISOString();
    const source = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const input = { configuration, flow: flow ?? null, ...source };
    const task: Task = {
      version: 1,
      task_id: id,
      created_at,
      project,
      ...input,
      intake: null,
      answers: [],
      boundary: null,
    };
    made.push(() => forgetVault({ project, id, path }));
    await keepNewTask({ project, id, path }, task);
    await writeTask(path, publicTask(task));
    await leaveUnnamed(path);
    return id;
  } catch (error) {
    await undo(made);
    throw writeFault(error, join(project, RECORDS_DIRECTORY));
  }
}

export type Undo = () => Promise<void>;

/** Undoes in reverse order and stops at the first failure: another run may already use a directory that we made. */
export async function undo(made: readonly Undo[]): Promise<void> {
  try {
    for (const step of made.toReversed()) await step();
  } catch {
    // the first error is the one to report
  }
}

/**
 * A `.gitignore` keeps the records out of commits, and out of checks for a clean working copy. Other files in a user's own `.e8`,
 * such as issues, can be committed.
 */
export async function makeRecordsDirectory(project: string, made: Undo[]): Promise<void> {
  const records = join(project, RECORDS_DIRECTORY);
  const tasks = tasksDirectory(project);
  if (await makeDirectory(records)) {
    made.push(() => rmdir(records));
    await hideFromGit(records, made);
  }
  if (!(await makeDirectory(tasks))) return;
  made.push(() => rmdir(tasks));
  if (!existsSync(join(records, ".gitignore"))) await hideFromGit(tasks, made);
}

async function hideFromGit(directory: string, made: Undo[]): Promise<void> {
  const ignore = join(directory, ".gitignore");
  made.push(() => rm(ignore, { force: true }));
  await writeFile(ignore, "*\n");
}

async function makeTaskDirectory(tasks: string, now: Date, made: Undo[]): Promise<{ id: TaskId; path: string }> {
  const second = now.toISOString().slice(0, 19).replaceAll(":", "-");
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? second : `${second}-${count}`;
    const path = join(tasks, id);
    if (!(await makeDirectory(path, OWN_DIRECTORY))) continue;
    made.push(() => rm(path, { recursive: true, force: true }));
    if (await nameMaker(path)) return { id, path };
    made.pop(); // swept away before it said whose it is
  }
}

/** False when the name is already taken. */
async function makeDirectory(path: string, mode = 0o777): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw writeFault(error, path);
  }
}
