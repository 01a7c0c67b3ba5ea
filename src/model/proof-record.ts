import { z } from "zod";
import { Evaluation } from "./evaluation.ts";
import { FlowPosition } from "./flow/position.ts";
import { MessageRecord, StatementRecord } from "./message-record.ts";
import { FindingKind } from "./roles.ts";
import { SandboxUse } from "./sandbox.ts";

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

export const ProtectionReason = z.enum(["test", "configuration", "named", "loaded", "dependency", "weakening"]);
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

/** How the verdict of a run was reached, whether something was proved or not. */
export const VerdictProof = Proof.extend({
  /** `none`: nothing was proved. The checks then have their last outcome in the workspace. */
  method: z.enum([...Proof.shape.method.options, "none"]),
  /** Whether the claim holds; `null`: nothing was proved. Records of the version before have only proofs that hold. */
  holds: z.boolean().nullable().default(true),
  /** The iteration that has made the claim. */
  iteration: z.int().min(1).optional(),
  /** What refutes the claim. The checks that failed are in `final_judgment`, with the end of their output. */
  reasons: z.array(MessageRecord).default([]),
});
export type VerdictProof = z.infer<typeof VerdictProof>;

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
