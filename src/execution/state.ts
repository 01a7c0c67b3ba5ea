import { standsStill } from "../judgment/standstill.ts";
import type { HistoryRecord, JudgmentRecord, LoopResult } from "../model/records.ts";
import { NOTHING_DONE, type RunState } from "../model/state.ts";

const ARTIFACTS_KEPT = 200;

/** The state after one more record. Folding all records of a task gives where it stands. */
export function fold(state: RunState, record: HistoryRecord): RunState {
  switch (record.type) {
    case "summary":
      return {
        ...state,
        iterations: record.iteration,
        summary: record,
        artifacts: [...new Set([...state.artifacts, ...record.artifacts])].slice(-ARTIFACTS_KEPT),
      };
    case "judgment":
      return { ...state, judgment: record, standstill: standstillAfter(state, record) };
    case "effect":
      return { ...state, effects: { ...state.effects, [record.key]: record.stage } };
    case "final_result":
      return { ...state, standstill: 0 }; // starting the run again gives it a new chance
  }
}

function standstillAfter({ summary, judgment, standstill }: RunState, record: JudgmentRecord): number {
  return summary && standsStill(judgment, summary, record) ? standstill + 1 : 0;
}

/** Where a task's records leave it for the next run. */
export interface Recovery {
  state: RunState;
  /** The iteration that was judged complete by a run which was then cut off before its end. */
  unconfirmed: number | undefined;
  /** How the last run ended; undefined where it was cut off. */
  result: LoopResult | undefined;
  /** The last result of any run. */
  last_result: LoopResult | undefined;
}

/**
 * Folds all records of a task. A verdict that completes the work, but was followed by neither an effect nor the run's end, does
 * not count: records are flushed to the disk, the worker's files are not, so a power cut may have taken the work with it.
 */
export async function recover(
  records: AsyncIterable<HistoryRecord> | Iterable<HistoryRecord>,
  effectsBegun = false,
): Promise<Recovery> {
  let state = NOTHING_DONE;
  let beforeVerdict: RunState | undefined;
  let result: LoopResult | undefined;
  let last_result: LoopResult | undefined;
  for await (const record of records) {
    beforeVerdict = record.type === "judgment" && record.is_complete ? state : undefined;
    state = fold(state, record);
    result = record.type === "final_result" ? record : undefined;
    last_result = result ?? last_result;
  }
  if (!beforeVerdict || effectsBegun) return { state, unconfirmed: undefined, result, last_result };
  return { state: beforeVerdict, unconfirmed: state.judgment?.iteration, result, last_result };
}
