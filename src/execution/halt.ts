import { LONGEST_TIMER_MILLISECONDS } from "../model/limits.ts";
import type { StopReason } from "../model/records.ts";
import type { ClarificationQuestion } from "../model/roles.ts";
import type { Changes } from "./changes.ts";

/** Why a run ends. */
export interface Ending {
  stop_reason: StopReason;
  clarification_questions?: ClarificationQuestion[];
  error?: unknown;
  /** What has changed, where that was found out before the worktree was removed. */
  changes?: Changes;
  /** The worktree was removed: nothing of the work is left there. */
  is_cleared?: boolean;
}

/** Leaves the loop from anywhere inside it. Only `run` catches it. */
export class Halt extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.stop_reason);
    this.name = "Halt";
    this.ending = ending;
  }
}

/**
 * Ends a run without an ending: another worker goes on from its records, as after a crash, but at once. As the reason of the run's signal
 * it gives up the iteration in hand. `cause`: what keeps the run from going on now.
 */
export class HandedBack extends Error {
  constructor(options?: ErrorOptions) {
    super("handed back", options);
    this.name = "HandedBack";
  }
}

interface Patience {
  seconds: number;
  /** Made when the time is up. */
  error: () => Error;
}

/** Waits for users' code, which may never resolve: until its time is up or the run is cancelled. */
export function orHalt<T>(promise: Promise<T>, signal: AbortSignal, { seconds, error }: Patience): Promise<T> {
  let forget = () => {};
  const cut = new Promise<never>((_, reject) => {
    const halt = () => reject(new Halt({ stop_reason: "cancelled" }));
    // The timer also keeps the process alive; a promise alone does not.
    const timer = setTimeout(() => reject(error()), Math.min(seconds * 1000, LONGEST_TIMER_MILLISECONDS));
    signal.addEventListener("abort", halt, { once: true });
    if (signal.aborted) halt();
    forget = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", halt);
    };
  });
  return Promise.race([promise, cut]).finally(forget);
}

export function haltIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Halt({ stop_reason: "cancelled" });
}
