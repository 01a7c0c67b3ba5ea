import { visible } from "../../model/visible.ts";
import type { DiffLine, FileDiff } from "./diff-lines.ts";

/** A file that is quoted from. */
export interface QuotedFile {
  /** Its text in the snapshot; undefined for a deleted, binary or very long file. */
  text?: string | undefined;
  /** Its diff since the start, where it has changed. */
  diff?: FileDiff | undefined;
}

/** Where a quotation stands: in the snapshot, on removed lines, or in what git says about the file, which counts as line 0. */
export interface FoundQuotation {
  side: "after" | "before" | "about";
  line: number;
  /** Whether one of its lines was added or removed. */
  is_changed: boolean;
}

/** How many lines a quotation may be off. */
export const DRIFT = 3;

/**
 * Looks for a quotation at its line and up to three lines around it. White space at the ends of lines does not count, and the first and
 * the last line may be quoted in part; everything else must be the same, character by character. Invisible characters may be quoted as
 * they are or as their codes. Of the file before the change, only passages with a removed line can be quoted.
 */
export function findQuotation(
  { line, quote }: { line: number; quote: string },
  { text, diff }: QuotedFile,
): FoundQuotation | undefined {
  const wanted = trimmedLines(quote);
  if (!LETTER.test(wanted.join(""))) return undefined;
  const after = text === undefined ? linesAfter(diff) : linesOf(text).map((one, at) => ({ line: at + 1, text: one }));
  const found = nearest(after, line, wanted);
  if (found !== undefined) {
    const touched = new Set(
      diff?.lines.flatMap(({ kind, after: at }) => (kind === "added" && at !== null ? [at] : [])),
    );
    return { side: "after", line: found, is_changed: spans(found, wanted).some((one) => touched.has(one)) };
  }
  return findRemoved(line, wanted, diff) ?? findAbout(line, wanted, diff);
}

/** Of a file that is too long to be read, what the diff shows of it. */
function linesAfter(diff: FileDiff | undefined): NumberedLine[] {
  return (diff?.lines ?? []).flatMap(({ after, text }) =>
    after === null ? [] : [{ line: after, text: normal(text) }],
  );
}

function findRemoved(line: number, wanted: readonly string[], diff: FileDiff | undefined): FoundQuotation | undefined {
  const before = (diff?.lines ?? []).filter((one): one is DiffLine & { before: number } => one.before !== null);
  const removed = new Set(before.flatMap((one) => (one.kind === "removed" ? [one.before] : [])));
  const lines = before.map((one) => ({ line: one.before, text: normal(one.text) }));
  const found = nearest(lines, line, wanted, (at) => spans(at, wanted).some((one) => removed.has(one)));
  return found === undefined ? undefined : { side: "before", line: found, is_changed: true };
}

function findAbout(line: number, wanted: readonly string[], diff: FileDiff | undefined): FoundQuotation | undefined {
  const isThere = line <= DRIFT && wanted.length === 1 && diff?.about.some((one) => isAt([normal(one)], 0, wanted));
  return isThere ? { side: "about", line: 0, is_changed: true } : undefined;
}

interface NumberedLine {
  line: number;
  text: string;
}

/** The number of the nearest line at which the quotation begins. */
function nearest(
  lines: readonly NumberedLine[],
  line: number,
  wanted: readonly string[],
  isFit: (line: number) => boolean = () => true,
): number | undefined {
  const near = [...lines.entries()].filter(([, one]) => Math.abs(one.line - line) <= DRIFT);
  const texts = lines.map((one) => one.text);
  const isWhole = (index: number) => {
    const [first, last] = [lines[index], lines[index + wanted.length - 1]];
    return first !== undefined && last !== undefined && last.line - first.line === wanted.length - 1;
  };
  return near
    .filter(([index, one]) => isWhole(index) && isAt(texts, index, wanted) && isFit(one.line))
    .map(([, one]) => one.line)
    .sort((left, right) => Math.abs(left - line) - Math.abs(right - line))[0];
}

/** A few characters of a line show nothing: a quotation has three letters or digits, or a whole line. */
function isAt(lines: readonly string[], index: number, wanted: readonly string[]): boolean {
  const passage = lines.slice(index, index + wanted.length);
  const [first = ""] = passage;
  const [head = ""] = wanted;
  const isWhole = passage.join("\n").trim() === wanted.join("\n").trim();
  if (!isWhole && (wanted.join("").match(LETTERS)?.length ?? 0) < LEAST_LETTERS) return false;
  if (wanted.length === 1) return first.includes(head);
  const last = wanted.length - 1;
  const isInside = wanted.slice(1, last).every((line, at) => line === passage[at + 1]);
  return isInside && first.endsWith(head) && (passage[last] ?? "").startsWith(wanted[last] ?? "");
}

const LETTER = /[\p{L}\p{N}]/u;
const LETTERS = /[\p{L}\p{N}]/gu;
const LEAST_LETTERS = 3;

/** The numbers of the lines that a quotation covers. */
function spans(line: number, wanted: readonly string[]): number[] {
  return wanted.map((_, index) => line + index);
}

function linesOf(text: string): string[] {
  return text.split("\n").map(normal);
}

function normal(line: string): string {
  return visible(line.trimEnd());
}

/** Without empty lines at either end. */
function trimmedLines(quote: string): string[] {
  const lines = linesOf(quote);
  const first = lines.findIndex((line) => line !== "");
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}
