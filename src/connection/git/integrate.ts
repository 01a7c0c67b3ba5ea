import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { message } from "../../model/message.ts";
import type { BranchPlace } from "../../model/task.ts";
import type { Gathered, Integration } from "../ports/branch.ts";
import { commitOf, type Git, gitProblem, treesOf } from "./checkout.ts";
import { knownDescent, rememberDescent } from "./commits.ts";
import { gitFoldersIn } from "./own-files.ts";
import { updateSubmodules } from "./submodules.ts";

/** Only we work in the worktree and on its branch between two workers: a lock there was left by a git that was killed. */
export async function freeLocks(git: Git): Promise<void> {
  const own = await ownFiles(git);
  const common = resolve(own, (await readFile(join(own, "commondir"), "utf8").catch(() => "")).trim());
  const branch = await branchOf(git);
  const locks = [join(own, "index.lock"), join(own, "HEAD.lock")];
  if (branch.startsWith("refs/heads/")) locks.push(join(common, `${branch}.lock`));
  for (const path of locks) await rm(path, { force: true });
}

/** Where git keeps what is a worktree's own. It is read here, because it is asked for often, and a process takes its time. */
async function ownFiles(git: Git): Promise<string> {
  const text = await readFile(join(git.directory, ".git"), "utf8").catch(() => "");
  const [, path] = /^gitdir: (.+)\n/.exec(text) ?? [];
  return resolve(git.directory, path ?? (await git(["rev-parse", "--absolute-git-dir"])).output.trim());
}

/** The ref that is checked out; empty where none is. */
async function branchOf(git: Git): Promise<string> {
  const text = await readFile(join(await ownFiles(git), "HEAD"), "utf8").catch(() => "");
  const ref = /^ref: (.+)\n/.exec(text)?.[1] ?? "";
  if (ref !== "refs/heads/.invalid") return ref;
  return (await git(["symbolic-ref", "--quiet", "HEAD"])).output.trim(); // refs are kept in tables
}

/** Refuses where there is nothing to commit. */
const COMMIT = ["commit", "--quiet", "--no-verify"];

async function isStaged(git: Git): Promise<boolean> {
  return (await git(["diff", "--cached", "--quiet", "--no-ext-diff", "HEAD"])).exit_code !== 0;
}

/** Commits what is left in the worktree, on its branch. A merge in progress is concluded by it. */
export async function gather(
  git: Git,
  { worktree, branch }: Pick<BranchPlace, "worktree" | "branch">,
  { words, settled }: { words: string; settled: readonly string[] },
): Promise<Gathered> {
  await freeLocks(git);
  await ontoBranch(git, `refs/heads/${branch}`);
  const marked = await withMarkers(worktree, [...new Set([...settled, ...(await unmerged(git))])]);
  if (marked.length > 0) return { problem: message("conflict_markers_left", { files: marked.join(", ") }) };
  const added = await git(["add", "--all"]);
  if (added.exit_code !== 0) return { problem: gitProblem("add --all", added) };
  const isOpen = await isMerging(git);
  const made = await git([...(await identity(git)), ...COMMIT, ...(isOpen ? ["--allow-empty"] : []), "-m", words]);
  const is_new = made.exit_code === 0;
  if (!is_new && (isOpen || (await isStaged(git)))) return { problem: gitProblem("commit", made) };
  const commit = await commitOf(git, "HEAD");
  return commit === undefined ? { problem: message("no_commit_yet", {}) } : { commit, is_new };
}

/** A worker may leave the worktree on another branch, or in the middle of a rebase. What it has there becomes the branch. */
async function ontoBranch(git: Git, ref: string): Promise<void> {
  if ((await branchOf(git)) === ref) return;
  await git(["rebase", "--quit"]); // fails where there is none
  await git(["update-ref", "--no-deref", ref, "HEAD"]);
  await git(["symbolic-ref", "HEAD", ref]);
}

async function withMarkers(worktree: string, files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(join(worktree, file), "utf8").catch(() => "")));
  return files.filter((_, index) => /^<{7} [\s\S]*^>{7} /m.test(texts[index] ?? ""));
}

async function isMerging(git: Git): Promise<boolean> {
  return existsSync(join(await ownFiles(git), "MERGE_HEAD"));
}

/** Repositories whose git knows a name and an address to commit by. */
const named = new Set<string>();
const NAMELESS = ["-c", "user.name=endless8", "-c", "user.email=endless8@localhost"];

/** A commit needs an author, also where the user has set no name. */
export async function identity(git: Git): Promise<string[]> {
  const repository = `${gitFoldersIn(git.directory)?.common ?? git.directory}\n${git.author}`;
  if (named.has(repository)) return [];
  const known = await git(["var", "GIT_COMMITTER_IDENT"]);
  const own = await git(["config", "--get", "user.email"]);
  if (known.exit_code !== 0 || (own.exit_code !== 0 && !process.env.GIT_COMMITTER_EMAIL)) return NAMELESS;
  named.add(repository);
  return [];
}

/** Merges commits into the worktree. Hooks do not run; attributes, drivers and recorded resolutions are the repository's. */
export async function merge(git: Git, bases: readonly string[], words: string): Promise<Integration> {
  await freeLocks(git);
  const before = await commitOf(git, "HEAD");
  for (const base of bases) {
    if (before !== undefined && knownDescent(base, before)) continue;
    const named = ["merge", "--no-ff", "--no-verify", "--quiet", "-m", words, base];
    const merged = await git([...(await identity(git)), ...named]);
    if (merged.exit_code === 0) {
      await rememberMerge(git, base);
      await updateSubmodules(git.directory);
      continue;
    }
    const files = await unmerged(git);
    if (files.length > 0) return { is: "conflict", base, files };
    await abandonMerge(git);
    return { is: "failed", problem: await mergeProblem(git, merged) };
  }
  const [base] = bases;
  const commit = await commitOf(git, "HEAD");
  if (base === undefined || commit === undefined || commit === before) return { is: "current" };
  const [then, now] = (before && (await treesOf(git, [before, commit]))) || [];
  return then !== undefined && then === now ? { is: "current" } : { is: "merged", base, commit };
}

/** The branch contains the base now. */
async function rememberMerge(git: Git, base: string): Promise<void> {
  const commit = await commitOf(git, "HEAD");
  if (commit !== undefined) rememberDescent(base, commit);
}

async function mergeProblem(git: Git, merged: Parameters<typeof gitProblem>[1]) {
  const { output } = await git(["rev-parse", "--is-shallow-repository"]);
  return output.trim() === "true" ? message("repository_shallow", {}) : gitProblem("merge", merged);
}

async function unmerged(git: Git): Promise<string[]> {
  const { output } = await git(["diff", "--name-only", "--diff-filter=U", "-z", "--no-ext-diff"]);
  return [...new Set(output.split("\0").filter(Boolean))];
}

/** Makes a worktree what it was before a merge that is in progress. Nothing else is lost: what was there had been committed. */
export async function abandonMerge(git: Git): Promise<void> {
  await freeLocks(git);
  if (await isMerging(git)) await git(["reset", "--hard", "--quiet", "HEAD"]);
}
