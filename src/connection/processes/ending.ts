import { setTimeout as sleep } from "node:timers/promises";

const POLL_MILLISECONDS = 40;
/** Enough for a tree that forks while it is being killed. */
const KILL_PASSES = 25;

/** The processes that are left, as `process.kill` takes them. */
export type Left = () => ReadonlySet<number>;

interface Ended {
  left: Left;
  /** Killed with the others, but not told to end before. */
  spared?: Left;
  /** The earliest moment at which none may be left. */
  exit?: Promise<unknown>;
}

/** SIGTERM, also to those that are started meanwhile, and SIGKILL to those that are left after the grace. */
export async function endAll({ left, spared, exit }: Ended, graceMilliseconds: number): Promise<void> {
  const deadline = performance.now() + graceMilliseconds;
  const told = new Set<number>();
  let earliest = exit;
  void exit?.then(() => {
    earliest = undefined;
  });
  for (;;) {
    const living = left();
    if (living.size === 0) return;
    tell(living, told, spared?.());
    if (performance.now() >= deadline) break;
    await Promise.race([...(earliest ? [earliest] : []), sleep(POLL_MILLISECONDS)]);
  }
  for (let pass = 0; pass < KILL_PASSES; pass += 1) {
    const stubborn = left();
    if (stubborn.size === 0) return;
    for (const pid of stubborn) send(pid, "SIGKILL");
    await sleep(POLL_MILLISECONDS);
  }
}

function tell(living: ReadonlySet<number>, told: Set<number>, spared?: ReadonlySet<number>): void {
  for (const pid of living) {
    if (told.has(pid)) continue;
    told.add(pid);
    if (!spared?.has(pid)) send(pid, "SIGTERM");
    send(pid, "SIGCONT"); // one that a killed run has left stopped does not act on the other
  }
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
