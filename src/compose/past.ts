import { collect } from "../connection/stores/json-lines.ts";
import type { Stores } from "../connection/stores/open-stores.ts";
import { fold } from "../execution/state.ts";
import type { LoopResult } from "../model/records.ts";
import { NOTHING_DONE, type RunState } from "../model/state.ts";
import { NOTHING_SPENT, spentInAll, type Usage } from "../model/usage.ts";

/** What a task's records come to. */
export interface Past {
  state: RunState;
  spent: Usage;
  /** How its last run ended; undefined where none has, or another one has gone on since. */
  result: LoopResult | undefined;
}

/** Resume is this: read the records, then go on. */
export async function pastOf({ history, ledger }: Stores): Promise<Past> {
  const past: Past = { state: NOTHING_DONE, spent: NOTHING_SPENT, result: undefined };
  let ending: LoopResult | undefined;
  for await (const record of history.records()) {
    past.state = fold(past.state, record);
    past.result = record.type === "final_result" ? record : undefined;
    ending = past.result ?? ending;
  }
  const spending = await collect(ledger.entries());
  return { ...past, spent: spentInAll(spending, ending) };
}
