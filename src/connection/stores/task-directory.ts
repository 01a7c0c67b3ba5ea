import { statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { type Task, TaskId } from "../../model/task.ts";
import { errorCode, readFault } from "./faults.ts";
import { readTask } from "./task-files.ts";
import { type TaskPlace, taskPaths, tasksDirectory } from "./task-paths.ts";

export interface TaskDirectory extends TaskPlace {
  task: Task;
}

export async function openTask(directory: string, id: string): Promise<TaskDirectory> {
  // Before anything else: an id such as `../..` must not reach the file system.
  if (!TaskId.safeParse(id).success) throw new E8Error("task_id_invalid", { id });
  const project = resolve(directory);
  await requireProject(project);
  const path = join(tasksDirectory(project), id);
  return { project, id, path, task: await readTask(project, path, id) };
}

/** The id of the task that was begun last. */
export async function latestTask(project: string): Promise<TaskId> {
  const latest = (await listTasks(project)).at(-1);
  if (latest === undefined) throw new E8Error("no_tasks", { directory: project });
  return latest;
}

/** The ids of the project's tasks, oldest first. What a task holds may still be broken: `openTask` tells. */
export async function listTasks(project: string): Promise<TaskId[]> {
  await requireProject(project);
  const directory = tasksDirectory(project);
  const names = await readdir(directory).catch((error) => {
    if (errorCode(error) === "ENOENT") return [];
    throw readFault(error, directory);
  });
  const ids = names.filter((name) => TaskId.safeParse(name).success);
  return ids.filter((id) => isTask(join(directory, id))).sort(byAge);
}

export async function requireProject(project: string): Promise<void> {
  const found = await stat(project).catch((error) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw readFault(error, project);
  });
  if (!found) throw new E8Error("project_missing", { path: project });
  if (!found.isDirectory()) throw new E8Error("project_not_directory", { path: project });
}

/** A directory without either was left by a process that died while it was making the task. */
function isTask(path: string): boolean {
  const { task, history } = taskPaths(path);
  return isThere(task) || isThere(history);
}

/** Also what cannot be looked at: a task that nobody may read is no task less. Synchronous: several times faster for a thousand of them. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== "ENOTDIR";
  }
}

const SECOND = "2026-01-23T13-30-00".length;

/** By second, then by the number a collision got: `-10` is younger than `-9`. */
function byAge(left: TaskId, right: TaskId): number {
  const [leftSecond, rightSecond] = [left.slice(0, SECOND), right.slice(0, SECOND)];
  if (leftSecond !== rightSecond) return leftSecond < rightSecond ? -1 : 1;
  return collision(left) - collision(right);
}

function collision(id: TaskId): number {
  return Number(id.slice(SECOND + 1) || 1);
}
