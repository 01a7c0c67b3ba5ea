import { type Dirent, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { stampOf, statOf } from "./file-stamps.ts";

/** To look at so many files takes as long as git does. */
const MOST_FILES = 300;
/** Clocks of file systems tick, and may differ from ours: what was written so lately may be written again without another time. */
const UNSETTLED_MILLISECONDS = 1000;
/** Neither is kept, wherever it lies. */
const SKIPPED = new Set([".e8", "node_modules"]);

/**
 * What the files of a small folder without git look like, as one text: while it stays the same, so do they. Undefined where only git can
 * tell: the folder is large, a file was written just now, a repository lies in it, or something cannot be looked at.
 */
export function lookOf(top: string): string | undefined {
  const settled = Date.now() - UNSETTLED_MILLISECONDS;
  const lines: string[] = [];
  try {
    for (const path of pathsBelow(top)) {
      const stats = statOf(path);
      const isOfGit = basename(path) === ".git";
      if (!stats || isOfGit || stats.ctimeMs > settled || lines.length === MOST_FILES) return undefined;
      lines.push(`${path}\0${stampOf(stats)}`);
    }
    return lines.join("\n");
  } catch {
    return undefined; // not readable, or gone meanwhile
  }
}

function* pathsBelow(directory: string): Generator<string> {
  const found = readdirSync(directory, { withFileTypes: true }).sort(byName);
  for (const entry of found) {
    if (SKIPPED.has(entry.name)) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== ".git") yield* pathsBelow(path);
    else yield path;
  }
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1;
}

/** The tree of a folder, as a task of this process has written it. */
export interface KnownTree {
  look: string;
  /** Git's settings, by which contents became objects. */
  settings: string;
  tree: string;
  /** The index that knows it. */
  index: string;
}

const trees = new Map<string, KnownTree>();

export function rememberFolder(top: string, known: KnownTree): void {
  trees.set(top, known);
}

/** Tasks that follow each other in a folder find it as the one before did, more often than not. */
export function knownFolder(top: string): KnownTree | undefined {
  return trees.get(top);
}
