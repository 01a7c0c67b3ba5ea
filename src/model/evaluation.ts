import { z } from "zod";
import { MessageRecord } from "./message-record.ts";

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
