import { type GitFolders, readRef } from "./own-files.ts";

/** What never changes about commits, as far as this process has learned it: a commit's name is made of what it says. */
const trees = new Map<string, string>();
const descents = new Set<string>();
const MOST = 10_000;

export function rememberTree(commit: string, tree: string): void {
  if (trees.size >= MOST) trees.clear();
  trees.set(commit, tree);
}

export function knownTree(commit: string): string | undefined {
  return trees.get(commit);
}

/** `newer` contains `older`. */
export function rememberDescent(older: string, newer: string): void {
  if (descents.size >= MOST) descents.clear();
  descents.add(`${older} ${newer}`);
}

/** Undefined where it is not known. Two commits cannot contain each other. */
export function knownDescent(older: string, newer: string): boolean | undefined {
  if (older === newer || descents.has(`${older} ${newer}`)) return true;
  return descents.has(`${newer} ${older}`) ? false : undefined;
}

/** A commit without a parent, and a name that keeps it. */
interface NamedCommit {
  tree: string;
  commit: string;
  ref: string;
}

/** The last one of each repository of ours. */
const named = new Map<string, NamedCommit>();

export function rememberNamed({ common }: GitFolders, made: NamedCommit): void {
  named.set(common, made);
}

/** The commit of a tree, where its name still keeps it. */
export function namedCommit(folders: GitFolders, tree: string): NamedCommit | undefined {
  const last = named.get(folders.common);
  return last?.tree === tree && readRef(folders, last.ref) === last.commit ? last : undefined;
}
