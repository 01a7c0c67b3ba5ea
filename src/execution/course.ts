import type { AgentReply, Assignment } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import type { KnowledgeDraft } from "../model/roles.ts";
import type { RunState } from "../model/state.ts";
import type { Effect } from "./effects.ts";
import type { CheckRun } from "./goal/checks.ts";

/** An assignment and what came of it. */
export interface Work {
  iteration: number;
  assignment: Assignment;
  reply: AgentReply;
}

/** What is kept of the work: a record, and what was learned. */
export interface Condensed {
  summary: ExecutionSummary;
  knowledge: readonly KnowledgeDraft[];
}

/** What the loop turns on: a task is one course, a flow another. The loop owns state, records and the checks of an iteration. */
export interface Course {
  /** Gets everything ready before the first assignment. Throws Halt when the run must not begin. */
  prepare(state: RunState): AsyncGenerator<RunEvent, void>;
  /** The next piece of work, for an agent that remembers nothing. */
  next(iteration: number, state: RunState): AsyncGenerator<RunEvent, Assignment>;
  /** Has the work done. */
  work(assignment: Assignment): AsyncGenerator<RunEvent, AgentReply>;
  /** Condenses a reply into what the history keeps; may start the checks beside it. */
  summarize(work: Work, checks: CheckRun): AsyncGenerator<RunEvent, Condensed>;
  /** The same for work that could not be condensed because the run must end: made of what is at hand, without a model. */
  outline(work: Work): Promise<Condensed>;
  /** Gathers evidence about the recorded work and judges it. */
  conclude(summary: ExecutionSummary, state: RunState, checks: CheckRun): AsyncGenerator<RunEvent, JudgmentRecord>;
  /** What remains to be done outside the workspace once the work is judged complete. */
  effects(state: RunState): Promise<readonly Effect[]>;
}
