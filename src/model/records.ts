import { z } from "zod";
import { ChangedFile, ChangeTotals } from "./changes.ts";
import { FlowPosition, StepOutcome } from "./flow/position.ts";
import { MessageRecord, StatementRecord } from "./message-record.ts";
import { ClarificationQuestion, ExecutionStatus, FindingKind, JudgmentResult, NextAction } from "./roles.ts";
import { SandboxUse } from "./sandbox.ts";
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

/** What evaluated a criterion: a command, a comparison of files, the judge, or nothing. */
export const EvaluationSource = z.enum(["command", "files", "judge", "nobody"]);

export const Evaluation = z.object({
  id: z.int().min(1),
  criterion: z.string(),
  is_met: z.boolean(),
  /** Quoted, never edited: the end of a check's output, or the judge's words. */
  evidence: z.string(),
  /** How the command ended, which files differ, or why the judge's answer does not count. */
  outcome: MessageRecord.optional(),
  /** Only the end of the output is kept in `evidence`. */
  is_cut: z.boolean().optional(),
  /** How often a check passed in a row, and how often it had to. Absent: once. */
  passes: z.object({ passed: z.int().min(0), needed: z.int().min(1) }).optional(),
  /** The check has both failed and passed on the same files. */
  is_flaky: z.boolean().optional(),
  confidence: z.number().min(0).max(1),
  /** What each judge said, where several are asked. */
  said_by: z
    .array(
      z.object({
        model: z.string(),
        is_met: z.boolean(),
        evidence: z.string(),
        confidence: z.number().min(0).max(1),
        outcome: MessageRecord.optional(),
      }),
    )
    .optional(),
  source: EvaluationSource.default("judge"),
});
export type Evaluation = z.infer<typeof Evaluation>;

export function isOfCheck({ source }: Pick<Evaluation, "source">): boolean {
  return source === "command" || source === "files";
}

/**
 * What refuted a worker's success: failed checks, and the judge's word where it counts. Every other result is no claim of success.
 */
export function refutationOf(result: string, evaluations: readonly Evaluation[]): { refuted_by?: Evaluation[] } {
  const isRefutation = (one: Evaluation) =>
    isOfCheck(one) || (one.source === "judge" && (!one.outcome || one.outcome.code === "judges_split"));
  const refuted_by = evaluations.filter((one) => !one.is_met && isRefutation(one));
  return result === "success" && refuted_by.length > 0 ? { refuted_by } : {};
}

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

/** How a check came out before the first work and in the proof. */
export const ProvedCheck = z.object({
  id: z.int().min(1),
  criterion: z.string(),
  /** Whether it passed before the first work; `null`: not known. */
  before: z.boolean().nullable(),
  after: z.boolean(),
  /** It failed in the clean room although it passes in the workspace. */
  fails_in_room: z.boolean().optional(),
  /** It asks about the workspace or the tracker, so it was asked again there. */
  is_in_place: z.boolean().optional(),
  passes: Evaluation.shape.passes,
  is_flaky: z.boolean().optional(),
});
export type ProvedCheck = z.infer<typeof ProvedCheck>;

export const ProtectionReason = z.enum(["test", "configuration", "named", "loaded", "dependency"]);
export type ProtectionReason = z.infer<typeof ProtectionReason>;

/**
 * `review`: the reviewers must find that the task demands the change. `fail`: the claim is refuted. `restore`: the checks of the proof run
 * on the files of the start. `off`: nothing is protected.
 */
export const ProtectionPolicy = z.enum(["review", "fail", "restore", "off"]);
export type ProtectionPolicy = z.infer<typeof ProtectionPolicy>;

/** A changed file that the checks rest on. */
export const ProtectedChange = z.object({
  path: z.string(),
  status: z.enum(["added", "modified", "deleted"]),
  why: ProtectionReason,
  /** `may_change` names it, so that nothing speaks against the change. */
  is_allowed: z.boolean().optional(),
});
export type ProtectedChange = z.infer<typeof ProtectedChange>;

/** What a reviewer has quoted, and whether it stands there. Long quotations are cut after they were looked up. */
const quoted = {
  file: z.string(),
  line: z.int(),
  quote: z.string(),
  is_verified: z.boolean(),
  explanation: z.string(),
};

/** A finding counts only if its quotation stands where it is said to stand. */
export const ReviewFinding = z.object({ kind: FindingKind, ...quoted });
export type ReviewFinding = z.infer<typeof ReviewFinding>;

/** `is_met` is the reviewer's word; it counts only with a verified quotation. */
export const ReviewedCriterion = z.object({
  id: z.int(),
  criterion: z.string(),
  is_met: z.boolean(),
  ...quoted,
  /** The user asks for a text and no file has changed: only the judges read it. */
  is_text: z.boolean().optional(),
});
export type ReviewedCriterion = z.infer<typeof ReviewedCriterion>;

/** A change of a protected file is allowed if the task demands it: `demand` must be the user's own words. */
export const ReviewedFile = z.object({
  ...quoted,
  is_demanded: z.boolean(),
  demand: z.string(),
  is_demand_verified: z.boolean(),
});
export type ReviewedFile = z.infer<typeof ReviewedFile>;

/** What one reviewer said. */
export const Review = z.object({
  model: z.string(),
  /** Why its answer cannot be used; what could be read of it is kept. */
  problem: StatementRecord.optional(),
  findings: z.array(ReviewFinding),
  criteria: z.array(ReviewedCriterion),
  protected_files: z.array(ReviewedFile),
  /** On the files that git ignores and that a check rests on; `null` where it was not asked about any. */
  ignored_files: z.object({ is_build: z.boolean(), ...quoted }).nullable(),
});
export type Review = z.infer<typeof Review>;

/** What the reviewers said about the work, or why none was asked. */
export const ReviewRecord = z.object({
  missing: MessageRecord.optional(),
  reviews: z.array(Review),
  /** Changed files of which the reviewers were shown only a part, or nothing. */
  cut_files: z.array(z.string()),
  /** No file has changed: the sentence criteria were held against the files as they are. */
  is_untouched: z.boolean().optional(),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

/** How a verdict was reached. */
export const Proof = z.object({
  method: z.enum(["clean-room", "in-place"]),
  /** Why the proof is weaker than it could be. */
  weaker: z.array(MessageRecord).default([]),
  /** The snapshots of the start and of the proved work. */
  start: z.string().nullable(),
  commit: z.string().nullable(),
  checks: z.array(ProvedCheck),
  /** The word of a judge who was asked afresh, on each sentence criterion. Empty: none was asked. */
  judged: z.array(Evaluation.pick({ id: true, criterion: true, is_met: true })).default([]),
  /** Without snapshots of both start and work, nothing was compared. */
  protected_changes: z.array(ProtectedChange),
  /** What was held against them. Absent in records of the version before. */
  protection: ProtectionPolicy.optional(),
  /** Files that git ignores and that were made since the start: the clean room does not have them. */
  made_since: z.array(z.string()).default([]),
  /** `null` in records of a version without reviewers. */
  review: ReviewRecord.nullable().default(null),
  /** Where worker and checks ran. Absent in records of the version before. */
  sandbox: SandboxUse.optional(),
});
export type Proof = z.infer<typeof Proof>;

/** The proof of one iteration's claim. What refutes it is in `evaluations` and `reasons`. */
export const ProofRecord = Proof.extend({
  type: z.literal("proof"),
  iteration: z.int().min(1),
  holds: z.boolean(),
  evaluations: z.array(Evaluation),
  reasons: z.array(MessageRecord),
  /** For a flow whose claim was refuted: where it goes next. */
  flow: FlowPosition.optional(),
  /** A reviewer gave no usable answer, and nothing else refutes the claim: a resumed run proves it again. */
  is_undecided: z.boolean().optional(),
  timestamp: z.string(),
});
export type ProofRecord = z.infer<typeof ProofRecord>;

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
  /** How a completed run was proved; `null` without a proof. */
  proof: Proof.nullable().default(null),
  /** Why a completed run has none. */
  unproved: MessageRecord.optional(),
  /** What became of the task's own branch; `null` where it has none, or was not to land. */
  landing: LandingRecord.omit({ type: true, timestamp: true }).nullable().default(null),
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
