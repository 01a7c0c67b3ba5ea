import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { appendFile, copyFile, readFile, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ChangedFile } from "../../model/changes.ts";
import { askGit, type GitAnswer } from "../processes/git.ts";
import { isPrivate, nameFrom } from "./project-files.ts";

/** Nothing of the user's may run or change: hooks, garbage collection. A warning about line ends must not be an error. */
const QUIET = ["core.hooksPath=/dev/null", "gc.auto=0", "maintenance.auto=false", "core.safecrlf=false"].flatMap(
  (setting) => ["-c", setting],
);
const TIMEOUT_SECONDS = 120;

type Git = (args: readonly string[], stdin?: string) => Promise<GitAnswer>;

/**
 * Writes the files of a directory, without those that git ignores, as a tree object of its repository. Uses an index of its own, which
 * starts as a copy of the user's; branches, HEAD and the user's index stay as they are. Undefined where that is not possible.
 */
export async function keepTree(directory: string, index: string): Promise<string | undefined> {
  const { exit_code } = await askGit(["check-ignore", "--quiet", "."], { directory });
  if (exit_code !== NOT_IGNORED) return undefined;
  return (await writeTree(directory, index)) ?? writeTree(directory, index); // the second time with a new index
}

async function writeTree(directory: string, index: string): Promise<string | undefined> {
  const git: Git = (args, stdin) =>
    askGit([...QUIET, ...args], { directory, index, timeout_seconds: TIMEOUT_SECONDS, ...(stdin && { stdin }) });
  try {
    await rm(`${index}.lock`, { force: true }); // of a run that was killed
    if (!existsSync(index)) await copyIndex(directory, index);
    await git(["add", "--update", "--ignore-errors", "."]);
    await addNew(git, directory, `${index}.left-out`);
    const { exit_code, output } = await git(["write-tree"]);
    if (exit_code === 0) return output.trim();
  } catch {
    // the folder of the index cannot be written
  }
  await rm(index, { force: true }).catch(() => {});
  return undefined;
}

const NOT_IGNORED = 1;

/** With it come the time stamps by which git knows what it need not read. A new repository has no index. */
async function copyIndex(directory: string, index: string): Promise<void> {
  const { output } = await askGit(["rev-parse", "--git-path", "index"], { directory });
  const path = resolve(directory, output.trim());
  if (existsSync(path)) await copyFile(path, index);
}

/** Files that were once left out stay so: they would seem new. */
async function addNew(git: Git, directory: string, leftOut: string): Promise<void> {
  const listed = await git(["ls-files", "-z", "--others", "--exclude-standard", "--exclude=node_modules"]);
  const before = new Set((await readFile(leftOut, "utf8").catch(() => "")).split("\0"));
  const names = listed.output.split("\0").filter((name) => name !== "" && !before.has(name));
  const { paths, others } = await storable(directory, names);
  if (others.length > 0) await appendFile(leftOut, `${others.join("\0")}\0`);
  if (paths.length > 0)
    await git(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], paths.join("\0"));
}

/** What git does not track yet is copied into the repository: a data set must not be. Each file takes a quarter of a millisecond. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 2000;

/** Repositories inside this one, which git lists as directories, are left out, too. */
async function storable(directory: string, names: readonly string[]): Promise<{ paths: string[]; others: string[] }> {
  const paths: string[] = [];
  const others: string[] = [];
  let left = MOST_BYTES;
  for (const [count, name] of names.entries()) {
    if (count % 128 === 127) await setImmediate(); // lets other work run in between
    const size = name.endsWith("/") || isPrivate(name) ? undefined : readableSize(join(directory, name));
    const fits = size !== undefined && size <= left && paths.length < MOST_FILES;
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

interface Place {
  directory: string;
  project: string;
  index: string | undefined;
}

/** As the port says: what git sees, and what watches have seen that git does not. */
export async function changesSince(
  { directory, project, index }: Place,
  start: string | undefined,
  seen: readonly string[],
): Promise<ChangedFile[]> {
  const now = start !== undefined && index !== undefined ? await keepTree(directory, index) : undefined;
  const known = start !== undefined && now !== undefined ? await differences(directory, start, now) : undefined;
  const named = known?.map((file) => ({ ...file, path: nameFrom(project, join(directory, file.path)) })) ?? [];
  const listed = new Set(named.map(({ path }) => path));
  const others = seen.filter((path) => !listed.has(path));
  const unknown =
    known && now !== undefined && others.length > 0 ? await unseen({ directory, project, now }, others) : others;
  return [...named, ...unknown.map((path) => ({ path, status: null, added: null, removed: null }))].sort(byPath);
}

function byPath(left: ChangedFile, right: ChangedFile): number {
  return left.path < right.path ? -1 : 1;
}

/** Files that are there and not in the tree. A file in the tree is as it was at the start; one that is gone came and went. */
async function unseen(
  { directory, project, now }: { directory: string; project: string; now: string },
  paths: readonly string[],
): Promise<string[]> {
  const { output } = await askGit(["ls-tree", "-r", "-z", "--name-only", now], { directory });
  const kept = new Set(output.split("\0"));
  return paths.filter((path) => {
    const whole = resolve(project, path);
    return existsSync(whole) && !kept.has(relative(directory, whole));
  });
}

const COMPARE = ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames", "--relative"];

/** Undefined when git has removed the older tree, which no branch leads to. */
async function differences(directory: string, before: string, now: string): Promise<ChangedFile[] | undefined> {
  const words = [...COMPARE, "--no-ext-diff", "--no-textconv", before, now];
  const { exit_code, output } = await askGit(words, { directory, timeout_seconds: TIMEOUT_SECONDS });
  return exit_code === 0 ? filesIn(output.split("\0")) : undefined;
}

const STATUSES: Readonly<Record<string, ChangedFile["status"]>> = { A: "added", D: "deleted" };

/** First `:<modes and ids> M`, then the path, of each file; then `<added>\t<removed>\t<path>` of each, `-` for binary files. */
function filesIn(fields: readonly string[]): ChangedFile[] {
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
