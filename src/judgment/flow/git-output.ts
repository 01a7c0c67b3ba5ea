export interface StatusEntry {
  /** The letters of `git status --porcelain`: in the index, in the working tree. */
  staged: string;
  unstaged: string;
  path: string;
}

const PORCELAIN = /^([ MADRCUT?!])([ MADRCUT?!]) (.+)$/;
/** The first line of a trimmed output has lost its leading space. */
const TRIMMED = /^([MADRCUT]) (.+)$/;
const NAME_STATUS = /^([MADRCUT])\d*\t(?:[^\t]+\t)?([^\t]+)$/;

/** The entries of `git status --porcelain`, and also of `git diff --name-status` and `--name-only`. A renamed file has its new name. */
export function readGitStatus(output: string): StatusEntry[] {
  return output
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("## "))
    .map(entryOf);
}

function entryOf(line: string): StatusEntry {
  const [, staged, unstaged, name] = PORCELAIN.exec(line) ?? [];
  if (staged && unstaged && name) return { staged, unstaged, path: newName(name, /[RC]/.test(staged + unstaged)) };
  const [, change, path] = TRIMMED.exec(line) ?? [];
  if (change && path) return { staged: " ", unstaged: change, path: newName(path, false) };
  const [, letter, changedPath] = NAME_STATUS.exec(line) ?? [];
  return { staged: letter ?? " ", unstaged: " ", path: unquote(changedPath ?? line) };
}

/** `old -> new`; either may be quoted. */
function newName(name: string, isRenamed: boolean): string {
  if (!isRenamed) return unquote(name);
  const [, renamed] = /^(?:"(?:\\.|[^"\\])*"|.*?) -> (.+)$/s.exec(name) ?? [];
  return unquote(renamed ?? name);
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git quotes names as C does: `\303\244` are the bytes of an ä. */
function unquote(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes: number[] = [];
  for (const [piece, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else if (letter) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(piece));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Of `git branch --show-current`, `git branch` or `git status -b`. */
export function parseBranchName(output: string): string {
  const lines = output.split(/\r?\n/);
  const current = lines.find((line) => line.startsWith("* ")) ?? lines.find((line) => line.trim() !== "") ?? "";
  return current
    .replace(/^(\* |## )/, "")
    .replace(/\.\.\..*$/, "")
    .trim();
}

/** The lines about being ahead of or behind a remote; the whole output where there are none. */
export function parseRemoteStatus(output: string): string {
  return linesAbout(output, /\b(ahead|behind|diverged|up to date|gone)\b/);
}

/** The lines about merging; the whole output where there are none. */
export function parseMergeStatus(output: string): string {
  return linesAbout(output, /^(UU|AA|DD|AU|UA|DU|UD) |\b(conflicts?|merged?|merging|unmerged|mergeable)\b/i);
}

function linesAbout(output: string, about: RegExp): string {
  const lines = output.split(/\r?\n/).filter((line) => about.test(line));
  return (lines.length > 0 ? lines.join("\n") : output).trim();
}
