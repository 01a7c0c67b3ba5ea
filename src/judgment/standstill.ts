import { type Evaluation, isOfCheck } from "../model/evaluation.ts";
import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";

/**
 * Whether an iteration got nowhere: no file changed, the same criteria unmet as before, and the failing checks said the
 * same. Numbers in their output are set aside, because durations and process ids differ between equal failures.
 */
export function standsStill(before: JudgmentRecord | null, summary: ExecutionSummary, after: JudgmentRecord): boolean {
  if (after.is_complete || summary.metadata.files_modified.length > 0) return false;
  return before === null || failureShape(before) === failureShape(after);
}

function failureShape(judgment: JudgmentRecord): string {
  const unmet = judgment.evaluations.filter((evaluation) => !evaluation.is_met);
  const said = (one: Evaluation) => JSON.stringify([one.outcome, one.evidence]).replace(/\d[\d.]*/g, "#");
  return JSON.stringify(unmet.map((one) => [one.id, isOfCheck(one) ? said(one) : ""]));
}
