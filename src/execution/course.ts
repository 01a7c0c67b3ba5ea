import type { AgentReply, Assignment } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import type { Effect } from "./effects.ts";

/** An assignment and what came of it. */
export interface Work {
  assignment: Assignment;
  reply: AgentReply;
}

/** What the history keeps of the work, and what must end the run once that is recorded. */
export interface Condensed {
  summary: ExecutionSummary;
  trouble?: unknown;
}

/** What the loop turns on: a task is one course, an agent made of steps another. The loop owns state and records. */
export interface Course {
  /** Gets everything ready before the first assignment. Throws Halt when the run must not begin. */
  prepare(state: RunState): AsyncGenerator<RunEvent, void>;
  /** The next piece of work, for an agent that remembers nothing. */
  next(iteration: number, state: RunState): AsyncGenerator<RunEvent, Assignment>;
  /** Has the work done. */
  work(assignment: Assignment): AsyncGenerator<RunEvent, AgentReply>;
  /** Condenses a reply into what the history keeps. */
  summarize(iteration: number, work: Work): AsyncGenerator<RunEvent, Condensed>;
  /** Gathers evidence about the recorded work and judges it. */
  conclude(summary: ExecutionSummary, state: RunState): AsyncGenerator<RunEvent, JudgmentRecord>;
  /** What the run does outside its workspace once the work is judged complete, in order. */
  effects(state: RunState): Promise<readonly Effect[]>;
  /** Ends what was begun and is no longer needed. */
  close?(): Promise<void>;
}
