import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Message, message } from "../../../model/message.ts";
import { describeHolder, type Lock, readLock, takeLock } from "../../stores/files/lock.ts";
import { trackerFault } from "../tracker-fault.ts";
import { sweepFolder } from "./files.ts";

const PATIENCE_SECONDS = 30;
const LOOK_EVERY_MS = 15;

interface Waiting {
  what: Message;
  signal: AbortSignal;
}

/** Makes one change at a time in a folder of issues, whichever process makes it. A killed process leaves the lock free. */
export async function lockedIn<T>(folder: string, { what, signal }: Waiting, act: () => Promise<T>): Promise<T> {
  if (!existsSync(folder)) return act(); // finds nothing to change
  const path = lockOf(folder);
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const holder = await readLock(path);
    const taken = holder ? { rival: holder } : await takeLock(path, { id: ISSUES });
    if (!("rival" in taken)) return after(taken, folder, act);
    if (signal.aborted) throw trackerFault(what, message("cancelled", {}));
    const { who, since } = describeHolder(taken.rival, path);
    if (Date.now() > end) throw trackerFault(what, message("tracker_locked", { who, since, path }));
    await sleep(LOOK_EVERY_MS);
  }
}

/** What a killed process was writing goes first. */
async function after<T>({ was_left, release }: Lock, folder: string, act: () => Promise<T>): Promise<T> {
  try {
    if (was_left) await sweepFolder(folder);
    return await act();
  } finally {
    await release();
  }
}

/** Removes what a killed process has left, without a change of ours. A folder that we may not write stays as it is. */
export async function mendFolder(folder: string): Promise<void> {
  const path = lockOf(folder);
  const names = await readdir(folder).catch(() => []);
  const isInUse = names.some((name) => name.startsWith(LOCK)); // one that was killed while it took the lock has left a ticket alone
  if (!isInUse || (await readLock(path).catch(() => undefined))) return;
  const taken = await takeLock(path, { id: ISSUES }).catch(() => undefined);
  if (taken && !("rival" in taken)) await after(taken, folder, async () => {});
}

const ISSUES = "issues";

const LOCK = ".lock";

function lockOf(folder: string): string {
  return join(folder, LOCK);
}
