import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { z } from "zod";
import { E8Error } from "../../model/errors.ts";
import { issueWording } from "../../model/issue-wording.ts";
import { joined, type Statement, type Words, worded } from "../../model/statement.ts";
import { Task } from "../../model/task.ts";
import type { TaskFiles } from "../ports/task-store.ts";
import { flushFile, replaceFile, replaceUnflushed } from "./durable.ts";
import { errorCode, problemOf, readFault } from "./faults.ts";
import type { Guard } from "./journal.ts";
import { type TaskPlace, taskPaths } from "./task-paths.ts";

/**
 * Reads task.json anew: between finding a task and locking it, another process may have changed it. The guard says, by
 * throwing, that the task is no longer ours: then nothing of it is put back.
 */
export async function openTaskFiles(
  { project, id, path }: TaskPlace,
  { guard = async () => {}, confirmRecords = () => {} }: { guard?: Guard; confirmRecords?: () => void } = {},
): Promise<TaskFiles> {
  const paths = taskPaths(path);
  let text = await readText(path, id);
  let task = inItsPlace(parseTask(text, paths.task), project);
  return {
    directory: path,
    history_path: relativeTo(project, paths.history),
    get task() {
      return task;
    },
    async save(change) {
      const changed = { ...task, ...change };
      text = await writeTask(path, changed);
      task = changed;
    },
    async restore() {
      if (!existsSync(path)) return false; // its records are gone as well, and say so
      await guard();
      if (textOf(paths.task) === text) return false;
      if (isDirectory(paths.task)) await rm(paths.task, { recursive: true });
      await replaceFile(paths.task, text);
      return true;
    },
    confirmRecords,
    async saveOutput(text) {
      await replaceUnflushed(paths.output, text);
      return relativeTo(project, paths.output);
    },
    flushOutput: () => flushFile(paths.output),
    readOutput: () => readOutput(paths.output),
  };
}

export async function readTask(project: string, directory: string, id: string): Promise<Task> {
  return inItsPlace(parseTask(await readText(directory, id), taskPaths(directory).task), project);
}

/** The project may have been moved or copied since the task began: where it is now is what counts, and what lies in it went along. */
function inItsPlace(task: Task, project: string): Task {
  if (task.project === project) return task;
  const { configuration, agent } = task;
  const now = (directory: string) => {
    const inside = relative(task.project, directory);
    return isAbsolute(directory) && inside.split(sep)[0] !== ".." ? join(project, inside) : directory;
  };
  return {
    ...task,
    project,
    configuration: { ...configuration, working_directory: now(configuration.working_directory) },
    agent: agent && { ...agent, directory: now(agent.directory) },
  };
}

/** Undefined where there is no file. Anything else in its place might keep a reader waiting for ever. */
function textOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function readText(directory: string, id: string): Promise<string> {
  const { task: path, history } = taskPaths(directory);
  return readFile(path, "utf8").catch((error) => {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw readFault(error, path);
    if (existsSync(history)) throw new E8Error("task_file_broken", { path, problem: MISSING });
    throw new E8Error("task_not_found", { id });
  });
}

const MISSING: Words = { en: "it does not exist", ja: "ファイルがありません" };

/** Returns the text that was written. */
export async function writeTask(directory: string, task: Task): Promise<string> {
  const text = `${JSON.stringify(task, null, 2)}\n`;
  await replaceFile(taskPaths(directory).task, text);
  return text;
}

async function readOutput(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return "";
    throw readFault(error, path);
  });
}

function parseTask(text: string, path: string): Task {
  const parsed = Task.safeParse(parseJson(text, path), { reportInput: true });
  if (!parsed.success) throw new E8Error("task_file_broken", { path, problem: problemsIn(parsed.error) });
  return parsed.data;
}

function problemsIn({ issues }: z.ZodError): Statement {
  const lines = issues.map((issue) =>
    worded((say) => `${issue.path.join(".") || "task.json"}: ${say(issueWording(issue))}`),
  );
  return joined(lines, "\n");
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new E8Error("task_file_broken", { path, problem: problemOf(error) }, { cause: error });
  }
}

function relativeTo(project: string, path: string): string {
  return relative(project, path).split(sep).join("/");
}
