import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { jsonIn } from "../../../model/json.ts";
import { TaskId } from "../../../model/task.ts";
import { replaceUnflushed } from "./durable.ts";
import { isAlive, ownIdentity, ProcessIdentity } from "./process-identity.ts";
import { isTask } from "./reading.ts";
import { tasksDirectory } from "./task-paths.ts";
import { textIn } from "./task-text.ts";
import { forgetVault } from "./vault/vault.ts";

/** In the directory of a task that is being made: who makes it. Its name is that of a draft, so whoever opens the task removes it. */
const MAKER = "maker.tmp";

/** Says whose the directory is. False where it is gone: a sweep took it for one that a killed process has left. */
export async function nameMaker(path: string): Promise<boolean> {
  try {
    await replaceUnflushed(join(path, MAKER), JSON.stringify(await ownIdentity()));
    return true;
  } catch (error) {
    if (!existsSync(path)) return false;
    throw error;
  }
}

/** The task is whole. */
export async function leaveUnnamed(path: string): Promise<void> {
  await rm(join(path, MAKER), { force: true });
}

const swept = new Set<string>();

/**
 * Removes what processes have left that were killed while they made a task. Once in a process is enough: what fails in it is undone at once.
 */
export async function sweepUnmade(project: string): Promise<void> {
  if (swept.has(project)) return;
  swept.add(project);
  const tasks = tasksDirectory(project);
  for (const name of await readdir(tasks).catch(() => [])) {
    const path = join(tasks, name);
    if (TaskId.safeParse(name).success && !isTask(path)) await sweepOne(project, name, path).catch(() => {});
  }
}

async function sweepOne(project: string, id: TaskId, path: string): Promise<void> {
  const text = textIn(join(path, MAKER));
  if (text === undefined) return rmdir(path); // fails where something is in it: then we know nothing about it
  const maker = ProcessIdentity.safeParse(jsonIn(text)).data; // none after a power cut
  if (maker && (await isAlive(maker))) return;
  await rm(path, { recursive: true, force: true });
  await forgetVault({ project, id, path });
}
