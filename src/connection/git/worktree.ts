import { existsSync } from "node:fs";
import { appendFile, copyFile, mkdir, readdir, readFile, realpath, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { message } from "../../model/message.ts";
import { type Checkout, commitOf, gitProblem, impossible } from "./checkout.ts";
import { isNoted } from "./own-files.ts";
import { updateSubmodules } from "./submodules.ts";

/** The worktree to make: a new branch at a commit, checked out in a directory of its own. */
export interface WorktreePlan {
  branch: string;
  base_commit: string;
  /** The last commit of a branch that was removed with work on it. */
  tip?: string | undefined;
  path: string;
  /** Patterns of files of the user's checkout that git does not have, such as `.env`. */
  copy: readonly string[];
}

/** Beside the checkout by default: from inside it, linters, test runners and searches would find the worktrees' files. */
export function worktreePath({ top }: Checkout, root: string | null, name: string): string {
  return root === null ? join(dirname(top), `${basename(top)}.worktrees`, name) : resolve(top, root, name);
}

/** Names that git takes for a branch, whatever else it refuses. */
const PLAIN_NAME = /^(?!HEAD$)[A-Za-z0-9]+([-/][A-Za-z0-9]+)*$/;

/** Makes the branch, which only one run can, and its worktree. Throws `branch_impossible`, and leaves nothing behind then. */
export async function makeWorktree(checkout: Checkout, plan: WorktreePlan): Promise<void> {
  const { git } = checkout;
  const { branch, base_commit, path } = plan;
  const isName = PLAIN_NAME.test(branch) || (await git(["check-ref-format", "--branch", branch])).exit_code === 0;
  if (!isName) throw impossible(message("branch_name_invalid", { branch }));
  if (await isTaken(path)) throw impossible(message("worktree_path_taken", { path }));
  const made = await git(["branch", "--no-track", branch, base_commit]);
  if (made.exit_code !== 0) {
    const exists = (await commitOf(git, `refs/heads/${branch}`)) !== undefined;
    throw impossible(exists ? message("branch_exists", { branch }) : gitProblem(`branch ${branch}`, made));
  }
  await addWorktree(checkout, plan);
}

/**
 * Makes a worktree that a killed run had begun to make. No work was done in it. What was there before, or came there since, is not ours.
 * Throws `branch_impossible` then.
 */
export async function makeWorktreeAgain(checkout: Checkout, plan: WorktreePlan): Promise<void> {
  const { branch, base_commit, path } = plan;
  const tip = await commitOf(checkout.git, `refs/heads/${branch}`);
  if (tip !== undefined && tip !== base_commit) throw impossible(message("branch_exists", { branch }));
  if ((await isTaken(path)) && !(await isKnown(checkout, path)))
    throw impossible(message("worktree_path_taken", { path }));
  await remakeWorktree(checkout, plan);
}

/** Makes a worktree of the branch in the place of one that is half made, half removed, or gone. */
export async function remakeWorktree(checkout: Checkout, plan: WorktreePlan): Promise<void> {
  const { git } = checkout;
  const { branch, base_commit, tip = base_commit, path } = plan;
  await dropWorktree(checkout, path);
  if ((await commitOf(git, `refs/heads/${branch}`)) === undefined) await git(["branch", "--no-track", branch, tip]);
  await addWorktree(checkout, plan);
}

async function addWorktree(checkout: Checkout, plan: WorktreePlan): Promise<void> {
  const { git, top } = checkout;
  const { branch, path, base_commit } = plan;
  if (isInside(top, path)) await exclude(checkout, `/${dirname(path).slice(top.length + 1)}/`);
  await mkdir(dirname(path), { recursive: true });
  const added = await git(["worktree", "add", "--quiet", path, branch]);
  if (added.exit_code !== 0) {
    await dropWorktree(checkout, path);
    await git(["update-ref", "-d", `refs/heads/${branch}`, base_commit]);
    throw impossible(gitProblem(`worktree add ${path}`, added));
  }
  await provision(checkout, plan);
}

async function provision({ top }: Checkout, { path, copy }: WorktreePlan): Promise<void> {
  await updateSubmodules(path);
  if (copy.length === 0) return;
  const { glob } = await import("tinyglobby");
  const names = await glob([...copy], { cwd: top, dot: true, ignore: ["**/.git/**", "**/.e8/**"] });
  for (const name of names) {
    if (existsSync(join(path, name))) continue; // git has it
    await mkdir(dirname(join(path, name)), { recursive: true });
    await copyFile(join(top, name), join(path, name));
  }
}

/** Keeps what is ours, such as worktrees inside the checkout, out of `git status`. */
export async function exclude({ common }: Checkout, line: string): Promise<void> {
  const file = join(common, "info", "exclude");
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.split("\n").includes(line)) return;
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}

export function isInside(top: string, path: string): boolean {
  return path.startsWith(`${top}/`);
}

async function isTaken(path: string): Promise<boolean> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? [] : undefined));
  return names === undefined || names.length > 0;
}

/** Whether there is a worktree at this place, whatever a worker has checked out in it. */
export async function hasWorktree(checkout: Checkout, path: string): Promise<boolean> {
  return existsSync(join(path, ".git")) && isKnown(checkout, path);
}

/**
 * Whether git has noted a worktree at this place, be it half made or half removed. Throws `branch_impossible` where git gives no answer:
 * a worktree that is taken for none is removed with all that is in it.
 */
async function isKnown({ git, common }: Checkout, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => path);
  if (isNoted(common, real)) return true;
  const listed = await git(["worktree", "list", "--porcelain", "-z"]);
  if (listed.exit_code !== 0) throw impossible(gitProblem("worktree list", listed));
  return listed.output.split("\0").includes(`worktree ${real}`);
}

/** Removes a worktree with everything in it, also one that is half made or half removed. */
export async function dropWorktree({ git }: Checkout, path: string): Promise<void> {
  const remove = ["worktree", "remove", "--force", "--force", path];
  if ((await git(remove)).exit_code === 0) return;
  await rm(path, { recursive: true, force: true });
  await git(remove); // of a missing directory it removes what git noted about it; `prune` would do so for others' as well
}
