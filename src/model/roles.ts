import { z } from "zod";

/** The five roles of the goal course, each answered in a fresh context. */
export const Role = z.enum(["intake", "executor", "summarizer", "judge", "reviewer"]);
export type Role = z.infer<typeof Role>;

export const ClarificationQuestion = z.object({
  question: z.string().min(1),
  context: z.string().default(""),
  suggested_answers: z.array(z.string()).default([]),
  criterion: z.int().nullish().describe("the number of the criterion that it is about"),
});
export type ClarificationQuestion = z.infer<typeof ClarificationQuestion>;

export const IntakeResult = z.object({
  status: z.enum(["accepted", "needs_clarification"]),
  task: z.string().describe("the task, sharpened in wording only"),
  criteria: z.array(z.string()).describe("one refined text per semantic criterion, same number, same order"),
  clarification_questions: z.array(ClarificationQuestion).default([]),
  validation_notes: z.string().nullable().default(null),
});
export type IntakeResult = z.infer<typeof IntakeResult>;

export const ExecutionStatus = z.enum(["success", "failure", "error"]);
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

/** The executor's intentions and findings, which only it knows. */
export const SemanticMetadata = z.object({
  approach: z.string(),
  strategy_tags: z.array(z.string()).default([]),
  discoveries: z.array(z.string()).default([]),
});
export type SemanticMetadata = z.infer<typeof SemanticMetadata>;

export const ExecutionResult = z.object({
  status: ExecutionStatus,
  output: z.string().describe("what was done and what came of it; for a text task, the text itself"),
  artifacts: z.array(z.string()).default([]).describe("files made or changed"),
  semantic_metadata: SemanticMetadata.nullable().default(null),
});
export type ExecutionResult = z.infer<typeof ExecutionResult>;

export const KnowledgeType = z.enum(["discovery", "lesson", "pattern", "constraint", "codebase"]);
export type KnowledgeType = z.infer<typeof KnowledgeType>;

export const Confidence = z.enum(["low", "medium", "high"]);
export type Confidence = z.infer<typeof Confidence>;

/** The part of a Knowledge entry that the summarizer writes. */
export const KnowledgeDraft = z.object({
  type: KnowledgeType,
  category: z.string().min(1),
  content: z.string().min(1),
  example_file: z.string().nullable().default(null),
  confidence: Confidence.default("medium"),
});
export type KnowledgeDraft = z.infer<typeof KnowledgeDraft>;

export const Knowledge = KnowledgeDraft.extend({
  source_task: z.string(),
  applied_count: z.int().min(0).default(0),
  created_at: z.string(),
});
export type Knowledge = z.infer<typeof Knowledge>;

export const NextAction = z.object({
  suggested_action: z.string(),
  blockers: z.array(z.string()).default([]),
  partial_progress: z.string().nullable().default(null),
  pending_items: z.array(z.string()).default([]),
});
export type NextAction = z.infer<typeof NextAction>;

/** The summarizer's answer. It is not asked for facts that the agent's stream shows. */
export const SummarizerResult = z.object({
  approach: z.string(),
  reason: z.string().describe("what came of it, with the facts each criterion needs; at most 1000 tokens"),
  artifacts: z.array(z.string()).default([]),
  next: NextAction.nullable().default(null),
  knowledge: z.array(KnowledgeDraft).default([]),
});
export type SummarizerResult = z.infer<typeof SummarizerResult>;

/** The judge's evaluation of one criterion. `id` identifies it; the text is for people. */
export const JudgeEvaluation = z.object({
  id: z.int().describe("the number of the criterion in the list"),
  criterion: z.string(),
  is_met: z.boolean(),
  evidence: z.string(),
  confidence: z.number().min(0).max(1),
});
export type JudgeEvaluation = z.infer<typeof JudgeEvaluation>;

export const JudgmentResult = z.object({
  is_complete: z.boolean(),
  evaluations: z.array(JudgeEvaluation),
  overall_reason: z.string(),
  suggested_next_action: z.string().nullable().default(null),
});
export type JudgmentResult = z.infer<typeof JudgmentResult>;

/** What a reviewer may find in a diff. */
export const FindingKind = z.enum([
  "special_case",
  "weakened_test",
  "disabled_check",
  "not_computed",
  "unasked_deletion",
]);
export type FindingKind = z.infer<typeof FindingKind>;

/** A place in the work, with the words that stand there. Empty where an answer needs none. */
const quotation = {
  file: z.string().default("").describe("its path, as the list of changed files has it"),
  line: z.int().min(0).default(0).describe("the line where the quotation begins; 0 for what git says about the file"),
  quote: z.string().default("").describe("one line or several, copied verbatim, without marks and line numbers"),
};
const explanation = z.string().default("");

/** The reviewer's answer. Its quotations are looked up; without one, a finding and a "met" count for nothing. */
export const ReviewerResult = z.object({
  findings: z.array(z.object({ kind: FindingKind, ...quotation, explanation })),
  criteria: z
    .array(
      z.object({
        id: z.int().describe("the number of the sentence criterion in the list"),
        is_met: z.boolean(),
        ...quotation,
        asks_text: z
          .string()
          .default("")
          .describe("where no file has changed: the words of the user that ask for a text instead of files, verbatim"),
        explanation,
      }),
    )
    .default([]),
  protected_files: z
    .array(
      z.object({
        ...quotation,
        is_demanded: z.boolean().describe("whether the task demands this change"),
        demand: z.string().default("").describe("the words of the user that demand it, copied verbatim"),
        explanation,
      }),
    )
    .default([]),
  ignored_files: z
    .object({
      is_build: z.boolean().describe("whether the project itself makes all of these files from its sources"),
      ...quotation,
      explanation,
    })
    .nullable()
    .default(null),
});
export type ReviewerResult = z.infer<typeof ReviewerResult>;
