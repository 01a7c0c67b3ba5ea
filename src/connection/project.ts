import { existsSync } from "node:fs";
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
 * The project that a directory is in: the nearest one upwards that has records of ours or an `endless8.yaml`, or else the directory
 * itself. The home directory is a project only for those who are in it, and nothing above it is looked at.
 */
export async function findProject(from: string): Promise<string> {
  const home = await realpath(homedir()).catch(() => homedir());
  for (let directory = from; ; directory = dirname(directory)) {
    const isEnd = directory === home || directory === dirname(directory);
    const mark = directory === from || !isEnd ? await markIn(directory) : undefined;
    if (mark && (directory === from || (await isOwn(mark, from)))) return directory;
    if (isEnd) return from;
  }
}

/** A stranger's project above a shared directory, such as /tmp, must not decide what runs here. */
async function isOwn(mark: string, from: string): Promise<boolean> {
  const [{ uid }, here] = await Promise.all([stat(mark), stat(from)]);
  return uid === process.getuid?.() || uid === here.uid;
}

/** What makes a directory a project. One whose tasks are all in a database may have no records, but its settings name the database. */
async function markIn(directory: string): Promise<string | undefined> {
  const records = join(directory, RECORDS_DIRECTORY);
  const names = await readdir(records).catch(() => []);
  if (names.some((name) => name !== LOCKS_DIRECTORY)) return records; // a directory that other projects have worked in has only locks
  const settings = join(directory, SETTINGS_FILE);
  return existsSync(settings) ? settings : undefined;
}

/** Defaults for all tasks of a project. */
export const SETTINGS_FILE = "endless8.yaml";
