import { hostname } from "node:os";
import process from "node:process";
import { E8Error, type ErrorCode } from "../../../model/errors.ts";
import type { TaskId } from "../../../model/task.ts";
import type { OpenTask } from "../../ports/open-task.ts";
import { Alarm } from "../alarm.ts";
import { isAlive } from "../files/process-identity.ts";
import type { Followed } from "./event-log.ts";
import { holderIn, IS_HELD, type Lease, type TaskHolder, takenBy } from "./lease.ts";
import { withdraw } from "./submissions.ts";

/** How soon a run notices a request whose notification is lost. */
const LOOK_MILLISECONDS = 1_000;
const POLL_MILLISECONDS = 100;
const PATIENCE_MILLISECONDS = 15_000;
/** A lease is renewed so many times before it would lapse. */
const RENEWALS = 4;

const LIMITS: readonly ErrorCode[] = ["fleet_limit_reached", "fleet_budget_spent"];

type Requests = Pick<OpenTask, "cancelled" | "onPauseRequest" | "markPaused"> & { stop: () => Promise<void> };

const LOOK = `
  select fence = $2 as is_ours, cancel_for = $2 as is_cancelled, pause_for = $2 as is_paused
  from e8.task where task_id = $1`;

/** Renews the lease, and looks for what others ask of our run. A request names a run by its token. */
export function watchRequests(followed: Followed, lease: Lease): Requests {
  const { database, listener, id } = followed;
  const controller = new AbortController();
  const stopping = new AbortController();
  const alarm = new Alarm();
  const patience = { isPatient: true, signal: stopping.signal };
  let listenToPause: (isAsked: boolean) => void = () => {};
  let isAsked = false;
  let renewed = Date.now();
  /** A lease that had lapsed and has no place within the limits any more. */
  const giveUp = (error: unknown) => {
    const isLimit = error instanceof E8Error && LIMITS.includes(error.code);
    if (isLimit) controller.abort(error);
    throw error;
  };
  const look = async () => {
    if (Date.now() - renewed > (database.address.lease * 1000) / RENEWALS) {
      await lease.renew().catch(giveUp);
      renewed = Date.now();
    }
    const [row] = await database.ask(LOOK, [id, lease.fence], patience);
    if (!row?.is_ours) return controller.abort(await takenBy(database, id));
    if (row.is_cancelled) controller.abort();
    const isAskedNow = row.is_paused === true;
    if (isAskedNow !== isAsked) listenToPause(isAskedNow);
    isAsked = isAskedNow;
  };
  const leave = listener.on("calls", id, alarm.ring);
  const watching = (async () => {
    for (;;) {
      await alarm.wait(Math.min(LOOK_MILLISECONDS, (database.address.lease * 1000) / RENEWALS), stopping.signal);
      if (stopping.signal.aborted) return;
      await look().catch(() => {}); // the next look, or the next record, finds out
    }
  })();
  return {
    cancelled: controller.signal,
    onPauseRequest: (given) => {
      listenToPause = given;
    },
    markPaused: (isPaused) => listener.say(pausedSql(id, lease.fence, isPaused)),
    stop: async () => {
      stopping.abort();
      leave();
      await watching;
    },
  };
}

/** As one text, which can be sent without waiting for anything. Id and token are hexadecimal digits and dashes. */
function pausedSql(id: TaskId, fence: string, isPaused: boolean): string {
  return `update e8.task set paused_for = ${isPaused ? "fence" : "null"} where task_id = '${id}' and fence = '${fence}'`;
}

/** A task of the fleet is also taken back, whether a worker has it now or not. */
export async function cancelTask(followed: Followed): Promise<boolean> {
  const isWithdrawn = await withdraw(followed.database, followed.id, new Date().toISOString());
  const holder = await liveHolder(followed);
  if (!holder && isWithdrawn) return true;
  if (!holder) throw new E8Error("task_not_running", { id: followed.id });
  await ask(followed, "cancel_for = fence", holder);
  await wakeUp(holder); // a process that a shell has stopped does not look
  return comesTrue(followed, async () => (await liveHolder(followed))?.fence !== holder.fence);
}

export async function pauseTask(followed: Followed): Promise<boolean> {
  const holder = await runOf(followed);
  await ask(followed, "pause_for = fence", holder);
  return comesTrue(followed, async () => (await runOf(followed)).is_paused);
}

export async function unpauseTask(followed: Followed): Promise<boolean> {
  const holder = await runOf(followed);
  await ask(followed, "pause_for = null", holder);
  if (holder.is_paused) await wakeUp(holder);
  return comesTrue(followed, async () => !(await liveHolder(followed))?.is_paused);
}

type Run = TaskHolder & { is_paused: boolean };

/** The run that holds a task now. */
export async function liveHolder({ database, id }: Pick<Followed, "database" | "id">): Promise<Run | undefined> {
  const [row] = await database.ask(
    `select fence, held_since, holder, coalesce(paused_for = fence, false) as is_paused
     from e8.task where task_id = $1 and ${IS_HELD}`,
    [id],
  );
  const holder = row && holderIn(row);
  return holder && { ...holder, is_paused: row.is_paused === true };
}

async function runOf(followed: Followed): Promise<Run> {
  const holder = await liveHolder(followed);
  if (!holder) throw new E8Error("task_not_running", { id: followed.id });
  return holder;
}

async function ask({ database, id }: Followed, change: string, { fence }: Run): Promise<void> {
  const sql = `update e8.task set ${change} where task_id = $1 and fence = $2 returning pg_notify($3, task_id)`;
  await database.ask(sql, [id, fence, database.channel("calls")]);
}

/** A process of this machine that a shell has stopped. */
async function wakeUp({ process: run }: Run): Promise<void> {
  const isHere = run.host === hostname() && run.started !== null && run.pid !== process.pid;
  if (!isHere || !(await isAlive(run))) return;
  try {
    process.kill(run.pid, "SIGCONT");
  } catch {
    // it has ended, or is another user's
  }
}

async function comesTrue({ listener, id }: Followed, isTrue: () => Promise<boolean>): Promise<boolean> {
  const alarm = new Alarm();
  const leave = listener.on("news", id, alarm.ring);
  try {
    for (const began = Date.now(); Date.now() - began < PATIENCE_MILLISECONDS; ) {
      if (await isTrue()) return true;
      await alarm.wait(POLL_MILLISECONDS);
    }
    return false;
  } finally {
    leave();
  }
}
