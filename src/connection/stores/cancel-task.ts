import { setTimeout as sleep } from "node:timers/promises";
import { E8Error } from "../../model/errors.ts";
import { errorCode } from "./faults.ts";
import { isOnThisHost, readLock } from "./lock.ts";
import { openTask } from "./task-directory.ts";
import { taskPaths } from "./task-paths.ts";

const POLL_MILLISECONDS = 50;
const PATIENCE_MILLISECONDS = 15_000;

/** Asks the process that runs a task to stop, and waits for it. False when it still winds down by then. */
export async function cancelTask(project: string, id: string): Promise<boolean> {
  const { lock } = taskPaths((await openTask(project, id)).path);
  const holder = await readLock(lock);
  if (!holder) throw new E8Error("task_not_running", { id });
  if (!isOnThisHost(holder)) throw new E8Error("task_elsewhere", { id, host: holder.host });
  if (!askToStop(holder.pid)) throw new E8Error("task_not_running", { id });
  for (let waited = 0; waited < PATIENCE_MILLISECONDS; waited += POLL_MILLISECONDS) {
    await sleep(POLL_MILLISECONDS);
    if ((await readLock(lock))?.token !== holder.token) return true;
  }
  return false;
}

/** False when it has ended in the meantime. */
function askToStop(pid: number): boolean {
  try {
    return process.kill(pid, "SIGTERM");
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}
