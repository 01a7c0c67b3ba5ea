import type { AgentReply, Assignment } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import type { ProofRecord } from "../model/proof-record.ts";
import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import type { KnowledgeDraft } from "../model/roles.ts";
import type { RunState } from "../model/state.ts";
import type { Effect } from "./effects.ts";
import type { CheckRun } from "./goal/checks.ts";

/** An assignment and its reply. */
export interface Work {
  iteration: number;
  assignment: Assignment;
  reply: AgentReply;
  /** What was found out about its files. */
  facts: Pick<ExecutionSummary, "snapshot" | "is_unchanged" | "worker">;
}

/** The record of the work, and the knowledge gained. */
export interface Condensed {
  summary: ExecutionSummary;
  knowledge: readonly KnowledgeDraft[];
}

/** A judgment, and what ends the run once it is recorded. */
export interface Concluded {
  judgment: JudgmentRecord;
  trouble?: { error: unknown };
}

/** A proof, and what ends the run once it is recorded. */
export interface Proved {
  proof: ProofRecord;
  trouble?: { error: unknown };
}

/** The steps that differ between a task and a flow. The loop owns state, records and the checks of an iteration. */
export interface Course {
  /** Prepares the first assignment. Throws Halt when the run must not begin. */
  prepare(state: RunState): AsyncGenerator<RunEvent, void>;
  /** The next piece of work, for an agent that remembers nothing. */
  next(iteration: number, state: RunState): AsyncGenerator<RunEvent, Assignment>;
  /** Whether that work is for an agent, who is told the user's notes. */
  isForAgent(iteration: number, state: RunState): boolean;
  /** Has the work done. */
  work(assignment: Assignment): AsyncGenerator<RunEvent, AgentReply>;
  /** Condenses a reply into a record; may start the checks at the same time. */
  summarize(work: Work, checks: CheckRun): AsyncGenerator<RunEvent, Condensed>;
  /** The same without a model, for a run that must end. */
  outline(work: Work): Promise<Condensed>;
  /** Gathers evidence about the recorded work and judges it. */
  conclude(summary: ExecutionSummary, state: RunState, checks: CheckRun): AsyncGenerator<RunEvent, Concluded>;
  /** Whether a proof can show more about the work that was judged complete than the judgment did. */
  isProvable(state: RunState): boolean;
  /** Proves that the recorded work, which was judged complete, is. */
  prove(state: RunState): AsyncGenerator<RunEvent, Proved>;
  /** The changes to make outside the workspace once the work is judged complete. */
  effects(state: RunState): Promise<readonly Effect[]>;
}
