import type { ExecutionSummary } from "../../model/records.ts";
import type { AcceptedEvidence } from "../../model/state.ts";
import { keepHead } from "./bounds.ts";
import { fitted } from "./memory.ts";
import { quoted } from "./quotes.ts";
import { indent, lines, named, summaryText, type Tell } from "./texts.ts";

/** Tokens for the evidence of all earlier iterations, and for one piece of it. */
const ACCEPTED_TOKENS = 8_000;
const LONGEST_ACCEPTED_TOKENS = 1_000;

/** Tokens for the records of earlier iterations. */
const EARLIER_TOKENS = 16_000;

/** The records of earlier iterations, for a judge who is asked afresh; the latest where not all fit. */
export function earlierRecords(summaries: readonly ExecutionSummary[], tell: Tell): string {
  const items = summaries.map((one) => `## Iteration ${one.iteration}\n${summaryText(one, one.reason, tell)}\n`);
  return fitted(items.reverse(), EARLIER_TOKENS, true).text;
}

/** Evidence of earlier iterations for the judge, with what has changed since. */
export function acceptedList(accepted: readonly AcceptedEvidence[]): string {
  const tokens = Math.min(LONGEST_ACCEPTED_TOKENS, Math.floor(ACCEPTED_TOKENS / Math.max(1, accepted.length)));
  return lines(
    accepted.map(({ id, iteration, evidence, changed_since }) => {
      const changed = named("other files changed since", changed_since) || "no file changed since";
      const text = [keepHead(changed, tokens), quoted(keepHead(evidence, tokens))].join("\n");
      return `${id}. accepted in iteration ${iteration}\n${indent(text)}`;
    }),
  );
}
