import type { QueueRecord } from "../../model/backlog.ts";
import type { AgentChoice } from "../../model/configuration.ts";
import type { EventEnvelope } from "../../model/events.ts";
import type { TrackedItem } from "../../model/issue.ts";
import type { LoopResult } from "../../model/records.ts";
import type { TaskId } from "../../model/task.ts";

/** The records of a backlog. One orchestrator at a time holds them. */
export interface BacklogQueue {
  records(): AsyncIterable<QueueRecord>;
  append(record: QueueRecord): Promise<void>;
  release(): Promise<void>;
}

/** A run for an issue. */
export interface Turn {
  issue: TrackedItem;
  /** The agent of a workflow and the phase it works in; without one, the issue itself is the task. */
  agent?: { directory: string; phase: string; lands: boolean; runner?: AgentChoice };
  /** The task of the turn before it. */
  follows?: TaskId | undefined;
  /** A word of the project's own: the more urgent, the sooner it lands. */
  priority?: string | undefined;
  /** US dollars that are left. */
  max_cost?: number | undefined;
}

export interface TurnResult {
  result: LoopResult;
  /** What the last step of an agent returned. */
  output: Readonly<Record<string, unknown>>;
}

export interface CarryOptions {
  /** The task may have records already. */
  resumed: boolean;
  signal: AbortSignal;
}

/** Runs stored tasks. */
export interface RunCarrier {
  /** Runs the task from where its records end. Throws E8Error where it cannot run at all. */
  carry(id: TaskId, how: CarryOptions): AsyncGenerator<EventEnvelope, LoopResult>;
}

/** Carries out turns: here in this process. What it needs to go on is in the task's records, wherever it was begun. */
export interface TurnWorker {
  /** Stores the task. Nothing runs yet. `named` is told its id first: see `NewTask`. */
  create(turn: Turn, named: (id: TaskId) => Promise<void>): Promise<TaskId>;
  /** Runs the task from where its records end. Throws E8Error where it cannot run at all. */
  carry(id: TaskId, turn: Turn, how: CarryOptions): AsyncGenerator<EventEnvelope, TurnResult>;
  /** Has a workflow's prioritizer look at issues. Returns what its last step said. */
  prioritize(directory: string, issues: readonly TrackedItem[], signal: AbortSignal): Promise<TurnResult["output"]>;
  /** Whether the task is stored. */
  has(id: TaskId): Promise<boolean>;
  /** Keeps a file that a workflow hands on to the next agents of an issue: they find it in their worktree. */
  handOver(issue: number, path: string, payload: Readonly<Record<string, unknown>>): Promise<void>;
}
