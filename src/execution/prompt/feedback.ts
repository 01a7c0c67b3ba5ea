import type { Statement } from "../../model/message.ts";
import type { JudgmentRecord } from "../../model/records.ts";
import type { Goal } from "../goal/goal.ts";
import { estimateTokens, keepHead } from "./bounds.ts";
import { onOneLine } from "./quotes.ts";
import { evidenceFor, indent } from "./texts.ts";

const LONGEST_TOKENS = 2_000;
const MARK_TOKENS = 10;

interface FeedbackOptions {
  room: number;
  tell: (statement: Statement) => string;
}

/** What a review has found, then the unmet criteria of the last judgment. Their evidence shares the room, so that each one is named. */
export function feedbackItems(judgment: JudgmentRecord, goal: Goal, { room, tell }: FeedbackOptions): string[] {
  const unmet = judgment.evaluations.filter((evaluation) => !evaluation.is_met);
  const heads = unmet.map(({ id, criterion }) => `- NOT MET: ${id}. ${criterion}`);
  const tokens = shareOf(room, heads, judgment.reasons?.length ?? 0);
  const items = unmet.map((evaluation, index) => {
    const evidence = evidenceFor(goal.criteria, evaluation, { tell, tokens });
    return `${heads[index]}\n${indent(evidence)}`;
  });
  const { suggested_next_action: action, overall_reason, reasons = [] } = judgment;
  const found = reasons.filter(({ code }) => code.startsWith("review_"));
  const reason = [...reasons.filter((one) => !found.includes(one)).map(tell), overall_reason].filter(Boolean).join(" ");
  return [
    ...found.map((one) => `- A REVIEW OF THE FILES FOUND: ${keepHead(onOneLine(tell(one)), tokens)}`),
    action && `- Suggested next action: ${keepHead(onOneLine(action), tokens)}`,
    ...items,
    reason && `- ${keepHead(onOneLine(reason), tokens)}`,
  ].filter((item): item is string => Boolean(item));
}

/** Tokens for each piece of evidence, each reason and the suggestion. */
function shareOf(room: number, heads: readonly string[], reasons: number): number {
  const pieces = heads.length + reasons + 2;
  const named = heads.reduce((sum, head) => sum + estimateTokens(head), 0);
  const left = Math.floor((room - named) / pieces) - MARK_TOKENS;
  return Math.min(LONGEST_TOKENS, Math.max(0, left));
}
