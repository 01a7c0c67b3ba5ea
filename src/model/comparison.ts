import type { ChangeTotals } from "./changes.ts";
import type { EventEnvelope } from "./events.ts";
import type { Statement } from "./message.ts";
import type { LandingOutcome, LoopStatus, StopReason } from "./records.ts";
import type { TaskId } from "./task.ts";

/** One run of a comparison: a task like any other, that one of the agents works on. */
export interface Entry {
  number: number;
  /** As it was named: `codex`, `claude@opus`. */
  agent: string;
  task_id: TaskId;
}

/** `refuted`: its last claim did not hold. `null`: nothing was proved. */
export type ComparedProof = "clean-room" | "in-place" | "refuted" | null;

/** How far an entry has come, as its own records say. What is not known is null, never 0. */
export interface ComparedRun extends Entry {
  status: LoopStatus | "running" | "paused" | "queued" | "interrupted" | "not_begun";
  stop_reason: StopReason | null;
  criteria_met: number;
  criteria: number;
  proof: ComparedProof;
  iterations: number;
  seconds: number;
  tokens: number | null;
  cost_usd: number | null;
  /** What is known of the cost, where a part of it is not. */
  least_cost_usd: number;
  changes: ChangeTotals | null;
  branch: string | null;
  /** Where its work is; null where there is no worktree (any more). */
  worktree: string | null;
  landing: (typeof LandingOutcome.options)[number] | null;
  /** The commit that keeps its work, where branch and worktree were removed. */
  kept_commit: string | null;
  /** Why it could not run. */
  problem?: Statement;
}

export interface Comparison {
  comparison: TaskId;
  task: string;
  base: string;
  base_commit: string;
  runs: ComparedRun[];
  /** It was stopped before all had run. */
  stopped?: "cancelled";
}

/** What happens while agents are compared. Events of a run are those of the run, with its number and agent. */
export type ComparisonEvent =
  | (Entry & { type: "entry-start"; resumed: boolean })
  | (Entry & { type: "run"; envelope: EventEnvelope })
  | (Entry & { type: "entry-end"; status: LoopStatus })
  /** It could not run at all; the others go on. */
  | (Entry & { type: "entry-failed"; problem: Statement })
  /** The work of this one is to be kept: it goes where the settings say. */
  | (Entry & { type: "keeping" })
  /** Branch and worktree of this one are gone. `commit` keeps its work. */
  | (Entry & { type: "removed"; branch: string; commit: string | null; ignored: string[] });
