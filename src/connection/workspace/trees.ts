import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { appendFile, copyFile, readFile, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ChangedFile } from "../../model/changes.ts";
import type { GitAnswer } from "../processes/git.ts";
import { isPrivate, nameFrom } from "./project-files.ts";
import type { Repository } from "./repository.ts";

type Git = (args: readonly string[], stdin?: string) => Promise<GitAnswer>;

/** At most so many files and bytes that git does not track yet are kept: a data set must not be copied. */
interface Bounds {
  files: number;
  bytes: number;
}

const TRACKED: Bounds = { files: 2000, bytes: 64 * 1024 * 1024 };
/** A folder without git has no tracked files: all of them are new. */
const UNTRACKED: Bounds = { files: 60_000, bytes: 512 * 1024 * 1024 };

/**
 * Writes the files as a tree object, without those that git ignores. Uses an index of its own, which starts as a copy of the user's;
 * branches, HEAD and the user's index stay as they are. Undefined where that is not possible; the next call starts with a new index.
 */
export async function writeTree(repository: Repository, index: string): Promise<string | undefined> {
  const { top, isUsers } = repository;
  const git: Git = (args, stdin) => repository.git(args, { index, ...(stdin && { stdin }) });
  try {
    await rm(`${index}.lock`, { force: true }); // of a run that was killed
    if (!existsSync(index) && isUsers) await copyIndex(repository, index);
    await git(["add", "--update", "--ignore-errors", "."]);
    await addNew(git, top, { leftOut: `${index}.left-out`, bounds: isUsers ? TRACKED : UNTRACKED });
    const { exit_code, output } = await git(["write-tree"]);
    if (exit_code === 0) return output.trim();
  } catch {
    // the folder of the index cannot be written
  }
  await rm(index, { force: true }).catch(() => {});
  return undefined;
}

/** With it come the time stamps by which git knows what it need not read. A new repository has no index. */
async function copyIndex({ top, git }: Repository, index: string): Promise<void> {
  const { output } = await git(["rev-parse", "--git-path", "index"]);
  const path = resolve(top, output.trim());
  if (existsSync(path)) await copyFile(path, index);
}

/** Files that were once left out stay so: they would seem new. */
async function addNew(
  git: Git,
  directory: string,
  { leftOut, bounds }: { leftOut: string; bounds: Bounds },
): Promise<void> {
  const listed = await git(["ls-files", "-z", "--others", "--exclude-standard", "--exclude=node_modules"]);
  const before = new Set((await readFile(leftOut, "utf8").catch(() => "")).split("\0"));
  const names = listed.output.split("\0").filter((name) => name !== "" && !before.has(name));
  const { paths, others } = await storable(directory, names, bounds);
  if (others.length > 0) await appendFile(leftOut, `${others.join("\0")}\0`);
  if (paths.length > 0)
    await git(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], paths.join("\0"));
}

/** Repositories inside this one, which git lists as directories, are left out, too. */
async function storable(
  directory: string,
  names: readonly string[],
  { files: most, bytes }: Bounds,
): Promise<{ paths: string[]; others: string[] }> {
  const paths: string[] = [];
  const others: string[] = [];
  let left = bytes;
  for (const [count, name] of names.entries()) {
    if (count % 128 === 127) await setImmediate(); // lets other work run in between
    const size = name.endsWith("/") || isPrivate(name) ? undefined : readableSize(join(directory, name));
    const fits = size !== undefined && size <= left && paths.length < most;
    (fits ? paths : others).push(name);
    if (fits) left -= size;
  }
  return { paths, others };
}

function readableSize(path: string): number | undefined {
  try {
    const found = lstatSync(path);
    if (found.isFile()) accessSync(path, constants.R_OK);
    return found.size;
  } catch {
    return undefined;
  }
}

interface Compared {
  repository: Repository | undefined;
  directory: string;
  project: string;
  index: string;
}

/** As the port says: what git sees, and what watches have seen that git does not. */
export async function changesSince(
  { repository, directory, project, index }: Compared,
  start: string | undefined,
  seen: readonly string[],
): Promise<ChangedFile[]> {
  const now = start !== undefined && repository ? await treeNow(repository, index) : undefined;
  const known =
    repository && start !== undefined && now !== undefined ? await differences(repository, start, now) : undefined;
  const all = known?.map((file) => ({ ...file, path: join(repository?.top ?? directory, file.path) })) ?? [];
  const named = all
    .filter(({ path }) => isWithin(directory, path))
    .map((file) => ({ ...file, path: nameFrom(project, file.path) }));
  const listed = new Set(named.map(({ path }) => path));
  const others = seen.filter((path) => !listed.has(path));
  const unknown =
    repository && known && now !== undefined && others.length > 0
      ? await unseen({ repository, project, now }, others)
      : others;
  return [...named, ...unknown.map((path) => ({ path, status: null, added: null, removed: null }))].sort(byPath);
}

function byPath(left: ChangedFile, right: ChangedFile): number {
  return left.path < right.path ? -1 : 1;
}

/** Files that are there and not in the tree. A file in the tree is as it was at the start; one that is gone came and went. */
async function unseen(
  { repository: { git, top }, project, now }: { repository: Repository; project: string; now: string },
  paths: readonly string[],
): Promise<string[]> {
  const { output } = await git(["ls-tree", "-r", "-z", "--name-only", now]);
  const kept = new Set(output.split("\0"));
  return paths.filter((path) => {
    const whole = resolve(project, path);
    return existsSync(whole) && !kept.has(relative(top, whole));
  });
}

/** The second time with a new index. */
async function treeNow(repository: Repository, index: string): Promise<string | undefined> {
  return (await writeTree(repository, index)) ?? (await writeTree(repository, index));
}

function isWithin(directory: string, path: string): boolean {
  const name = relative(directory, path);
  return name !== ".." && !name.startsWith("../");
}

const COMPARE = ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames"];

/** Undefined when git has removed the older tree, which no branch leads to. */
async function differences({ git }: Repository, before: string, now: string): Promise<ChangedFile[] | undefined> {
  const { exit_code, output } = await git([...COMPARE, "--no-ext-diff", "--no-textconv", before, now]);
  return exit_code === 0 ? filesIn(output.split("\0")) : undefined;
}

const STATUSES: Readonly<Record<string, ChangedFile["status"]>> = { A: "added", D: "deleted" };

/** First `:<modes and ids> M`, then the path, of each file; then `<added>\t<removed>\t<path>` of each, `-` for binary files. */
export function filesIn(fields: readonly string[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const [index, field] of fields.entries()) {
    const lines = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(field);
    if (field.startsWith(":") && /^:\d{6} /.test(field)) {
      const path = fields[index + 1] ?? "";
      files.set(path, { path, status: STATUSES[field.at(-1) ?? ""] ?? "modified", added: null, removed: null });
    } else if (lines) {
      const [, added = "-", removed = "-", path = ""] = lines;
      const file = files.get(path);
      if (file) files.set(path, { ...file, added: counted(added), removed: counted(removed) });
    }
  }
  return [...files.values()];
}

function counted(lines: string): number | null {
  return lines === "-" ? null : Number(lines);
}
