import { collect } from "../connection/stores/json-lines.ts";
import type { Stores } from "../connection/stores/open-stores.ts";
import { type Recovery, recover } from "../execution/state.ts";
import { spentInAll, type Usage } from "../model/usage.ts";

/** What a task's records come to. */
export interface Past extends Omit<Recovery, "last_result"> {
  spent: Usage;
}

/** Resume is this: read the records, then go on. */
export async function pastOf({ history, ledger, files }: Stores): Promise<Past> {
  const { last_result, ...recovered } = await recover(history.records(), files.task.boundary !== null);
  return { ...recovered, spent: spentInAll(await collect(ledger.entries()), last_result) };
}
