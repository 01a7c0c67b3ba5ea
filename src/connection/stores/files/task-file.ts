import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import type { z } from "zod";
import { E8Error } from "../../../model/errors.ts";
import { lacksHidden, publicTask } from "../../../model/hidden.ts";
import { issueWording } from "../../../model/issue-wording.ts";
import { listed, message, type Statement } from "../../../model/message.ts";
import { Task } from "../../../model/task.ts";
import { inItsPlace } from "../in-its-place.ts";
import { replaceFile } from "./durable.ts";
import { errorCode, problemOf, readFault } from "./faults.ts";
import type { Guard } from "./journal.ts";
import { type TaskPlace, taskPaths } from "./task-paths.ts";
import { isDirectory, taskText, textIn } from "./task-text.ts";
import { vaultOf } from "./vault/registry.ts";
import { readVaultTask, writeVaultTask } from "./vault/vault-task.ts";

/** The task.json of a task whose lock we hold, and its copy, which alone has the hidden commands. */
export class TaskFile {
  readonly #place: TaskPlace;
  readonly #guard: Guard;
  /** The path of the copy. */
  readonly #copy: string | undefined;
  /** As we last wrote or read it. Any other text was written by another program. */
  #text: string;
  #task: Task;

  private constructor(
    place: TaskPlace,
    guard: Guard,
    { text, task, copy }: { text: string; task: Task; copy?: string },
  ) {
    this.#place = place;
    this.#guard = guard;
    this.#copy = copy;
    this.#text = text;
    this.#task = inItsPlace(task, place.project);
    if (lacksHidden(this.#task)) throw new E8Error("hidden_check_lost", { id: place.id });
  }

  /** Reads the file again: another process may have changed it before we had the lock. `copy`: the path of its copy. */
  static async open(place: TaskPlace, guard: Guard, copy?: string): Promise<TaskFile> {
    const text = await readText(place.path, place.id);
    if (copy === undefined)
      return new TaskFile(place, guard, { text, task: parseTask(text, taskPaths(place.path).task) });
    return new TaskFile(place, guard, { text, task: (await readVaultTask(copy)).task, copy });
  }

  get task(): Task {
    return this.#task;
  }

  async save(change: Partial<Task>): Promise<void> {
    const changed = { ...this.#task, ...change };
    await this.#guard();
    if (this.#copy !== undefined) await writeVaultTask(this.#copy, changed, this.#text);
    this.#text = await writeTask(this.#place.path, this.#copy === undefined ? changed : publicTask(changed));
    this.#task = changed;
  }

  /** Restores a file that another program has changed, because the next run reads its criteria there. Returns whether it did. */
  async restore(): Promise<boolean> {
    const { task: path } = taskPaths(this.#place.path);
    if (!existsSync(this.#place.path)) return false; // the records are gone, too, and report it
    await this.#guard();
    if (textIn(path) === this.#text) return false;
    if (isDirectory(path)) await rm(path, { recursive: true });
    await replaceFile(path, this.#text);
    return true;
  }
}

/** The task as it counts: from its copy, where it has one. */
export async function readTask(project: string, directory: string, id: string): Promise<Task> {
  const vault = existsSync(directory) ? vaultOf(project, id) : undefined;
  return vault ? inItsPlace((await readVaultTask(vault.task)).task, project) : readProjectTask(project, directory, id);
}

/** The task as the project's file has it. */
export async function readProjectTask(project: string, directory: string, id: string): Promise<Task> {
  return inItsPlace(parseTask(await readText(directory, id), taskPaths(directory).task), project);
}

async function readText(directory: string, id: string): Promise<string> {
  const { task: path, history } = taskPaths(directory);
  return readFile(path, "utf8").catch((error) => {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw readFault(error, path);
    if (existsSync(history)) throw new E8Error("task_file_broken", { path, problem: message("file_missing", {}) });
    throw new E8Error("task_not_found", { id });
  });
}

/** Returns the text that was written. */
export async function writeTask(directory: string, task: Task): Promise<string> {
  const text = taskText(task);
  await replaceFile(taskPaths(directory).task, text);
  return text;
}

function parseTask(text: string, path: string): Task {
  const parsed = Task.safeParse(parseJson(text, path), { reportInput: true });
  if (!parsed.success) throw new E8Error("task_file_broken", { path, problem: problemsIn(parsed.error) });
  return parsed.data;
}

function problemsIn({ issues }: z.ZodError): Statement {
  const lines = issues.map((issue) => listed([issue.path.join(".") || "task.json", issueWording(issue)], ": "));
  return listed(lines, "\n");
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new E8Error("task_file_broken", { path, problem: problemOf(error) }, { cause: error });
  }
}
