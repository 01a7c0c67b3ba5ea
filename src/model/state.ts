import type { ProofRecord } from "./proof-record.ts";
import type {
  EffectStage,
  Escalation,
  ExecutionSummary,
  JudgmentRecord,
  LandingRecord,
  LoopResult,
  NoteRecord,
  StopReason,
} from "./records.ts";

/** The judge's evidence that a criterion is met, while no worker has changed a file that it names. */
export interface AcceptedEvidence {
  id: number;
  criterion: string;
  evidence: string;
  /** When the judge accepted it. */
  iteration: number;
  /** The other files that workers have changed since. */
  changed_since: string[];
}

/** The fold of a task's records: all that a run knows of the past. */
export interface RunState {
  /** The last iteration whose work is recorded. */
  iterations: number;
  summary: ExecutionSummary | null;
  judgment: JudgmentRecord | null;
  /** The last proof of a claim. */
  proof: ProofRecord | null;
  /** How far the task's own branch has come. */
  landing: LandingRecord | null;
  /** The last commit that a record names: the files as they were then. A proof may take one after the summary. */
  snapshot: string | null;
  /** Nothing has named a commit since the landing. */
  landed_last: boolean;
  /** How often the base could not be merged since the run was last started. */
  conflicts: number;
  /** The judgment of the last work that an error kept from being made. */
  undecided: JudgmentRecord | null;
  /** How many iterations in a row changed nothing, since the run was last started. */
  standstill: number;
  artifacts: string[];
  accepted: AcceptedEvidence[];
  /** The files that were checked last, and the checks that have failed or wavered on them. */
  checked: { snapshot: string; failed: readonly string[] } | null;
  /** The work that the judge, or the flow, judged last. */
  judged: ExecutionSummary | null;
  /** Files that iterations were seen to change. */
  files_seen: string[];
  /** How far each change outside the workspace has come, by its key. */
  effects: Readonly<Record<string, EffectStage>>;
  /** When a run has ended last, and what the task had cost by then. */
  ended: Pick<LoopResult, "usage" | "timestamp"> | null;
  /** All that the user has told the workers, oldest first. */
  notes: readonly NoteRecord[];
  /** Who took over last; `null`: nobody has. By name, as in the following ones. */
  worker: string | null;
  /** The workers that cannot be asked, and until when; `null`: until the run is started again. */
  away: Readonly<Record<string, string | null>>;
  /** How often each worker has failed in a row, since the run was last started. */
  failed_in_a_row: Readonly<Record<string, number>>;
  /** How many iterations each worker has done, where several may work. */
  worked: Readonly<Record<string, number>>;
  /** The standstill after which the stronger worker took over. */
  escalated: Escalation | null;
}

export const NOTHING_DONE: RunState = {
  iterations: 0,
  summary: null,
  judgment: null,
  proof: null,
  landing: null,
  snapshot: null,
  landed_last: false,
  conflicts: 0,
  undecided: null,
  standstill: 0,
  artifacts: [],
  accepted: [],
  checked: null,
  judged: null,
  files_seen: [],
  effects: {},
  ended: null,
  notes: [],
  worker: null,
  away: {},
  failed_in_a_row: {},
  worked: {},
  escalated: null,
};

/**
 * What to do next. `conclude`: the recorded work has no judgment yet. `prove`: it was judged complete, which is a claim. `land`: it was
 * proved, and goes from its own branch to the base. `escalate`: the run stands still, and the stronger worker takes over.
 */
export type Move =
  | { do: "work"; iteration: number }
  | { do: "conclude" }
  | { do: "prove" }
  | { do: "land" }
  | { do: "escalate" }
  | { do: "end"; stop_reason: StopReason };
