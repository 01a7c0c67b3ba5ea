import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { link, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TaskId } from "../../../../model/task.ts";
import type { TaskOrigin } from "../../../ports/task-store.ts";
import { projectState } from "../../../state-directory.ts";
import { sweepDrafts } from "../durable.ts";
import { errorCode, writeFault } from "../faults.ts";
import { taskPaths } from "../task-paths.ts";

/** Where a task's copies are: the records' names, in a directory outside the project. */
export function vaultPaths(project: string, id: TaskId) {
  const directory = join(projectState(project), "tasks", id);
  return { directory, hidden: join(directory, "hidden.jsonl"), ...taskPaths(directory) };
}
export type VaultPaths = ReturnType<typeof vaultPaths>;

/** The copies of a task, where it has some. */
export function vaultOf(project: string, id: TaskId): VaultPaths | undefined {
  const paths = vaultPaths(project, id);
  return existsSync(paths.task) ? paths : undefined;
}

/** `vault`: for those who have looked for the copies already. */
export function originOf(project: string, id: TaskId, vault = vaultOf(project, id)): TaskOrigin {
  const entries = entriesOf(project);
  if (!entries) return "older";
  const entry = entries.get(id);
  if (entry === undefined || entry === "removed") return "unknown";
  if (vault) return "kept";
  return entry === "older" ? "older" : "lost";
}

/** Makes the project's registry. Tasks that are there already are `older`. */
export async function requireRegistry(project: string, present: () => Promise<TaskId[]>): Promise<void> {
  const path = registryOf(project);
  if (existsSync(path)) return;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(projectState(project), { recursive: true, mode: 0o700 });
    await writeFile(join(projectState(project), "project"), `${project}\n`, { mode: 0o600 });
    await writeFile(draft, (await present()).map((id) => `older ${id}\n`).join(""), { mode: 0o600 });
    await link(draft, path).catch((error) => {
      if (errorCode(error) !== "EEXIST" && !existsSync(path)) throw error; // another run was quicker
    });
    await sweepDrafts(projectState(project));
  } catch (error) {
    throw writeFault(error, path);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** A single write of one line: other runs may add theirs at the same time. */
export function register(project: string, id: TaskId, entry: Entry): void {
  const path = registryOf(project);
  try {
    appendFileSync(path, `${entry} ${id}\n`);
  } catch (error) {
    throw writeFault(error, path);
  }
}

/** The ids that copies may be kept of. */
export function registeredTasks(project: string): TaskId[] {
  return [...(entriesOf(project) ?? [])].flatMap(([id, entry]) => (entry === "begun" ? [id] : []));
}

type Entry = "begun" | "older" | "removed";

function registryOf(project: string): string {
  return join(projectState(project), "registry");
}

/** Of the project that was asked about last: a list asks about each of its tasks. */
let lastRead: { path: string; stamp: string; entries: ReadonlyMap<TaskId, Entry> } | undefined;

/** Undefined where the project has no registry. */
function entriesOf(project: string): ReadonlyMap<TaskId, Entry> | undefined {
  const path = registryOf(project);
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!found) return undefined;
  const stamp = `${found.ino} ${found.size} ${found.mtimeNs}`;
  if (lastRead?.path !== path || lastRead.stamp !== stamp) {
    const lines = readFileSync(path, "utf8").split("\n");
    const entries = new Map(lines.map((line) => line.split(" ")).map(([entry, id]) => [id ?? "", entry as Entry]));
    lastRead = { path, stamp, entries };
  }
  return lastRead.entries;
}
