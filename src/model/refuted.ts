import type { Evaluation } from "./evaluation.ts";
import type { ProofRecord } from "./proof-record.ts";
import type { HistoryRecord, Judgment, JudgmentRecord } from "./records.ts";

/** A judgment whose claim was refuted: what failed in the proof is not met, and the reasons are those of the proof. */
export function refutedBy<J extends Judgment>(judgment: J, { evaluations, reasons }: ProofRecord): J {
  const failed = evaluations.filter(({ is_met }) => !is_met);
  return {
    ...judgment,
    is_complete: false,
    evaluations: failed.reduce(withFailed, judgment.evaluations),
    reasons,
    overall_reason: "",
    suggested_next_action: null,
  };
}

/** The proof of a flow may number its conditions differently. */
function withFailed(evaluations: readonly Evaluation[], failed: Evaluation): Evaluation[] {
  const sameName = ({ criterion }: Evaluation) => criterion === failed.criterion;
  const same = evaluations.find((one) => one.id === failed.id && sameName(one)) ?? evaluations.find(sameName);
  if (same) return evaluations.map((one) => (one === same ? { ...failed, id: same.id } : one));
  return [...evaluations, { ...failed, id: Math.max(0, ...evaluations.map(({ id }) => id)) + 1 }];
}

/**
 * The judgment of each iteration, as its proof has left it. An iteration whose run was cut off may have been judged twice: then the later
 * one counts.
 */
export function judgmentsIn(records: readonly HistoryRecord[]): JudgmentRecord[] {
  const judgments = new Map<number, JudgmentRecord>();
  for (const record of records) {
    if (record.type === "judgment") judgments.set(record.iteration, record);
    const claimed = record.type === "proof" && !record.holds && !record.is_undecided;
    const judgment = claimed ? judgments.get(record.iteration) : undefined;
    if (claimed && judgment) judgments.set(record.iteration, refutedBy(judgment, record));
  }
  return [...judgments.values()];
}
