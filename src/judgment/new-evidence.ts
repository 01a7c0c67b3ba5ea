import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import type { JudgmentResult } from "../model/roles.ts";

/** What the judge saw last, and what there is now. */
export interface SeenWork {
  /** The work that was judged last. */
  judged: ExecutionSummary | null;
  summary: ExecutionSummary;
  /** Whether the task has changed any file since its start: otherwise the text that is handed in is the work. */
  has_changed_files: boolean;
}

/**
 * Whether the judge could see anything that it has not judged already. A worker that has changed no file and run no command has only
 * found other words for its report, and a judge that is asked often enough errs at some time.
 */
export function hasNewEvidence({ judged, summary, has_changed_files }: SeenWork): boolean {
  if (!judged || !summary.is_unchanged || judged.result !== summary.result) return true;
  if (summary.metadata.tools_used.some(isCommand)) return true;
  return !has_changed_files && (summary.output_digest ?? null) !== (judged.output_digest ?? null);
}

/** A command is recorded with its program: `Bash(pytest)`. A tool of another program may do anything. */
function isCommand(tool: string): boolean {
  return tool.includes("(") || tool.startsWith("mcp__");
}

/** The judge's former word on the sentences, as if it had said it now. Undefined: it has said nothing that counts. */
export function formerWord({
  evaluations,
  overall_reason,
  reasons = [],
  ...former
}: JudgmentRecord): JudgmentResult | undefined {
  const words = evaluations.filter(({ source }) => source === "judge");
  if (words.length === 0 || evaluations.some(({ source }) => source === "nobody")) return undefined;
  const isWithheld = reasons.some(({ code }) => code === "judge_withheld");
  return {
    is_complete: !isWithheld && words.every(({ is_met }) => is_met),
    evaluations: words.map(({ id, criterion, is_met, evidence, confidence }) => ({
      id,
      criterion,
      is_met,
      evidence,
      confidence,
    })),
    overall_reason,
    suggested_next_action: former.suggested_next_action,
  };
}

/** Whether the judge's word in a judgment is that of an earlier one. */
export function standsFromBefore({ reasons = [] }: Pick<JudgmentRecord, "reasons">): boolean {
  return reasons.some(({ code }) => code === "not_judged_again");
}
