import type { FailureGroup, JudgedSummary } from "../../connection/ports/open-task.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { Knowledge } from "../../model/roles.ts";
import type { Goal } from "../goal/goal.ts";
import type { RunContext } from "../run-context.ts";
import { keepHead, takeFitting } from "./bounds.ts";
import { nameOf, onOneLine, quoted } from "./quotes.ts";
import { evidenceFor, indent, lines, summaryText, type Tell } from "./texts.ts";

const KNOWLEDGE_TOKENS = 330;
const SUMMARY_TOKENS = 1_200;
/** For the evidence of one unmet criterion. */
const REFUTATION_TOKENS = { latest: 200, earlier: 60 };
/** Of a refuted success, this many unmet criteria are named. */
const MOST_REFUTATIONS = 5;
const CRITERION_TOKENS = 40;

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

/**
 * The latest summaries, earlier failures and relevant knowledge, each within its share. Of what refuted a success, the evidence is
 * shown where the goal has the criterion: another criterion may be hidden.
 */
export async function remember(context: RunContext, goal: Goal, shares: MemoryShares): Promise<Memory> {
  const { configuration, ports, tell } = context;
  const { history: stored, knowledge: base } = ports.store;
  const past = await stored.context(configuration.history_context_size);
  const known = await base.relevant(goal.task, configuration.knowledge_context_size);
  // The newest entries are kept first when not all fit, and shown oldest first.
  const summaries = past.latest.toReversed().map((one) => summaryItem(one, goal, tell));
  const history = fitted(summaries, shares.history, true);
  const failures = fitted(
    past.failures.toReversed().map((one) => failureItem(one, goal, tell)),
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

/** A refuted success is a failed approach; the claim is told as a claim. */
function summaryItem(summary: JudgedSummary, goal: Goal, tell: Tell): string {
  const { iteration, refuted_by = [] } = summary;
  const reason = keepHead(summary.reason, SUMMARY_TOKENS);
  const text = keepHead(summaryText(summary, reason, tell), SUMMARY_TOKENS * 2);
  const refutations = refutationLines(refuted_by, goal, { tell, tokens: REFUTATION_TOKENS.latest });
  return `${[`## Iteration ${iteration}`, text, ...refutations].join("\n")}\n`;
}

function failureItem(group: FailureGroup, goal: Goal, tell: Tell): string {
  const { approach, reason, failure, refuted_by = [], count, first_iteration, last_iteration } = group;
  const when =
    count === 1 ? `iteration ${first_iteration}` : `${count} times, iterations ${first_iteration} to ${last_iteration}`;
  const came = [failure ? tell(failure) : "", reason].filter(Boolean).join(" ");
  const refutations = refutationLines(refuted_by, goal, { tell, tokens: REFUTATION_TOKENS.earlier });
  const words = quoted([approach, came].filter(Boolean).join(": "));
  return [`- (${when})`, indent(words), ...refutations.map(indent)].filter(Boolean).join("\n");
}

function refutationLines(
  refuted_by: readonly Evaluation[],
  { criteria }: Goal,
  { tell, tokens }: { tell: Tell; tokens: number },
): string[] {
  const named = refuted_by.slice(0, MOST_REFUTATIONS).map((evaluation) => {
    const { id, criterion } = evaluation;
    const evidence = criteria[id - 1] ? evidenceFor(criteria, evaluation, { tell, tokens }) : "";
    const head = `NOT MET: ${id}. ${keepHead(onOneLine(criterion), CRITERION_TOKENS)}`;
    return indent([head, evidence && indent(evidence)].filter(Boolean).join("\n"));
  });
  if (named.length === 0) return [];
  const left = refuted_by.length - named.length;
  return ["the worker claimed success, which was refuted:", ...named, ...(left > 0 ? [`   (${left} more)`] : [])];
}

function knowledgeItem({ type, category, content, example_file, confidence }: Knowledge): string {
  const where = example_file ? ` (${nameOf(example_file)})` : "";
  const head = `- [${type}, ${nameOf(category)}, ${confidence} confidence]${where}`;
  return `${head}\n${indent(quoted(keepHead(content, KNOWLEDGE_TOKENS)))}`;
}
