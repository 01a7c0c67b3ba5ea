import { z } from "zod";
import type { EventEnvelope } from "./events.ts";
import { StatementRecord } from "./message-record.ts";
import { EffectRecord, LandingRecord, LoopStatus } from "./records.ts";
import { TaskId } from "./task.ts";

const issue = z.int().min(1);
const timestamp = z.string();

/** A run for an issue was begun. What became of it is in the task's own records. */
const TurnRecord = z.object({
  type: z.literal("turn"),
  issue,
  title: z.string(),
  task_id: TaskId,
  /** With a workflow: the phase of the issue, and the agent that works on it. */
  phase: z.string().optional(),
  agent: z.string().optional(),
  timestamp,
});

/** Its run has ended, and this is what follows from it. */
const EndedRecord = z.object({
  type: z.literal("ended"),
  issue,
  task_id: TaskId,
  status: LoopStatus,
  outcome: z.string(),
  /** The phase that follows. */
  to: z.string().optional(),
  /** What the agent has to say on the issue. */
  comment: z.string().optional(),
  landing: LandingRecord.shape.outcome.optional(),
  /** Every check passed before any work. */
  was_done: z.literal(true).optional(),
  cost_usd: z.number(),
  tokens: z.number(),
  timestamp,
});
export type EndedTurnRecord = z.infer<typeof EndedRecord>;

/** The tracker has all that follows from the turn. */
const SettledRecord = z.object({ type: z.literal("settled"), issue, task_id: TaskId, timestamp });

/** The issue waits for a person. */
const ParkedRecord = z.object({
  type: z.literal("parked"),
  issue,
  title: z.string(),
  problem: StatementRecord,
  timestamp,
});

/** A person wants it to be tried again. */
const TakenRecord = z.object({ type: z.literal("taken"), issue, timestamp });

const IssueEffectRecord = EffectRecord.extend({ issue });

/** What a backlog's queue is made of. It names tasks, and says nothing that their own records say. */
export const QueueRecord = z.discriminatedUnion("type", [
  TurnRecord,
  EndedRecord,
  SettledRecord,
  ParkedRecord,
  TakenRecord,
  IssueEffectRecord,
]);
export type QueueRecord = z.infer<typeof QueueRecord>;

/** What happens while a backlog is worked on. Events of a run are those of the run, with its issue. */
export type BacklogEvent =
  | {
      type: "turn-start";
      issue: number;
      title: string;
      task_id: TaskId;
      phase?: string;
      agent?: string;
      resumed: boolean;
    }
  | { type: "run"; issue: number; task_id: TaskId; envelope: EventEnvelope }
  | { type: "turn-end"; issue: number; title: string; task_id: TaskId; ended: EndedTurnRecord }
  | { type: "effect"; issue: number; effect: Omit<EffectRecord, "type" | "timestamp"> }
  | { type: "parked"; issue: number; title: string; problem: StatementOf }
  | { type: "idle"; until: number };

type StatementOf = z.infer<typeof StatementRecord>;

/** `done`: the work is where it was to go. `waits`: other issues come first. `parked`: a person is needed. `left`: it was not begun, or can be resumed. */
export interface BacklogItem {
  issue: number;
  title: string;
  state: "done" | "parked" | "waits" | "left";
  task_id?: TaskId;
  landing?: z.infer<typeof LandingRecord>["outcome"];
  problem?: StatementOf;
  blocked_by?: number[];
}

export interface BacklogResult {
  items: BacklogItem[];
  /** Why no further issue was begun, where some were left. */
  stopped?: "cancelled" | "budget";
  cost_usd: number;
  tokens: number;
}
