import { LONGEST_TIMER_MILLISECONDS } from "../model/limits.ts";
import type { StopReason } from "../model/records.ts";
import type { ClarificationQuestion } from "../model/roles.ts";

/** Why a run ends, before it is written down. */
export interface Ending {
  stop_reason: StopReason;
  clarification_questions?: ClarificationQuestion[];
  error?: unknown;
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

interface Patience {
  seconds: number;
  /** What it is then. */
  error: () => Error;
}

/** What others' code promises may never come: it is waited for so long, and no longer once the run is cancelled. */
export function orHalt<T>(promise: Promise<T>, signal: AbortSignal, { seconds, error }: Patience): Promise<T> {
  let forget = () => {};
  const cut = new Promise<never>((_, reject) => {
    const halt = () => reject(new Halt({ stop_reason: "cancelled" }));
    // Also what keeps the program alive meanwhile: a promise alone does not.
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
