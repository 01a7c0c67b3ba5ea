import { collect } from "../connection/stores/files/json-lines.ts";
import type { Stores } from "../connection/stores/files/open-stores.ts";
import { fold } from "../execution/state.ts";
import type { LoopResult } from "../model/records.ts";
import { NOTHING_DONE, type RunState } from "../model/state.ts";
import { spentInAll, type Usage } from "../model/usage.ts";

/** What a task's records come to. */
export interface Past {
  state: RunState;
  /** The iteration that was judged complete by a run which then never came to its end: as if nobody had judged it. */
  unconfirmed: number | undefined;
  spent: Usage;
  /** How its last run ended; undefined where none has, or another one has gone on since. */
  result: LoopResult | undefined;
}

/**
 * Resume is this: read the records, then go on. Records are flushed, what a worker writes is not: a run that was cut off between its
 * verdict and its ending may have been cut off by a power failure that took the work with it.
 */
export async function pastOf({ history, ledger, files }: Stores): Promise<Past> {
  let state = NOTHING_DONE;
  let unjudged: RunState | undefined;
  let result: LoopResult | undefined;
  let ending: LoopResult | undefined;
  for await (const record of history.records()) {
    unjudged = record.type === "judgment" && record.is_complete ? state : undefined;
    state = fold(state, record);
    result = record.type === "final_result" ? record : undefined;
    ending = result ?? ending;
  }
  const spent = spentInAll(await collect(ledger.entries()), ending);
  // What has begun to reach the outside was judged for good.
  if (!unjudged || files.task.boundary !== null) return { state, unconfirmed: undefined, spent, result };
  return { state: unjudged, unconfirmed: state.judgment?.iteration, spent, result };
}
