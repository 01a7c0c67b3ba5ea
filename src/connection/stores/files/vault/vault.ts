import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { E8Error } from "../../../../model/errors.ts";
import { isHidden } from "../../../../model/hidden.ts";
import { isRecord, jsonIn } from "../../../../model/json.ts";
import { notice } from "../../../../model/notices.ts";
import type { Task, TaskId } from "../../../../model/task.ts";
import type { ReportNotice } from "../../../ports/task-store.ts";
import { projectState } from "../../../state-directory.ts";
import { fileProblem, writeFault } from "../faults.ts";
import { type TaskPlace, taskPaths } from "../task-paths.ts";
import { textIn } from "../task-text.ts";
import { compareJournals, compareTask } from "./compare.ts";
import {
  originOf,
  register,
  registeredTasks,
  requireRegistry,
  type VaultPaths,
  vaultOf,
  vaultPaths,
} from "./registry.ts";
import { writeVaultTask } from "./vault-task.ts";

export interface VaultRequest {
  /** Takes the project's files as they are now. */
  acceptChanges: boolean;
  report: ReportNotice;
  /** The ids of the project's tasks. */
  present: () => Promise<TaskId[]>;
  /** The task as the project has it now. */
  found: () => Promise<Task>;
}

/** The copies of a task. `isNew`: they are to be made of the project's files. */
export interface Vault {
  paths: VaultPaths;
  isNew: boolean;
}

/** Keeps a new task. Undefined where nothing can be kept outside the project; a hidden check needs such a place. */
export async function keepNewTask(place: TaskPlace, task: Task): Promise<void> {
  const { project, id } = place;
  const paths = vaultPaths(project, id);
  try {
    register(project, id, "begun");
    await makeDirectory(paths.directory);
    await writeVaultTask(paths.task, task, undefined);
  } catch (error) {
    if (task.configuration.criteria.some(isHidden)) throw writeFault(error, paths.directory);
  }
}

/**
 * Compares the records of a task, whose lock we hold, with their copies, and makes them what they were. A task without copies that began
 * elsewhere counts only when the user accepts it. Undefined where nothing can be kept.
 */
export async function openVault(place: TaskPlace, request: VaultRequest): Promise<Vault | undefined> {
  const { project, id } = place;
  const { acceptChanges, report, present, found } = request;
  try {
    await requireRegistry(project, present);
  } catch (error) {
    const path = projectState(project);
    report(notice("vault_unwritable", { path, problem: fileProblem(error instanceof E8Error ? error.cause : error) }));
    return undefined;
  }
  await bringAlong(place);
  const origin = originOf(project, id);
  const paths = vaultPaths(project, id);
  if (origin === "kept") {
    await compareTask(place, paths, request);
    if (!acceptChanges) await compareJournals(place, paths, report);
    return { paths, isNew: acceptChanges };
  }
  if (origin !== "older" && !acceptChanges)
    throw new E8Error(origin === "lost" ? "task_copy_lost" : "task_unknown", { id });
  if (origin === "older") report(notice("task_unverified", { id }));
  await makeDirectory(paths.directory);
  await writeVaultTask(paths.task, await found(), undefined);
  register(project, id, "begun");
  return { paths, isNew: true };
}

/** Removes the copies of a task. */
export async function forgetVault({ project, id }: TaskPlace): Promise<void> {
  if (!existsSync(projectState(project))) return;
  register(project, id, "removed");
  await rm(vaultPaths(project, id).directory, { recursive: true, force: true });
}

/** Removes the copies of tasks that are gone. Returns how many there were. */
export async function sweepVault(project: string, present: readonly TaskId[]): Promise<number> {
  const directory = dirname(vaultPaths(project, "x").directory);
  const kept = new Set([...(await readdir(directory).catch(() => [])), ...registeredTasks(project)]);
  const gone = [...kept].filter((id) => !present.includes(id));
  for (const id of gone) await forgetVault({ project, id, path: join(directory, id) });
  return gone.length;
}

/** The project was moved: what was kept of the task at its earlier place is still true. Of a copied project it may be ahead. */
async function bringAlong({ project, id, path }: TaskPlace): Promise<void> {
  if (originOf(project, id) !== "older") return;
  const stored = jsonIn(textIn(taskPaths(path).task) ?? "");
  const earlier = isRecord(stored) && typeof stored.project === "string" ? stored.project : project;
  const before = existsSync(earlier) ? undefined : vaultOf(earlier, id);
  if (!before) return;
  const { directory } = vaultPaths(project, id);
  await makeDirectory(dirname(directory));
  await cp(before.directory, directory, { recursive: true });
  register(project, id, "begun");
}

async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** The files to read a task from: its copies where it has some, so that forged records are not shown either. */
export function believedPaths({ project, id, path }: TaskPlace) {
  const own = taskPaths(path);
  const vault = vaultOf(project, id);
  return vault
    ? { ...own, task: vault.task, history: vault.history, ledger: vault.ledger, vault }
    : { ...own, vault: undefined };
}
