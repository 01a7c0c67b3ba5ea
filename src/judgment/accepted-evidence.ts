import type { Evaluation } from "../model/evaluation.ts";
import { MOST_LISTED } from "../model/limits.ts";
import type { ExecutionSummary, JudgmentRecord } from "../model/records.ts";
import type { AcceptedEvidence } from "../model/state.ts";

/** The evidence that still stands after a worker has changed files: none of them is named in it. */
export function standingAfterWork(
  accepted: readonly AcceptedEvidence[],
  { metadata: { files_modified: files } }: ExecutionSummary,
): AcceptedEvidence[] {
  if (files.length >= MOST_LISTED) return []; // some may have been left out
  const patterns = files.map(mentionOf);
  const standing = accepted.filter(({ criterion, evidence }) =>
    patterns.every((pattern) => !pattern.test(`${criterion}\n${evidence}`)),
  );
  return standing.map((one) => ({
    ...one,
    changed_since: [...new Set([...one.changed_since, ...files])].slice(0, MOST_LISTED),
  }));
}

/**
 * Keeps the judge's evidence for criteria that it calls met, if it names a file: only then can a later change be noticed. Evidence
 * without a file adds nothing to earlier evidence, and the judge's "not met" ends it.
 */
export function acceptedAfterJudgment(
  accepted: readonly AcceptedEvidence[],
  { iteration, evaluations, reasons = [] }: JudgmentRecord,
): AcceptedEvidence[] {
  const judged = evaluations.filter(({ source }) => source === "judge");
  const isHalf = reasons.some(({ code }) => code === "judges_not_asked"); // the others have accepted nothing
  const renewed = isHalf ? [] : judged.filter((one) => one.is_met && FILE_NAME.test(wordsIn(one)));
  const ended = new Set([...renewed, ...judged.filter(({ is_met }) => !is_met)].map(({ id }) => id));
  return [
    ...accepted.filter(({ id }) => !ended.has(id)),
    ...renewed.map(({ id, criterion, evidence }) => ({ id, criterion, evidence, iteration, changed_since: [] })),
  ].sort((left, right) => left.id - right.id);
}

/** Without the names of the judges, which may look like files. */
function wordsIn({ said_by, evidence }: Evaluation): string {
  return said_by?.map((one) => one.evidence).join("\n") ?? evidence;
}

/** A name with an ending: `src/a.ts`, `設計.md`, but not `12.5` or `e.g.`. */
const FILE_NAME = /[\p{L}\p{N}_@-](?:[\p{L}\p{N}_@-]\.[a-z]|\.[a-z]\w)\w{0,9}(?![\w-])/iu;

/** Finds a file by its name in any directory, or by a directory that it is in: `docs/a.md` by `a.md`, `other/a.md` and `docs/`. */
function mentionOf(file: string): RegExp {
  const parts = file.split("/");
  const directories = parts.slice(0, -1).map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
  const names = [parts.at(-1) ?? file, ...directories.filter((name) => name !== "/")];
  const either = names.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\w.-])(?:${either})(?![\\w-]|\\.\\w)`, "i");
}
