import type { FileLook } from "../../connection/ports/workspace.ts";
import { readDiff } from "../../judgment/proof/diff-lines.ts";
import { isProgram } from "../../judgment/proof/own-tests.ts";
import type { ChangedFile } from "../../model/changes.ts";
import type { ProtectedChange, ProvedCheck } from "../../model/proof-record.ts";
import { visible } from "../../model/visible.ts";
import { CUT, estimateTokens, headOf } from "../prompt/bounds.ts";
import { nameOf, onOneLine } from "../prompt/quotes.ts";
import { lines } from "../prompt/texts.ts";

/** Tokens for the diff in one prompt, and for what git ignores. A longer diff is reviewed in parts. */
const DIFF_TOKENS = 60_000;
const MOST_PARTS = 8;
const IGNORED_TOKENS = 8_000;
/** Where fewer tokens are left in a part, a file begins in the next one. */
const LEAST_TOKENS = 500;
/** A longer line is shown in pieces of the same number. */
const LONGEST_PIECE = 20_000;
/** Lines and files whose diff is asked for: more would not fit. */
const MOST_LINES = 160_000;
const MOST_FILES = 3_000;
const MOST_LISTED = 300;

/** Protected files first, then programs, then the shortest: long data must not hide the others. */
export function byImportance(changes: readonly ChangedFile[], isProtected: (path: string) => boolean): ChangedFile[] {
  const length = ({ added, removed }: ChangedFile) => (added ?? 0) + (removed ?? 0);
  const rank = ({ path }: ChangedFile) => (isProtected(path) ? 0 : isProgram(path) ? 1 : 2);
  return changes.toSorted((left, right) => rank(left) - rank(right) || length(left) - length(right));
}

/** The files whose diff may be shown, in order. A long one that comes first is among them: its beginning is shown. */
export function worthShowing(ordered: readonly ChangedFile[]): string[] {
  let total = 0;
  const isWithin = ({ added, removed }: ChangedFile) => {
    const isRoom = total <= MOST_LINES;
    total += (added ?? 0) + (removed ?? 0) + 1;
    return isRoom;
  };
  return ordered
    .slice(0, MOST_FILES)
    .filter(isWithin)
    .map(({ path }) => path);
}

/** The diffs in parts that fit into a prompt each, and the files of which only a part is shown, or nothing. */
export function diffParts(
  ordered: readonly ChangedFile[],
  diffs: ReadonlyMap<string, string>,
): { texts: string[]; cut_files: string[] } {
  const parts = new Parts();
  const cut_files = ordered.filter(({ path }) => !parts.add(path, diffs.get(path))).map(({ path }) => path);
  const note = cut_files.length > 0 ? `\n\nNot shown, or not in full: ${nameList(cut_files)}` : "";
  const whole = parts.all.map((part) => lines(part));
  const told = whole.length > 1 ? whole.map((text, at) => `${partNote(at + 1, whole.length)}\n\n${text}`) : whole;
  return { texts: told.map((text) => text + note), cut_files };
}

function partNote(part: number, count: number): string {
  return `Part ${part} of ${count}; the others are reviewed separately. A criterion that nothing in this part shows is not met here.`;
}

class Parts {
  readonly all: string[][] = [[]];
  #left = DIFF_TOKENS;

  /** Returns whether all of the file is shown. */
  add(path: string, diff: string | undefined): boolean {
    if (diff === undefined) return false;
    const [head = "", ...shown] = fileDiff(path, diff);
    const tokens = estimateTokens([head, ...shown].join("\n"));
    if (tokens > this.#left && (tokens <= DIFF_TOKENS || this.#left < LEAST_TOKENS) && !this.#begin()) return false;
    this.#put(head);
    for (const line of shown) {
      if (estimateTokens(line) > this.#left) {
        if (!this.#begin()) return false;
        this.#put(head);
      }
      this.#put(line);
    }
    return true;
  }

  #put(line: string): void {
    this.all.at(-1)?.push(line);
    this.#left -= estimateTokens(line) + 1;
  }

  #begin(): boolean {
    if (this.all.length >= MOST_PARTS) return false;
    this.all.push([]);
    this.#left = DIFF_TOKENS;
    return true;
  }
}

/** Files that the user names, then those nearest to the top. */
export function namedFirst(paths: readonly string[], words: readonly string[]): string[] {
  const text = words.join("\n");
  const rank = (path: string) => (text.includes(path.split("/").at(-1) ?? path) ? 0 : path.split("/").length);
  const ranked = paths.map((path) => ({ path, rank: rank(path) }));
  return ranked.toSorted((left, right) => left.rank - right.rank).map(({ path }) => path);
}

/** Files in which nothing has changed, as far as they fit. */
export function filesText(ordered: readonly string[], texts: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  let left = DIFF_TOKENS;
  for (const path of ordered) {
    const text = texts.get(path);
    if (text === undefined || left < LEAST_TOKENS) continue;
    const shown = [`## ${nameOf(path)}`, ...numberedLines(text)].join("\n");
    const kept = headOf(shown, left);
    parts.push(kept.is_cut ? `${kept.text}${CUT}` : shown);
    left -= estimateTokens(kept.text);
  }
  const more = ordered.length - parts.length;
  const note = more > 0 ? [`(${more} more files)`] : [];
  return lines(["No file has changed. The project has these:", ...parts, ...note]);
}

function numberedLines(text: string): string[] {
  return text.split("\n").flatMap((line, index) => quotedLine(" ", index + 1, line));
}

const SIGNS = { added: "+", removed: "-", kept: " " } as const;

/** The file's name, and its lines. */
function fileDiff(path: string, diff: string): string[] {
  const { about, lines: changed } = readDiff(diff);
  const numbered = [
    ...about.map((text) => ({ sign: " ", number: 0, text })),
    ...changed.map(({ kind, before, after, text }) => ({ sign: SIGNS[kind], number: after ?? before ?? 0, text })),
  ];
  return [`## ${nameOf(path)}`, ...numbered.flatMap(({ sign, number, text }) => quotedLine(sign, number, text))];
}

function quotedLine(sign: string, number: number, text: string): string[] {
  const shown = visible(text.trimEnd());
  const pieces = shown.length <= LONGEST_PIECE ? [shown] : (shown.match(PIECES) ?? []);
  return pieces.map((piece) => `> ${sign}${String(number).padStart(4)} | ${piece}`);
}

const PIECES = new RegExp(`.{1,${LONGEST_PIECE}}`, "gsu");

const LETTERS = { added: "A", modified: "M", deleted: "D" } as const;
const WHY: Record<ProtectedChange["why"], string> = {
  test: "a test",
  configuration: "it says how tests are run",
  named: "a check or the user names it",
  loaded: "the test runner loads it by itself",
  dependency: "an installed dependency",
  weakening: "it changes what assertions do, or silences a tool that a check runs",
};

/** Every changed file, with its status, its lines, and whether it is protected. */
export function fileList(changes: readonly ChangedFile[], protected_changes: readonly ProtectedChange[]): string {
  const why = new Map(protected_changes.map((one) => [one.path, one.why]));
  const tracked = new Set(changes.map(({ path }) => path));
  const listed = [
    ...changes.map(({ path, status, added, removed }) => ({
      path,
      letter: status ? LETTERS[status] : "?",
      size: added === null || removed === null ? "" : ` +${added} -${removed}`,
    })),
    ...protected_changes
      .filter(({ path }) => !tracked.has(path))
      .map(({ path, status }) => ({ path, letter: LETTERS[status], size: " (ignored by git)" })),
  ];
  const first = listed.toSorted((left, right) => Number(why.has(right.path)) - Number(why.has(left.path)));
  const shown = first.slice(0, MOST_LISTED).map(({ path, letter, size }) => {
    const reason = why.get(path);
    return `${letter} ${nameOf(path)}${size}${reason ? `   PROTECTED: ${WHY[reason]}` : ""}`;
  });
  const more = listed.length - shown.length;
  return lines([...shown, ...(more > 0 ? [`(${more} more)`] : [])]);
}

function nameList(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return [...paths.slice(0, MOST_NAMED).map(nameOf), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

const MOST_NAMED = 50;

/** The files that git ignores: all names, and the contents that fit. */
export function ignoredText(paths: readonly string[], looks: readonly FileLook[], isRestedOn: boolean): string {
  if (paths.length === 0) return lines([]);
  const head = isRestedOn
    ? "A check fails without these files. Answer `ignored_files`."
    : "No check rests on these files; `ignored_files` is null.";
  const contents = looks.map(({ path, kind, text, is_cut }) => {
    if (kind !== "text") return `## ${nameOf(path)} (${kind})`;
    return [`## ${nameOf(path)}`, ...numberedLines(text), ...(is_cut ? [CUT] : [])].join("\n");
  });
  const kept = headOf(contents.join("\n"), IGNORED_TOKENS);
  return [head, nameList(paths), kept.is_cut ? `${kept.text}${CUT}` : kept.text].filter(Boolean).join("\n");
}

/** How the checks came out. The names of hidden checks do not show their commands. */
export function checkLines(checks: readonly ProvedCheck[]): string {
  const states = { true: "passed", false: "failed", null: "not known" } as const;
  return lines(
    checks.map(
      ({ id, criterion, before, after }) =>
        `${id}. ${onOneLine(criterion)}: ${states[`${before}`]} before the work, ${after ? "passes" : "fails in a clean checkout"} now`,
    ),
  );
}
