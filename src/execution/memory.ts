import type { FailureGroup } from "../connection/ports/task-store.ts";
import type { ExecutionSummary } from "../model/records.ts";
import type { Knowledge } from "../model/roles.ts";
import { keepHead, takeFitting } from "./bounds.ts";
import type { RunContext } from "./run-context.ts";
import { lines, summaryText } from "./texts.ts";

const KNOWLEDGE_TOKENS = 330;
const SUMMARY_TOKENS = 1_200;

/** How much of a prompt each part of the memory may take, in tokens. */
export interface MemoryShares {
  history: number;
  failures: number;
  knowledge: number;
}

export const MEMORY_SHARES: MemoryShares = { history: 24_000, failures: 16_000, knowledge: 12_000 };

/** What a worker is told of the past. */
export interface Memory {
  history: string;
  failures: string;
  knowledge: string;
  /** Entries for which there was no room. */
  left_out: number;
}

/** The latest summaries, the earlier failures and the knowledge that bears on a text, each within its share. */
export async function remember(context: RunContext, about: string, shares: MemoryShares): Promise<Memory> {
  const { configuration, phrases, ports } = context;
  const past = await ports.history.context(configuration.history_context_size);
  const known = await ports.knowledge.relevant(about, configuration.knowledge_context_size);
  // The newest entries are kept first when not all fit, and shown oldest first.
  const summaries = past.latest.toReversed().map((one) => summaryItem(one, context));
  const history = fitted(summaries, shares.history, context, true);
  const failures = fitted(past.failures.toReversed().map(failureItem), shares.failures, context, true);
  const knowledge = fitted(
    known.map((one) => knowledgeItem(one, context)),
    shares.knowledge,
    context,
  );
  ports.knowledge.applied(known.slice(0, known.length - knowledge.left));
  return {
    history: history.text,
    failures: withLeftOut(failures.text, past.failures_left_out, phrases.leftOut),
    knowledge: knowledge.text,
    left_out: past.failures_left_out + history.left + failures.left + knowledge.left,
  };
}

/** As many whole items as fit, and how many did not. */
export function fitted(items: readonly string[], tokens: number, { phrases }: RunContext, reverse = false) {
  const { taken, left } = takeFitting(items, tokens);
  const text = lines(reverse ? taken.reverse() : taken, phrases);
  return { text: withLeftOut(text, left, phrases.leftOut), left };
}

function withLeftOut(text: string, left: number, say: (count: number) => string): string {
  return left === 0 ? text : `${text}\n${say(left)}`;
}

function summaryItem(summary: ExecutionSummary, { phrases }: RunContext): string {
  const reason = keepHead(summary.reason, SUMMARY_TOKENS, phrases.cut);
  const text = keepHead(summaryText(summary, reason), SUMMARY_TOKENS * 2, phrases.cut);
  return `## Iteration ${summary.iteration}\n${text}\n`;
}

function failureItem({ approach, reason, count, first_iteration, last_iteration }: FailureGroup): string {
  const when =
    count === 1 ? `iteration ${first_iteration}` : `${count} times, iterations ${first_iteration} to ${last_iteration}`;
  return `- (${when}) ${approach}: ${reason}`;
}

function knowledgeItem(
  { type, category, content, example_file, confidence }: Knowledge,
  { phrases }: RunContext,
): string {
  const where = example_file ? ` (${example_file})` : "";
  return `- [${type}, ${category}, ${confidence} confidence] ${keepHead(content, KNOWLEDGE_TOKENS, phrases.cut)}${where}`;
}
