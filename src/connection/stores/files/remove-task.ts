import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { E8Error } from "../../../model/errors.ts";
import { errorCode, readFault, writeFault } from "./faults.ts";
import { acquireLock } from "./lock.ts";
import { isTask } from "./reading.ts";
import { readTask } from "./task-file.ts";
import { rawLogDirectory, type TaskPlace, taskPaths } from "./task-paths.ts";
import { vaultPaths } from "./vault/registry.ts";
import { forgetVault } from "./vault/vault.ts";

/**
 * Removes the task's directory, and its raw logs where the user chose another place for them. The directory gets another name first: a task
 * is there whole or not at all.
 */
export async function removeTask(place: TaskPlace): Promise<void> {
  const [directory, ...logs] = await directoriesOf(place);
  const lock = await acquireLock(taskPaths(directory).lock, place.id);
  const leftover = `${directory}.removed`;
  try {
    await rm(leftover, { recursive: true, force: true });
    await rename(directory, leftover);
    for (const path of [leftover, ...logs]) await rm(path, { recursive: true, force: true });
    await forgetVault(place);
  } catch (error) {
    await lock.release();
    throw writeFault(error, directory);
  }
}

/** The bytes of the task's files. */
export async function sizeOfTask(place: TaskPlace): Promise<number> {
  const copies = vaultPaths(place.project, place.id).directory;
  const sizes = await Promise.all([...(await directoriesOf(place)), copies].map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The task's own directory first. Of an unreadable task, nothing else is known. */
async function directoriesOf(place: TaskPlace): Promise<[string, ...string[]]> {
  const { project, id, path } = place;
  if (!isTask(path)) throw new E8Error("task_not_found", { id });
  const task = await readTask(project, path, id).catch(() => undefined);
  const logs = rawLogDirectory(place, task?.configuration.logging.raw_log_dir ?? null);
  return logs.startsWith(path) ? [path] : [path, logs];
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((error) => {
    if (errorCode(error) === "ENOENT") return [];
    throw readFault(error, directory);
  });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(files.map((path) => lstat(path).catch(() => undefined))); // a run may remove one meanwhile
  return found.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}
