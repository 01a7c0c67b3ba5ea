import { standsStill } from "../judgment/standstill.ts";
import type { HistoryRecord, JudgmentRecord } from "../model/records.ts";
import type { RunState } from "../model/state.ts";

const ARTIFACTS_KEPT = 200;

/** The state after one more record. Reading a task's records from the first to the last gives where it stands. */
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
      return { ...state, standstill: 0 }; // whoever starts the run again wants it to try again
  }
}

function standstillAfter({ summary, judgment, standstill }: RunState, record: JudgmentRecord): number {
  return summary && standsStill(judgment, summary, record) ? standstill + 1 : 0;
}
