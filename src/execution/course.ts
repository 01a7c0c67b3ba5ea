import type { AgentReply, Assignment } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import type { RunState } from "../model/state.ts";

/** What the loop turns on: a task is one course, an agent made of steps another. The loop owns state and records. */
export interface Course {
  /** Gets everything ready before the first assignment. Throws Halt when the run must not begin. */
  prepare(): AsyncGenerator<RunEvent, void>;
  /** The next piece of work, for an agent that remembers nothing. */
  next(iteration: number, state: RunState): AsyncGenerator<RunEvent, Assignment>;
  /** Condenses a reply into what the history keeps. */
  summarize(iteration: number, reply: AgentReply): AsyncGenerator<RunEvent, ExecutionSummary>;
  /** Gathers evidence about the recorded work and judges it. */
  conclude(summary: ExecutionSummary): AsyncGenerator<RunEvent, JudgmentRecord>;
}
