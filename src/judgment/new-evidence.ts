import type { Evaluation } from "../model/evaluation.ts";
import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import type { JudgeAnswer } from "./judges.ts";

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

/** The judges' former words on the sentences, as if they had said them now. Undefined: they have said nothing that counts. */
export function formerWords(
  { evaluations, overall_reason, reasons = [], suggested_next_action }: JudgmentRecord,
  models: readonly string[],
): JudgeAnswer[] | undefined {
  const words = evaluations.filter(({ source }) => source === "judge");
  if (words.length === 0 || evaluations.some(({ source }) => source === "nobody")) return undefined;
  const isWithheld = reasons.some(({ code }) => code === "judge_withheld");
  const heard = new Set(words.flatMap(({ said_by = [] }) => said_by.map(({ model }) => model)));
  const isMet = words.every(({ is_met }) => is_met);
  // What the judges of then called met says nothing about a judge who has not been asked.
  if (isMet && models.length > 1 && models.some((model) => !heard.has(model))) return undefined;
  const spoken = heard.size > 0 ? [...heard] : models.slice(0, 1);
  return spoken.map((model) => ({
    model,
    answer: {
      is_complete: !isWithheld && words.every((word) => saidBy(word, model).is_met),
      evaluations: words.map((word) => ({ id: word.id, criterion: word.criterion, ...saidBy(word, model) })),
      overall_reason,
      suggested_next_action,
    },
  }));
}

function saidBy({ said_by, ...word }: Evaluation, model: string) {
  const { is_met, evidence, confidence } = said_by?.find((one) => one.model === model) ?? word;
  return { is_met, evidence, confidence };
}

/** Whether the judge's word in a judgment is that of an earlier one. */
export function standsFromBefore({ reasons = [] }: Pick<JudgmentRecord, "reasons">): boolean {
  return reasons.some(({ code }) => code === "not_judged_again");
}
