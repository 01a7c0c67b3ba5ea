import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import type { GitAnswer } from "../processes/git.ts";

/** Runs git on the workspace. Names are in latin1: every byte is one character. */
type AskGit = (args: readonly string[], stdin?: string) => Promise<GitAnswer>;

interface Trees {
  from: string;
  to: string;
}

interface Added {
  mode: string;
  object: string;
}

/**
 * Files that a move between two trees would write over, or remove with their directory, although the first tree does not hold them: git
 * ignores them, or they are too large to be kept. Git itself takes what it ignores for worthless. A file that already has the content
 * to come is not in the way. Where git fails, its answer.
 */
export async function filesInTheWay(git: AskGit, top: string, { from, to }: Trees): Promise<string[] | GitAnswer> {
  const compared = await git(["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to]);
  if (compared.exit_code !== 0) return compared;
  const { added, kept } = differencesIn(compared.output.split("\0"));
  const looks = looker(top);
  const parents = new Set([...added.keys()].flatMap(parentsOf));
  const files = [
    ...[...parents].filter((path) => looks(path)?.isDirectory() === false),
    ...[...added].flatMap(([path, { mode }]) => replacedAt(top, path, { looks, isSubmodule: mode === SUBMODULE })),
  ];
  const unkept = [...new Set(files)].filter((path) => !kept.has(path));
  const isComparable = (found: Stats | undefined) => found?.isFile() && found.size <= LARGEST_COMPARED;
  const regular = unkept.filter((path) => added.get(path)?.mode.startsWith(REGULAR) && isComparable(looks(path)));
  const hashed = await objectsAt(git, regular);
  return unkept.filter((path) => !hashed.has(path) || hashed.get(path) !== added.get(path)?.object);
}

/** The contents as they are, by the names that git would give them. */
async function objectsAt(git: AskGit, paths: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
  const asked = paths.filter((path) => !path.includes("\n")); // git is asked line by line
  if (asked.length === 0) return new Map();
  const { output } = await git(["hash-object", "--no-filters", "--stdin-paths"], asked.join("\n"));
  const objects = output.split("\n");
  return new Map(asked.map((path, place) => [path, objects[place]]));
}

const SUBMODULE = "160000";
const REGULAR = "100";
const LARGEST_COMPARED = 64 * 1024 * 1024;

/** The files that come where there was none, or a submodule, of which a tree holds no file; and those that go, which the first tree holds. */
function differencesIn(fields: readonly string[]): { added: Map<string, Added>; kept: Set<string> } {
  const added = new Map<string, Added>();
  const kept = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before, mode = "", , object = "", status] = (fields[at] ?? "").split(" ");
    const path = fields[at + 1] ?? "";
    if (status === "D") kept.add(path);
    else if (status === "A" || before === `:${SUBMODULE}`) added.set(path, { mode, object });
  }
  return { added, kept };
}

type Looks = (path: string) => Stats | undefined;

/** Looks at each path once, and never through a link. */
function looker(top: string): Looks {
  const seen = new Map<string, Stats | undefined>();
  const look = (path: string): Stats | undefined => {
    const parent = parentOf(path);
    const isReached = parent === "" || looks(parent)?.isDirectory();
    return isReached ? statsOf(at(top, path)) : undefined;
  };
  const looks: Looks = (path) => {
    if (!seen.has(path)) seen.set(path, look(path));
    return seen.get(path);
  };
  return looks;
}

/** A submodule leaves the directory in whose place it comes as it is. */
function replacedAt(
  top: string,
  path: string,
  { looks, isSubmodule }: { looks: Looks; isSubmodule: boolean },
): string[] {
  const found = looks(path);
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return isSubmodule ? [] : filesBelow(top, path);
}

/** The directories of git and of our records count as one file each, and so does one that cannot be read. */
function filesBelow(top: string, directory: string): string[] {
  const entries = entriesOf(at(top, directory));
  if (!entries) return [directory];
  return entries.flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() && !OURS.has(entry.name) ? filesBelow(top, path) : [path];
  });
}

function entriesOf(directory: Buffer): Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true, encoding: "latin1" });
  } catch {
    return undefined;
  }
}

function statsOf(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // git reports it
  }
}

const OURS = new Set([".git", ".e8"]);

function parentsOf(path: string): string[] {
  const parent = parentOf(path);
  return parent === "" ? [] : [...parentsOf(parent), parent];
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function at(top: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);
}
