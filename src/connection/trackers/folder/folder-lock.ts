import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Message, message } from "../../../model/message.ts";
import { describeHolder, readLock, takeLock } from "../../stores/files/lock.ts";
import { trackerFault } from "../tracker-fault.ts";

const PATIENCE_SECONDS = 30;
const LOOK_EVERY_MS = 15;

interface Waiting {
  what: Message;
  signal: AbortSignal;
}

/** Makes one change at a time in a folder of issues, whichever process makes it. A killed process leaves the lock free. */
export async function lockedIn<T>(folder: string, { what, signal }: Waiting, act: () => Promise<T>): Promise<T> {
  if (!existsSync(folder)) return act(); // finds nothing to change
  const path = join(folder, ".lock");
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const holder = await readLock(path);
    const taken = holder ? { rival: holder } : await takeLock(path, { id: "issues" });
    if (!("rival" in taken)) return act().finally(() => taken.release());
    if (signal.aborted) throw trackerFault(what, message("cancelled", {}));
    const { who, since } = describeHolder(taken.rival, path);
    if (Date.now() > end) throw trackerFault(what, message("tracker_locked", { who, since, path }));
    await sleep(LOOK_EVERY_MS);
  }
}
