import type { JudgedSummary } from "../../connection/ports/open-task.ts";
import type { ChangedFile } from "../../model/changes.ts";
import { type Criterion, criterionText, isCheck, type NumberedCriterion, numbered } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { Statement } from "../../model/message.ts";
import type { Goal, PlacedAnswer } from "../goal/goal.ts";
import { CUT, estimateTokens, keepTail } from "./bounds.ts";
import { nameOf, onOneLine, quoted, quotedUnder, visible } from "./quotes.ts";

/** Criteria as the numbered list that prompts show, each with the user's answers about it. */
export function criteriaList(criteria: readonly Criterion[], answers: readonly PlacedAnswer[] = []): string {
  return withAnswers(numbered(criteria), answers);
}

export function semanticList(criteria: readonly Criterion[], answers: readonly PlacedAnswer[] = []): string {
  const semantic = numbered(criteria).filter(({ criterion }) => !isCheck(criterion));
  return withAnswers(semantic, answers);
}

/** The task as the user wrote it, and as the intake understood it. */
export function ownTask({ task, own }: Goal): string {
  return own === undefined || own.task === task ? task : `${own.task}\n\n${EXPLAINED}${task}`;
}

/** Sentence criteria as the user wrote them, each with the intake's wording as an explanation and the user's answers. */
export function ownSentences({ criteria, own, answers = [] }: Goal): string {
  const semantic = numbered(own?.criteria ?? criteria).filter(({ criterion }) => !isCheck(criterion));
  return withAnswers(semantic, answers, ({ id, criterion }) => {
    const explained = criteria[id - 1];
    const words = explained ? criterionText(explained) : "";
    return words === criterionText(criterion) ? [] : [`${EXPLAINED}${words}`];
  });
}

const EXPLAINED = "As the intake understood it: ";

/** Answers about none of the listed criteria follow at the end. */
function withAnswers(
  criteria: readonly NumberedCriterion[],
  answers: readonly PlacedAnswer[],
  beside: (criterion: NumberedCriterion) => string[] = () => [],
): string {
  const listed = criteria.map(({ id, criterion }) => {
    const about = answers.filter((one) => one.about?.id === id);
    const own = about[0]?.about?.own_words;
    const ownWords = own === undefined || own === criterionText(criterion) ? [] : [`The user's own words: ${own}`];
    const more = [...beside({ id, criterion }), ...ownWords, ...about.map(answerText)];
    return [`${id}. ${describeForAgent(criterion)}`, ...more.map(indent)].join("\n");
  });
  const others = answers.filter(({ about }) => !criteria.some(({ id }) => id === about?.id));
  return [lines(listed), ...others.map((one) => `\n${answerText(one)}`)].join("\n");
}

function answerText({ question, answer }: PlacedAnswer): string {
  return `The user was asked: ${onOneLine(question)}\nThe user's answer, which decides: ${answer}`;
}

export function checkList(criteria: readonly Criterion[]): string {
  const checks = numbered(criteria).filter(({ criterion }) => isCheck(criterion));
  return lines(checks.map(({ id, criterion }) => `${id}. ${describeForAgent(criterion)}`));
}

export type Tell = (statement: Statement) => string;

/** Outcomes of checks for the judge and the next worker. A hidden check shows only that it failed. */
export function checkResults(criteria: readonly Criterion[], checks: readonly Evaluation[], tell: Tell): string {
  const tokens = Math.floor(CHECKS_TOKENS / Math.max(1, checks.length));
  const text = (check: Evaluation) => {
    const said = evidenceFor(criteria, check, { tell, tokens });
    return `${check.id}. ${check.criterion}: ${check.is_met ? "PASSED" : "FAILED"}\n${indent(said)}`;
  };
  return lines(checks.map(text));
}

/** Tokens for the outcomes of all checks. */
const CHECKS_TOKENS = 30_000;

/** The evidence that an agent may see: our own words on one line, then the quotation. */
export function evidenceFor(
  criteria: readonly Criterion[],
  { id, is_met, evidence, outcome, is_cut, is_flaky, passes }: Evaluation,
  { tell, tokens }: { tell: Tell; tokens: number },
): string {
  const criterion = criteria[id - 1];
  if (criterion?.type === "command" && criterion.hidden === true) return is_met ? "" : HIDDEN_FAILED;
  const wavers = is_flaky ? `flaky: passed ${passes?.passed ?? 1} of ${passes?.needed ?? 1} times in a row` : "";
  const said = [wavers, outcome ? visible(tell(outcome)) : ""].filter(Boolean).join("\n");
  const shown = (room: number) => {
    const kept = keepTail(evidence, room);
    return quoted(is_cut && kept === evidence ? `${CUT}\n${evidence}` : kept);
  };
  return [said, fitting(shown, tokens - estimateTokens(said))].filter(Boolean).join("\n");
}

/** The part that fits after every line is marked and indented. The marks of short lines take more room than their text. */
function fitting(shown: (room: number) => string, tokens: number): string {
  for (let room = tokens; ; ) {
    const text = shown(Math.max(0, room));
    const taken = estimateTokens(indent(text));
    if (taken <= tokens || room <= 0) return text;
    room = Math.floor((room * tokens) / taken);
  }
}

const HIDDEN_FAILED = "This check failed. Its command and output are not shown.";

/** A record: first what was measured, then what worker and summarizer have said, quoted. */
export function summaryText(summary: JudgedSummary, reason: string, tell: Tell): string {
  const { metadata, next, failure, refuted_by } = summary;
  const result = refuted_by ? "refuted" : summary.result;
  return [
    `result: ${result}${metadata.error_type ? ` (${metadata.error_type})` : ""}`,
    named("files modified", metadata.files_modified),
    named("tools used", metadata.tools_used),
    quotedUnder("approach", summary.approach || NO_APPROACH),
    failure && quotedUnder("failure", tell(failure)),
    quotedUnder("what came of it", reason),
    quotedUnder("artifacts", listedNames(summary.artifacts)),
    next && quotedUnder("suggested next", next.suggested_action),
    next && quotedUnder("blockers", next.blockers.join("\n")),
    next?.partial_progress && quotedUnder("partial progress", next.partial_progress),
    next && quotedUnder("pending", next.pending_items.join("\n")),
  ]
    .filter(Boolean)
    .join("\n");
}

/** Names that a worker chose, of files, tools and the like. */
export function named(label: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${label}: ${listedNames(items)}`;
}

function listedNames(items: readonly string[]): string {
  return `${items.slice(0, 40).map(nameOf).join(", ")}${items.length > 40 ? ", …" : ""}`;
}

const MOST_CHANGED_FILES = 60;

/** Changed files with the lines that were added and removed. */
export function changedFilesList(files: readonly ChangedFile[]): string {
  const listed = files.slice(0, MOST_CHANGED_FILES).map(({ path, status, added, removed }) => {
    const counted = added === null || removed === null ? "" : ` +${added} -${removed}`;
    return `- ${nameOf(path)} (${status ?? "changed"}${counted})`;
  });
  const left = files.length - listed.length;
  return lines([...listed, ...(left > 0 ? [`(${left} more left out)`] : [])]);
}

const NO_APPROACH = "(no approach was reported)";

export const NONE = "(none)";

export function lines(items: readonly string[]): string {
  return items.length === 0 ? NONE : items.join("\n");
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
