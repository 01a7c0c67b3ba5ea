import type { FailureCode } from "./agent.ts";
import type { Configuration } from "./configuration.ts";
import type { Criterion } from "./criterion.ts";
import type { StepKind } from "./flow/steps-registry.ts";
import type { Notice } from "./notices.ts";
import type { Evaluation, ExecutionSummary, JudgmentRecord, LoopResult } from "./records.ts";
import type { ClarificationQuestion, IntakeResult, Role } from "./roles.ts";
import type { Statement } from "./statement.ts";
import type { Usage } from "./usage.ts";

export type Phase = "intake" | "execute" | "summarize" | "check" | "judge";

/** What happens inside an agent while it works. */
export type AgentEvent =
  | { type: "text"; role: Role; text: string }
  | { type: "tool-call"; role: Role; tool: string; detail: string }
  | { type: "tool-denied"; role: Role; tool: string; reason: Statement }
  /** Spent since the last such event of the same answer; their sum never exceeds the reply's usage. */
  | { type: "usage"; role: Role; usage: Usage }
  | { type: "notice"; notice: Notice };

/** Everything a surface needs to show a run. A record is on disk before it is announced. */
export type RunEvent =
  | AgentEvent
  | {
      type: "run-start";
      task_id: string;
      directory: string;
      task: string;
      criteria: Criterion[];
      resumed_after: number;
      max_iterations: number;
      budget: Configuration["budget"];
      /** What earlier runs of the task have spent. */
      spent: Usage;
      /** The last judgment's, where the task goes on. */
      evaluations: Evaluation[];
    }
  | { type: "intake"; result: IntakeResult; criteria: Criterion[] }
  | { type: "clarification"; questions: ClarificationQuestion[] }
  | { type: "iteration-start"; iteration: number; max_iterations: number }
  /** `beside`: the checks were started and run beside it. Those that are left after it are waited for in their own phase. */
  | { type: "phase-start"; phase: Phase; iteration: number; beside?: "check" }
  | { type: "waiting"; code: FailureCode; reason: Statement; until: number; attempt: number }
  | { type: "check-end"; iteration: number; evaluation: Evaluation }
  | { type: "summary"; summary: ExecutionSummary }
  | { type: "judgment"; judgment: JudgmentRecord }
  | { type: "spent"; total: Usage }
  /** An agent made of steps goes one way: created, started, running, stopped. */
  | { type: "agent-state"; state: "created" | "started" | "running" | "stopped" }
  | StepStart
  /** What an agent made of steps must meet to complete: all of it as a run begins, then what is about to be checked, in that order. */
  | { type: "conditions"; conditions: string[] }
  | { type: "boundary"; issue: number; action: string }
  /** `error` is what was thrown, for debugging; the result says what a user needs. */
  | { type: "run-end"; result: LoopResult; error?: unknown };

/** An agent made of steps begins with one of them. */
export interface StepStart {
  type: "step-start";
  iteration: number;
  step_id: string;
  name: string;
  kind: StepKind;
  /** Its place among the agent's steps as they are declared, the entry step being the first. */
  number: number;
  of: number;
  /** Its worker is told what was wrong with an earlier attempt. */
  is_retry: boolean;
}
