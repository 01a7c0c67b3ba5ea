import { lstatSync, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { gitFoldersIn } from "../git/own-files.ts";
import { askGit } from "../processes/git.ts";

interface Listing {
  names: string[];
  /** Whether git made the list. */
  isGit: boolean;
}

/**
 * The files under a directory, relative to it: those that git tracks or would add, or all of them without git. A repository inside
 * another is listed as a directory. `asksGit`: false where it is known that git cannot list them.
 */
export async function listEntries(directory: string, limit: number, asksGit = true): Promise<Listing> {
  const listed = asksGit && mayBeInRepository(directory) ? await listWithGit(directory) : undefined;
  const names = listed ?? (await listByWalking(directory, limit));
  return { names: [...new Set(names)].filter((name) => !isPrivate(name)).slice(0, limit), isGit: listed !== undefined };
}

/**
 * False where git would only say that there is none. To ask it is to start a process, many times in a run. An empty `.git` is none: it may be
 * what a sandbox of another program has left.
 */
export function mayBeInRepository(directory: string): boolean {
  try {
    for (let at = realpathSync(directory); ; at = dirname(at)) {
      if (isThere(join(at, ".git", "HEAD")) || isThere(join(at, "HEAD"))) return true; // a bare repository has it beside its files
      if (at === dirname(at)) return false;
    }
  } catch {
    return true; // it cannot be read, or `.git` is a file: git says what it means
  }
}

/** Also a link to a branch that has no commit yet. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Undefined without a repository. One does not ignore its own top, so it is not asked there. */
export async function isIgnored(directory: string): Promise<boolean | undefined> {
  if (gitFoldersIn(directory)) return false;
  const { exit_code } = await askGit(["check-ignore", "--quiet", "."], { directory });
  return exit_code === IS_IGNORED || exit_code === NOT_IGNORED ? exit_code === IS_IGNORED : undefined;
}

const [IS_IGNORED, NOT_IGNORED] = [0, 1];

/** Undefined without git or a work tree, and for a directory that its repository ignores. */
async function listWithGit(directory: string): Promise<string[] | undefined> {
  const [ignored, listed] = await Promise.all([isIgnored(directory), askGit(LISTING, { directory })]);
  if (ignored !== false || listed.exit_code !== 0) return undefined;
  const entries = listed.output
    .split("\0")
    .map((entry) => ({ tag: entry[0], name: entry.slice(2).replace(/\/$/, "") }));
  const named = entries.filter(({ name }) => name !== "" && name !== ".");
  // Tracked files first: they matter more when a limit cuts the list.
  return [...named.filter(({ tag }) => tag !== UNTRACKED), ...named.filter(({ tag }) => tag === UNTRACKED)].map(
    ({ name }) => name,
  );
}

const LISTING = ["ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", "--exclude=node_modules"];
const UNTRACKED = "?";

async function listByWalking(directory: string, limit: number): Promise<string[]> {
  const names: string[] = [];
  for await (const name of walk(directory, "")) {
    if (names.length >= limit) break;
    names.push(name);
  }
  return names;
}

/** In a fixed order, so that a limit cuts at the same place each time. Links are listed, never followed. */
async function* walk(root: string, directory: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(() => []);
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (SKIPPED.has(entry.name)) continue;
    if (entry.isDirectory()) yield* walk(root, path);
    else yield path;
  }
}

const SKIPPED = new Set([".git", ".e8", "node_modules"]);

/** Our own records change with every run. */
export function isPrivate(path: string): boolean {
  return path.split("/").includes(".e8");
}

/** Relative to the project, absolute outside it. */
export function nameFrom(project: string, path: string): string {
  return isWithin(project, path) ? relative(project, path) : path;
}

/** Also the directory itself. */
export function isWithin(directory: string, path: string): boolean {
  const name = relative(directory, path);
  return name !== ".." && !name.startsWith("../");
}
