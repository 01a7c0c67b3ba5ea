import type { FailureGroup } from "../../connection/ports/task-store.ts";
import type { Statement } from "../../model/message.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import type { Knowledge } from "../../model/roles.ts";
import type { RunContext } from "../run-context.ts";
import { keepHead, takeFitting } from "./bounds.ts";
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

/** The past as a worker's prompt shows it. */
export interface Memory {
  history: string;
  failures: string;
  knowledge: string;
  /** Entries that did not fit. */
  left_out: number;
}

/** The latest summaries, earlier failures and relevant knowledge, each within its share. */
export async function remember(context: RunContext, about: string, shares: MemoryShares): Promise<Memory> {
  const { configuration, ports, tell } = context;
  const { history: stored, knowledge: base } = ports.store;
  const past = await stored.context(configuration.history_context_size);
  const known = await base.relevant(about, configuration.knowledge_context_size);
  // The newest entries are kept first when not all fit, and shown oldest first.
  const summaries = past.latest.toReversed().map((one) => summaryItem(one, tell));
  const history = fitted(summaries, shares.history, true);
  const failures = fitted(
    past.failures.toReversed().map((one) => failureItem(one, tell)),
    shares.failures,
    true,
  );
  const knowledge = fitted(known.map(knowledgeItem), shares.knowledge);
  base.applied(known.slice(0, known.length - knowledge.left));
  return {
    history: history.text,
    failures: withLeftOut(failures.text, past.failures_left_out),
    knowledge: knowledge.text,
    left_out: past.failures_left_out + history.left + failures.left + knowledge.left,
  };
}

/** The items that fit as text, and the number of the others. */
export function fitted(items: readonly string[], tokens: number, reverse = false) {
  const { taken, left } = takeFitting(items, tokens);
  const text = lines(reverse ? taken.reverse() : taken);
  return { text: withLeftOut(text, left), left };
}

export function withLeftOut(text: string, left: number): string {
  return left === 0 ? text : `${text}\n(${left} more left out)`;
}

type Tell = (statement: Statement) => string;

function summaryItem(summary: ExecutionSummary, tell: Tell): string {
  const reason = keepHead(summary.reason, SUMMARY_TOKENS);
  return `## Iteration ${summary.iteration}\n${keepHead(summaryText(summary, reason, tell), SUMMARY_TOKENS * 2)}\n`;
}

function failureItem(group: FailureGroup, tell: Tell): string {
  const { approach, reason, failure, count, first_iteration, last_iteration } = group;
  const when =
    count === 1 ? `iteration ${first_iteration}` : `${count} times, iterations ${first_iteration} to ${last_iteration}`;
  const came = [failure ? tell(failure) : "", reason].filter(Boolean).join(" ");
  return `- (${when}) ${[approach, came].filter(Boolean).join(": ")}`;
}

function knowledgeItem({ type, category, content, example_file, confidence }: Knowledge): string {
  const where = example_file ? ` (${example_file})` : "";
  return `- [${type}, ${category}, ${confidence} confidence] ${keepHead(content, KNOWLEDGE_TOKENS)}${where}`;
}
