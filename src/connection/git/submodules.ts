import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Message, message } from "../../model/message.ts";
import type { GitAnswer } from "../processes/git.ts";
import { type Git, gitAt } from "./checkout.ts";

/** Checks out what the worktree's commit names of other repositories. Fails without a word: what is missing is told by whoever needs it. */
export async function updateSubmodules(directory: string): Promise<void> {
  if (!existsSync(join(directory, ".gitmodules"))) return;
  const update = ["submodule", "update", "--init", "--recursive", "--quiet"];
  await gitAt(directory)(["-c", "protocol.file.allow=always", ...update]);
}

interface Proved {
  worktree: string;
  /** The commit that is to land. */
  tip: string;
  /** What was proved: a snapshot of all files. Those of submodules are in it as files. */
  proved: string;
  /** The commit that the work began at. */
  base: string;
}

/**
 * Why a commit may not land for what was proved; undefined where it may. A commit names commits of its submodules: they must have the files
 * that were proved, and must be where others find them.
 */
export async function differenceFrom(git: Git, { worktree, tip, proved, base }: Proved): Promise<Message | undefined> {
  const different = message("tree_not_proved", { worktree });
  const entries = await entriesOf(git, tip);
  const links = [...entries].filter(([, entry]) => isLink(entry));
  if (links.length === 0) return different;
  const [whole, found] = await Promise.all([flattened(worktree, entries), entriesOf(git, proved)]);
  const paths = [...new Set([...whole.keys(), ...found.keys()])];
  const changed = paths.filter((path) => whole.get(path)?.entry !== found.get(path));
  const places = changed.map((path) => links.find(([link]) => path.startsWith(`${link}/`))?.[0]);
  const [place] = places;
  if (place !== undefined)
    return places.includes(undefined) ? different : message("submodule_changed", { path: place });
  if (changed.length > 0) return different;
  const before = await entriesOf(git, base);
  for (const [path, entry] of links) {
    if (before.get(path) === entry || (await isPublished(join(worktree, path), commitIn(entry)))) continue;
    return message("submodule_unpublished", { path });
  }
  return undefined;
}

/** `<mode> <object>` by path. */
export async function entriesOf(
  git: (args: readonly string[]) => Promise<GitAnswer>,
  commit: string,
): Promise<Map<string, string>> {
  const { output } = await git(["ls-tree", "-r", "-z", commit]);
  const lines = output.split("\0").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf("\t") + 1), line.replace(/ \w+ (\w+)\t.*$/s, " $1")]));
}

const LINK = "160000 ";

export function isLink(entry: string): boolean {
  return entry.startsWith(LINK);
}

function commitIn(entry: string): string {
  return entry.slice(LINK.length);
}

export interface WholeEntry {
  entry: string;
  /** The working tree whose git has the object. */
  place: string;
}

/** With the files of submodules in their place. One that is not checked out stays a name of a commit, as snapshots have it. */
export async function flattened(place: string, entries: ReadonlyMap<string, string>): Promise<Map<string, WholeEntry>> {
  const all = new Map<string, WholeEntry>();
  for (const [path, entry] of entries) {
    const inner = join(place, path);
    if (isLink(entry) && existsSync(join(inner, ".git"))) {
      const below = await flattened(inner, await entriesOf(gitAt(inner), commitIn(entry)));
      for (const [name, one] of below) all.set(`${path}/${name}`, one);
    } else all.set(path, { entry, place });
  }
  return all;
}

/** Whether a remote has it, as far as this clone knows: the clone goes with its worktree. */
async function isPublished(place: string, commit: string): Promise<boolean> {
  const asked = ["for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit, "refs/remotes"];
  return (await gitAt(place)(asked)).output.trim() !== "";
}
