import { rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { E8Error } from "../../../model/errors.ts";
import type { OpenTask } from "../../ports/open-task.ts";
import { replaceUnflushed } from "./durable.ts";
import { errorCode } from "./faults.ts";
import { isOnThisHost, type LockHolder, readLock } from "./lock.ts";
import { OWN_FILE, type TaskPlace, taskPaths } from "./task-paths.ts";
import { textIn } from "./task-text.ts";

/** How soon a run notices a request. */
const LOOK_MILLISECONDS = 500;
const POLL_MILLISECONDS = 50;
const PATIENCE_MILLISECONDS = 15_000;

/** Writes the request to the task's directory. A process on this machine also gets a signal, which is faster. */
export async function cancelTask(place: TaskPlace): Promise<boolean> {
  const { lock, cancel } = taskPaths(place.path);
  const holder = await runOf(place);
  await replaceUnflushed(cancel, holder.token);
  if (!signalled(holder, "SIGTERM")) throw new E8Error("task_not_running", { id: place.id });
  signalled(holder, "SIGCONT"); // a process that a shell has stopped does not act on the other one
  return comesTrue(async () => (await readLock(lock))?.token !== holder.token);
}

export async function pauseTask(place: TaskPlace): Promise<boolean> {
  const { pause } = taskPaths(place.path);
  const holder = await runOf(place);
  await replaceUnflushed(pause, holder.token);
  return comesTrue(async () => isPaused(place, await runOf(place)));
}

export async function unpauseTask(place: TaskPlace): Promise<boolean> {
  const { pause } = taskPaths(place.path);
  const holder = await runOf(place);
  await rm(pause, { force: true });
  if (isPaused(place, holder)) signalled(holder, "SIGCONT");
  return comesTrue(async () => !isPaused(place, holder));
}

/** Whether the run with this lock stands still. */
export function isPaused({ path }: Pick<TaskPlace, "path">, { token }: LockHolder): boolean {
  return textIn(taskPaths(path).paused) === token;
}

async function runOf({ id, path }: TaskPlace): Promise<LockHolder> {
  const holder = await readLock(taskPaths(path).lock);
  if (!holder) throw new E8Error("task_not_running", { id });
  return holder;
}

async function comesTrue(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MILLISECONDS; waited += POLL_MILLISECONDS) {
    await sleep(POLL_MILLISECONDS);
    if (await isTrue()) return true;
  }
  return false;
}

/** False when the process has ended in the meantime. Another machine's process, and our own, only find the file. */
function signalled(holder: LockHolder, signal: NodeJS.Signals): boolean {
  if (!isOnThisHost(holder) || holder.pid === process.pid) return true;
  try {
    return process.kill(holder.pid, signal);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}

type Requests = Pick<OpenTask, "cancelled" | "onPauseRequest" | "markPaused"> & { stop: () => Promise<void> };

/** What others ask of our run. A request names a run by its token, so a request to an earlier run is ignored. */
export function watchRequests(directory: string, token: string): Requests {
  const { cancel, pause, paused } = taskPaths(directory);
  const controller = new AbortController();
  let listener: (isAsked: boolean) => void = () => {};
  let isAsked = false;
  const look = () => {
    if (textIn(cancel) === token) controller.abort();
    const isAskedNow = textIn(pause) === token;
    if (isAskedNow !== isAsked) listener(isAskedNow);
    isAsked = isAskedNow;
  };
  const timer = setInterval(look, LOOK_MILLISECONDS).unref();
  return {
    cancelled: controller.signal,
    onPauseRequest: (given) => {
      listener = given;
    },
    markPaused: (isPausedNow) => mark(paused, isPausedNow ? token : undefined),
    stop: async () => {
      clearInterval(timer);
      for (const path of [cancel, pause, paused]) if (textIn(path) === token) await rm(path, { force: true });
    },
  };
}

/** Only other processes read it: a full disk must not keep the run from pausing. */
function mark(path: string, token: string | undefined): void {
  try {
    if (token === undefined) rmSync(path, { force: true });
    else writeFileSync(path, token, { mode: OWN_FILE });
  } catch {
    // `e8 list` then says that it is running
  }
}
