import { type Criterion, criterionText, isCheck, numbered } from "../model/criterion.ts";
import type { Phrases } from "../model/phrases.ts";
import type { Evaluation, ExecutionSummary } from "../model/records.ts";
import { keepOutcome } from "./bounds.ts";

/** Criteria as the numbered list that prompts show. */
export function criteriaList(criteria: readonly Criterion[], phrases: Phrases): string {
  return lines(
    numbered(criteria).map(({ id, criterion }) => `${id}. ${describeForAgent(criterion)}`),
    phrases,
  );
}

export function semanticList(criteria: readonly Criterion[], phrases: Phrases): string {
  const semantic = numbered(criteria).filter(({ criterion }) => !isCheck(criterion));
  return lines(
    semantic.map(({ id, criterion }) => `${id}. ${criterionText(criterion)}`),
    phrases,
  );
}

export function checkList(criteria: readonly Criterion[], phrases: Phrases): string {
  const checks = numbered(criteria).filter(({ criterion }) => isCheck(criterion));
  return lines(
    checks.map(({ id, criterion }) => `${id}. ${describeForAgent(criterion)}`),
    phrases,
  );
}

/** Outcomes of checks for the judge and the next worker. Of a hidden one, only that it failed. */
export function checkResults(criteria: readonly Criterion[], checks: readonly Evaluation[], phrases: Phrases): string {
  const share = Math.floor(CHECKS_TOKENS / Math.max(1, checks.length));
  const text = (check: Evaluation) => {
    const evidence = keepOutcome(evidenceFor(criteria, check, phrases), share, `${phrases.cut}\n`);
    return `${check.id}. ${check.criterion}: ${check.is_met ? "PASSED" : "FAILED"}\n${indent(quotedOutput(evidence))}`;
  };
  return lines(checks.map(text), phrases);
}

/** The first line is ours: it says how the command ended. What follows is what it printed. */
function quotedOutput(evidence: string): string {
  const [first = "", ...printed] = evidence.split("\n");
  return [first, quoted(printed.join("\n"))].filter(Boolean).join("\n");
}

/** What the outcomes of all checks together may take of a prompt. */
const CHECKS_TOKENS = 30_000;

/** The evidence of an evaluation as far as an agent may know it. */
export function evidenceFor(
  criteria: readonly Criterion[],
  { id, is_met, evidence }: Evaluation,
  phrases: Phrases,
): string {
  const criterion = criteria[id - 1];
  const isHidden = criterion?.type === "command" && criterion.hidden === true;
  if (!isHidden) return evidence;
  return is_met ? "" : phrases.hiddenFailed;
}

export function summaryText(summary: ExecutionSummary, reason: string): string {
  const { metadata, next } = summary;
  return [
    `result: ${summary.result}${metadata.error_type ? ` (${metadata.error_type})` : ""}`,
    `approach: ${summary.approach}`,
    `what came of it: ${reason}`,
    named("artifacts", summary.artifacts),
    named("files modified", metadata.files_modified),
    named("tools used", metadata.tools_used),
    next && `suggested next: ${next.suggested_action}`,
    next && named("blockers", next.blockers),
    next?.partial_progress && `partial progress: ${next.partial_progress}`,
    next && named("pending", next.pending_items),
  ]
    .filter(Boolean)
    .join("\n");
}

export function named(label: string, items: readonly string[]): string {
  const shown = items.slice(0, 40).map(onOneLine).join(", ");
  return items.length === 0 ? "" : `${label}: ${shown}${items.length > 40 ? ", …" : ""}`;
}

/** File names and sentences of a worker may hold line breaks, after which anything could stand. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

export function lines(items: readonly string[], phrases: Phrases): string {
  return items.length === 0 ? phrases.none : items.join("\n");
}

/** What a worker wrote or its programs printed, marked line by line: nothing in it can pass for a heading or a result of ours. */
export function quoted(text: string): string {
  return text === "" ? "" : text.replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n").replace(/^/gm, "> ");
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "   ");
}

function describeForAgent(criterion: Criterion): string {
  const text = criterionText(criterion);
  if (criterion.type === "semantic" || criterion.description === undefined) return text;
  if (criterion.type === "unchanged") return `${text} (must stay as they are: ${criterion.files.join(", ")})`;
  return criterion.hidden ? text : `${text} (\`${criterion.command}\` must exit 0)`;
}
