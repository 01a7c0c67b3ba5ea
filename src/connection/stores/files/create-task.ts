import { existsSync } from "node:fs";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Task, TaskId } from "../../../model/task.ts";
import type { NewTask } from "../../ports/task-store.ts";
import { requireProject } from "../../project.ts";
import { syncDirectory } from "./durable.ts";
import { errorCode, writeFault } from "./faults.ts";
import { writeTask } from "./task-file.ts";
import { RECORDS_DIRECTORY, tasksDirectory } from "./task-paths.ts";

/** Makes the task's directory with its task.json, or leaves nothing behind. */
export async function createTask(directory: string, { configuration, now, flow, script }: NewTask): Promise<TaskId> {
  const project = resolve(directory);
  await requireProject(project);
  const made: Undo[] = [];
  try {
    await makeRecordsDirectory(project, made);
    const { id, path } = await makeTaskDirectory(tasksDirectory(project), now, made);
    const created_at = now.toISOString();
    const input = { configuration, flow: flow ?? null, ...(script !== undefined && { script }) };
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
    await writeTask(path, task);
    return id;
  } catch (error) {
    await undo(made);
    throw writeFault(error, join(project, RECORDS_DIRECTORY));
  }
}

type Undo = () => Promise<void>;

/** Backwards, up to the first thing that is in use by now: another run may have begun in a directory that we made. */
async function undo(made: readonly Undo[]): Promise<void> {
  try {
    for (const step of made.toReversed()) await step();
  } catch {
    // what cannot be removed stays; the fault that brought us here is the one to report
  }
}

/**
 * The records are private to the working copy: a `.gitignore` keeps them from being committed by accident, and from being the change
 * that a check finds in a clean working copy. What else is in an `.e8` that the user made, such as issues, is the user's to commit.
 */
async function makeRecordsDirectory(project: string, made: Undo[]): Promise<void> {
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
    if (!(await makeDirectory(path))) continue;
    made.push(() => rm(path, { recursive: true, force: true }));
    return { id, path };
  }
}

/** Whether it was made here; false when there is something of that name already. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw writeFault(error, path);
  }
}
