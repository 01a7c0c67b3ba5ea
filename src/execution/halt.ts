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

export function haltIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Halt({ stop_reason: "cancelled" });
}
