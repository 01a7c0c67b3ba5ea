import { z } from "zod";
import { ChangedFile, ChangeTotals } from "./changes.ts";
import { Evaluation } from "./evaluation.ts";
import { FlowPosition, StepOutcome } from "./flow/position.ts";
import { MessageRecord, StatementRecord } from "./message-record.ts";
import { ProofRecord, VerdictProof } from "./proof-record.ts";
import { ClarificationQuestion, ExecutionStatus, JudgmentResult, NextAction } from "./roles.ts";
import { Usage } from "./usage.ts";
import { WorkerRecord } from "./workers.ts";

/** Facts taken from the agent's stream and the file system, never asked of a model. */
export const SummaryMetadata = z.object({
  tools_used: z.array(z.string()).default([]),
  files_modified: z.array(z.string()).default([]),
  error_type: z.string().nullable().default(null),
  tokens_used: z.int().min(0).default(0),
  strategy_tags: z.array(z.string()).default([]),
  /** Tool calls that were not allowed. */
  tools_denied: z.array(z.string()).optional(),
});
export type SummaryMetadata = z.infer<typeof SummaryMetadata>;

export const ExecutionSummary = z.object({
  type: z.literal("summary"),
  iteration: z.int().min(1),
  approach: z.string(),
  result: ExecutionStatus,
  reason: z.string(),
  artifacts: z.array(z.string()).default([]),
  metadata: SummaryMetadata.prefault({}),
  next: NextAction.nullable().default(null),
  /** The commit that holds the files as the worker left them. */
  snapshot: z.string().optional(),
  /** No file, no ignored file and no commit of the user differs from the iteration before. */
  is_unchanged: z.boolean().optional(),
  /** Of the text that was handed in. */
  output_digest: z.string().optional(),
  /** Why the worker gave no usable answer. `reason` then holds only the words of the worker, its program or the summarizer. */
  failure: MessageRecord.optional(),
  /** Only the beginning of `approach` or `reason` is kept, or of a mechanical summary the end. */
  is_cut: z.boolean().optional(),
  /** The worker's own text, as seen from the project. */
  output_path: z.string().optional(),
  /** The worker's raw stream, where one is kept. */
  raw_log_path: z.string().optional(),
  /** Who did the work, where several may. */
  worker: z.string().optional(),
  /** For a flow: the step and its output. */
  flow: StepOutcome.optional(),
  timestamp: z.string(),
});
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

/** `overall_reason` is the judge's, empty without a judge; `reasons` are ours. */
export const Judgment = JudgmentResult.extend({
  evaluations: z.array(Evaluation),
  reasons: z.array(MessageRecord).optional(),
});
export type Judgment = z.infer<typeof Judgment>;

export const JudgmentRecord = Judgment.extend({
  type: z.literal("judgment"),
  iteration: z.int().min(1),
  /** For a flow: where it goes next. */
  flow: FlowPosition.optional(),
  /** An error kept the judgment from being made; it holds what was found until then, and a resumed run judges again. */
  is_undecided: z.boolean().optional(),
  timestamp: z.string(),
});
export type JudgmentRecord = z.infer<typeof JudgmentRecord>;

/**
 * `merged`: the base came into the worktree, so the work has to be proved again. `conflict`: a worker has to settle it. `landed`: the base
 * has the work. `kept`: it will have it once its checkout is brought forward. `published`: the remote has the branch.
 */
export const LandingOutcome = z.enum(["merged", "conflict", "landed", "kept", "published", "failed"]);

/** How far a task's own branch has come on its way to its base. */
export const LandingRecord = z.object({
  type: z.literal("landing"),
  iteration: z.int().min(1),
  outcome: LandingOutcome,
  branch: z.string(),
  base: z.string(),
  /** The base's tip that a merge brought in: the work is what differs from it. */
  base_commit: z.string().optional(),
  /** What the base or the ref of ours points to now; of a merge, its result. */
  commit: z.string().optional(),
  remote: z.string().optional(),
  pull_request: z.object({ number: z.int(), url: z.string() }).optional(),
  /** The command that brings the checkout of the base forward. */
  forward: z.string().optional(),
  /** The files with conflicts. */
  files: z.array(z.string()).optional(),
  problem: MessageRecord.optional(),
  timestamp: z.string(),
});
export type LandingRecord = z.infer<typeof LandingRecord>;

export const LoopStatus = z.enum([
  "completed",
  "max_iterations",
  "budget_exceeded",
  "stalled",
  "conditions_failed",
  "error",
  "cancelled",
  "clarification_needed",
]);
export type LoopStatus = z.infer<typeof LoopStatus>;

/** Why the loop stopped, finer than the status. */
export const StopReason = z.enum([
  "criteria_met",
  "already_true",
  "flow_budget",
  "max_iterations",
  "budget_cost",
  "budget_tokens",
  "budget_time",
  "deadline",
  "stalled",
  "conditions_failed",
  "already_green",
  "not_landed",
  "error",
  "cancelled",
  "clarification_needed",
]);
export type StopReason = z.infer<typeof StopReason>;

/** The iteration with which the run stood still, and who took over then. */
export const Escalation = z.object({ iteration: z.int(), to: z.string() });
export type Escalation = z.infer<typeof Escalation>;

/** The one record that ends every run, however it ends. */
export const LoopResult = z.object({
  type: z.literal("final_result"),
  task_id: z.string(),
  status: LoopStatus,
  stop_reason: StopReason,
  iterations_used: z.int().min(0),
  final_judgment: Judgment.nullable().default(null),
  /** How the verdict was reached: proved, refuted, or without a proof. `null` in records of the version before. */
  proof: VerdictProof.nullable().default(null),
  /** Why nothing was proved. */
  unproved: MessageRecord.optional(),
  /** What became of the task's own branch; `null` where it has none, or was not to land. */
  landing: LandingRecord.omit({ type: true, timestamp: true }).nullable().default(null),
  /** The task's own worktree and branch, where they were there at the end. */
  kept_in: z.object({ worktree: z.string(), branch: z.string() }).optional(),
  /** How many iterations each worker has done, where several may work. */
  workers: z.array(z.object({ worker: z.string(), iterations: z.int() })).optional(),
  escalated: Escalation.optional(),
  /** Named by the worker. */
  artifacts: z.array(z.string()).default([]),
  /** Files that differ from the start of the task; at most `MOST_CHANGED` of them. */
  changed_files: z.array(ChangedFile).default([]),
  /** `null` in records of the version before. */
  change_totals: ChangeTotals.nullable().default(null),
  clarification_questions: z.array(ClarificationQuestion).default([]),
  error_code: z.string().nullable().default(null),
  error_details: z.record(z.string(), z.unknown()).nullable().default(null),
  /** Not stored: made of code and details for people. Records of the version before have them. */
  error_message: z.string().nullish(),
  hint: z.string().nullish(),
  history_path: z.string().nullable().default(null),
  usage: Usage.prefault({}),
  timestamp: z.string(),
});
export type LoopResult = z.infer<typeof LoopResult>;

export const EffectStage = z.enum(["begun", "done", "failed"]);
export type EffectStage = z.infer<typeof EffectStage>;

/** One stage of a change outside the workspace. A resumed run checks effects that were begun but not done. */
export const EffectRecord = z.object({
  type: z.literal("effect"),
  /** The same in every run of the task: `issue/12/close`. */
  key: z.string(),
  stage: EffectStage,
  /** What it does, for people. */
  what: StatementRecord,
  /** Why it failed. */
  problem: StatementRecord.optional(),
  timestamp: z.string(),
});
export type EffectRecord = z.infer<typeof EffectRecord>;

/** What the user tells the next worker while the task runs, or before it is resumed. */
export const Note = z.object({ note_id: z.string(), text: z.string(), given_at: z.string() });
export type Note = z.infer<typeof Note>;

/** A note that has reached a worker: the one of this iteration reads it first. */
export const NoteRecord = Note.extend({
  type: z.literal("note"),
  iteration: z.int().min(1),
  timestamp: z.string(),
});
export type NoteRecord = z.infer<typeof NoteRecord>;

export const HistoryRecord = z.discriminatedUnion("type", [
  ExecutionSummary,
  JudgmentRecord,
  ProofRecord,
  LandingRecord,
  EffectRecord,
  NoteRecord,
  WorkerRecord,
  LoopResult,
]);
export type HistoryRecord = z.infer<typeof HistoryRecord>;
