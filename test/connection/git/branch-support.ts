import { readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { startOf } from "../../../src/connection/git/base.ts";
import { checkoutOf, gitAt } from "../../../src/connection/git/checkout.ts";
import { type BranchOptions, openBranch } from "../../../src/connection/git/open-branch.ts";
import { worktreePath } from "../../../src/connection/git/worktree.ts";
import type { Branch, Clearing } from "../../../src/connection/ports/branch.ts";
import { git, repository, write } from "../../support/repository.ts";

export const FILES = { "a.txt": "one\ntwo\nthree\n", ".gitignore": "*.log\n" };

/** A repository whose user stands on another branch than main. */
export async function project(files: Record<string, string> = FILES): Promise<string> {
  const directory = await repository(files);
  await git(directory, "branch", "-M", "main");
  await git(directory, "checkout", "-q", "-b", "mine");
  onTestFinished(() =>
    rm(join(dirname(directory), `${basename(directory)}.worktrees`), { recursive: true, force: true }),
  );
  return directory;
}

export async function opened(directory: string, name = "one", more: Partial<BranchOptions> = {}): Promise<Branch> {
  return openBranch(await optionsFor(directory, name, more));
}

export async function optionsFor(
  directory: string,
  name: string,
  more: Partial<BranchOptions> = {},
): Promise<BranchOptions> {
  const checkout = await checkoutOf(directory);
  const base_commit = await startOf(checkout, { name: "main", remote: null });
  const worktree = worktreePath(checkout, null, name);
  const place = {
    branch: `e8/${name}`,
    base: "main",
    remote: null,
    base_commit,
    worktree,
    is_made: true,
    ...more.place,
  };
  const options = {
    project: directory,
    locker: { id: name, project: directory },
    copy: [],
    author: null,
    forwards: false,
    isSettling: false,
    lane: undefined,
  };
  return { ...options, state: "new", ...more, place };
}

/** Everything of the user's that must stay as it is. */
export async function usersState(directory: string): Promise<string[]> {
  const index = await readFile(join(directory, ".git/index"), "base64");
  const asked = [["rev-parse", "HEAD"], ["status", "--porcelain"], ["stash", "list"], ["reflog"]];
  return [index, ...(await Promise.all(asked.map((args) => git(directory, ...args))))];
}

export async function proved(branch: Branch): Promise<string> {
  return (await gitAt(branch.worktree)(["rev-parse", "HEAD"])).output.trim();
}

export async function landed(branch: Branch) {
  return branch.land({ proved: await proved(branch), message: "Merge the work\n" });
}

export async function removed(clearing: Clearing): Promise<boolean> {
  return "remove" in clearing && (await clearing.remove()) === undefined;
}

/** Moves main on. */
export async function userCommits(directory: string): Promise<void> {
  await git(directory, "checkout", "-q", "main");
  await write(directory, { "c.txt": "the user's\n" });
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "-m", "user");
  await git(directory, "checkout", "-q", "mine");
}
