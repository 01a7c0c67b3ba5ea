import { z } from "zod";
import { StatementRecord } from "../message-record.ts";

/** Values that steps have handed on: step id → key → value. Besides the history, the only memory between steps. */
export const Handoff = z.record(z.string(), z.record(z.string(), z.unknown()));
export type Handoff = z.infer<typeof Handoff>;

/** Where a flow stands after a step was concluded. Kept in the judgment, so that folding the records restores it. */
export const FlowPosition = z.object({
  /** The step that was concluded. */
  step_id: z.string(),
  intent: z.string().nullable(),
  /** The step that comes next; null when the flow has ended. */
  next_step: z.string().nullable(),
  handoff: Handoff,
  /** Failed completion attempts, by closure step id. */
  attempts: z.record(z.string(), z.int().min(0)),
  /** Consecutive iterations that ended because the step's schema could not be resolved. */
  schema_failures: z.int().min(0).default(0),
  /** How often completion was looked at (checkBudget). */
  checks: z.int().min(0).default(0),
  /** Stands before the next step's own prompt: why completion was refused and what to do. */
  retry_prompt: z.string().nullable().default(null),
  /** The signal that completion still waits for: stands before every closure step's prompt until completion is looked at again. */
  closing_hint: z.string().optional(),
  /** Why the last attempt at this step failed; null when it did not. The oldest records have it in `retry_prompt`. */
  last_failure: StatementRecord.nullable().default(null),
  /** Corrections that were made on the way: a wrong stepId, a fallback intent. */
  deviations: z.array(StatementRecord).default([]),
});
export type FlowPosition = z.infer<typeof FlowPosition>;

/** What a step's worker returned. Kept in the summary, so that a run killed here concludes without asking again. */
export const StepOutcome = z.object({
  step_id: z.string(),
  /** Who took it, as `--agent` names agents. Absent for a program. */
  agent: z.string().optional(),
  output: z.unknown(),
  /** The last text, for completion by keyword. */
  text: z.string().default(""),
  /** Corrections that were made to the output. */
  deviations: z.array(StatementRecord).default([]),
});
export type StepOutcome = z.infer<typeof StepOutcome>;
