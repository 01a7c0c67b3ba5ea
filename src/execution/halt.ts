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

/** What others' code promises may never come: the run does not wait for it once it is cancelled. */
export function orHalt<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const halt = () => reject(new Halt({ stop_reason: "cancelled" }));
    if (signal.aborted) halt();
    signal.addEventListener("abort", halt, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", halt));
  });
}

export function haltIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Halt({ stop_reason: "cancelled" });
}
