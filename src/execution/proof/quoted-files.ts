import { type FileDiff, readDiff } from "../../judgment/proof/diff-lines.ts";
import { findQuotation } from "../../judgment/proof/quotations.ts";
import type { LookUp } from "../../judgment/proof/review.ts";
import type { ReviewerResult } from "../../model/roles.ts";
import type { RunContext } from "../run-context.ts";

/** Where quotations are looked up. */
export interface QuotedWork {
  start: string;
  commit: string;
  /** Names of the files that differ between the two. */
  changed: ReadonlySet<string>;
  /** Names of the files that git ignores and that were made or changed since. */
  ignored: ReadonlySet<string>;
  /** The directory that a reviewer reads in: it may name files by their whole path. */
  reads: string;
}

const MOST_FILES = 100;
const LONGEST_IGNORED = 1_000_000;

/** The answer with the names of files as our lists have them. */
export function withNames(answer: ReviewerResult, { reads, changed, ignored }: QuotedWork): ReviewerResult {
  const isKnown = (name: string) => changed.has(name) || ignored.has(name);
  const renamed = <T extends { file: string }>(one: T): T => {
    const plain = one.file.trim().replace(/^\.\//, "");
    const inside = plain.startsWith(`${reads}/`) ? plain.slice(reads.length + 1) : plain;
    const bare = inside.replace(/^[ab]\//, ""); // as a diff has them
    return { ...one, file: !isKnown(inside) && isKnown(bare) ? bare : inside };
  };
  return {
    findings: answer.findings.map(renamed),
    criteria: answer.criteria.map(renamed),
    protected_files: answer.protected_files.map(renamed),
    ignored_files: answer.ignored_files && renamed(answer.ignored_files),
  };
}

/** Reads the quoted files, so that their quotations can be looked up. */
export async function lookUpIn(
  { ports: { workspace } }: RunContext,
  answer: ReviewerResult,
  { start, commit, changed, ignored }: QuotedWork,
): Promise<LookUp> {
  const { findings, criteria, protected_files, ignored_files } = answer;
  const all = [...findings, ...criteria, ...protected_files, ...(ignored_files ? [ignored_files] : [])];
  const names = [...new Set(all.map(({ file }) => file))].filter(Boolean).slice(0, MOST_FILES);
  const [texts, diffs, looks] = await Promise.all([
    workspace.textsAt(commit, names),
    workspace.fileDiffs(
      start,
      commit,
      names.filter((name) => changed.has(name)),
    ),
    workspace.look(
      names.filter((name) => ignored.has(name)),
      LONGEST_IGNORED,
    ),
  ]);
  const read = new Map<string, FileDiff>([...diffs].map(([name, diff]) => [name, readDiff(diff)]));
  const made = new Map(looks.flatMap(({ path, kind, text }) => (kind === "text" ? [[path, text]] : [])));
  return (quotation, where) => {
    const { file } = quotation;
    const found = findQuotation(quotation, { text: texts.get(file), diff: read.get(file) });
    if (found || where !== "ignored") return found;
    const there = findQuotation(quotation, { text: made.get(file) });
    return there && { ...there, is_changed: true };
  };
}
