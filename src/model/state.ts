import type { ExecutionSummary, JudgmentRecord, StopReason } from "./records.ts";

/** What folding a task's records gives: all that a run needs to know of the past. */
export interface RunState {
  /** The last iteration whose work is recorded. */
  iterations: number;
  summary: ExecutionSummary | null;
  judgment: JudgmentRecord | null;
  /** How many iterations in a row changed nothing, since the run was last started. */
  standstill: number;
  artifacts: string[];
}

export const NOTHING_DONE: RunState = {
  iterations: 0,
  summary: null,
  judgment: null,
  standstill: 0,
  artifacts: [],
};

/** What to do next. `conclude`: work is recorded that nobody has judged yet. */
export type Move = { do: "work"; iteration: number } | { do: "conclude" } | { do: "end"; stop_reason: StopReason };
