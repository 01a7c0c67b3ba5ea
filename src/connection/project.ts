import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { E8Error } from "../model/errors.ts";
import { errorCode, readFault } from "./stores/files/faults.ts";
import { LOCKS_DIRECTORY, RECORDS_DIRECTORY } from "./stores/files/task-paths.ts";

/** Throws where the project's directory is missing or is not a directory. */
export async function requireProject(project: string): Promise<void> {
  const found = await stat(project).catch((error) => {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw readFault(error, project);
  });
  if (!found) throw new E8Error("project_missing", { path: project });
  if (!found.isDirectory()) throw new E8Error("project_not_directory", { path: project });
}

/**
 * The project that a directory is in: the nearest one upwards that has records of ours, or else the directory itself. The home directory
 * is a project only for those who are in it, and nothing above it is looked at.
 */
export async function findProject(from: string): Promise<string> {
  const home = await realpath(homedir()).catch(() => homedir());
  for (let directory = from; ; directory = dirname(directory)) {
    const isEnd = directory === home || directory === dirname(directory);
    if (directory === from ? await hasRecords(directory) : !isEnd && (await isOwnProject(directory, from)))
      return directory;
    if (isEnd) return from;
  }
}

/** A stranger's project above a shared directory, such as /tmp, must not decide what runs here. */
async function isOwnProject(directory: string, from: string): Promise<boolean> {
  if (!(await hasRecords(directory))) return false;
  const [{ uid }, here] = await Promise.all([stat(join(directory, RECORDS_DIRECTORY)), stat(from)]);
  return uid === process.getuid?.() || uid === here.uid;
}

/** A directory that other projects have worked in has nothing but locks there. */
async function hasRecords(directory: string): Promise<boolean> {
  const names = await readdir(join(directory, RECORDS_DIRECTORY)).catch(() => []);
  return names.some((name) => name !== LOCKS_DIRECTORY);
}
