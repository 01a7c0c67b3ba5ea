import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { message } from "../../model/message.ts";
import type { BranchPlace } from "../../model/task.ts";
import { startOf } from "./base.ts";
import { checkoutOf, impossible } from "./checkout.ts";
import { worktreePath } from "./worktree.ts";

export interface BranchWish {
  project: string;
  /** Where the task would work without a branch of its own. */
  directory: string;
  /** Of the branch and of the worktree's directory. */
  branch: string;
  name: string;
  base: string | null;
  remote: string | null;
  root: string | null;
  /** Where the work begins, if not at the base's tip. */
  base_commit?: string | undefined;
}

/** The branch and worktree that a task gets, and its working directory there. Nothing is made yet. Throws `branch_impossible`. */
export async function planBranch(wish: BranchWish): Promise<{ place: BranchPlace; working_directory: string }> {
  const checkout = await checkoutOf(wish.project);
  const { base, remote, branch } = wish;
  if (base === null) throw impossible(message("base_unnamed", {}));
  const inside = relative(await realpath(checkout.top), await realpath(wish.directory));
  if (inside.startsWith("..")) throw impossible(message("not_a_repository", { path: wish.directory, said: "" }));
  const base_commit = wish.base_commit ?? (await startOf(checkout, { name: base, remote }));
  const worktree = worktreePath(checkout, wish.root, wish.name);
  return {
    place: { branch, base, remote, base_commit, worktree, is_made: false },
    working_directory: join(worktree, inside),
  };
}

/** The branch that a checkout stands on, and whether something in it is not committed. Throws `branch_impossible`. */
export async function standingOn(project: string): Promise<{ branch: string | undefined; is_dirty: boolean }> {
  const { git } = await checkoutOf(project);
  const { output } = await git(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const status = await git(["status", "--porcelain", "-z"]);
  return { branch: output.trim() || undefined, is_dirty: status.output !== "" };
}

/** The commit that work on a base begins at. Throws `branch_impossible`. */
export async function baseCommit(project: string, base: { name: string; remote: string | null }): Promise<string> {
  return startOf(await checkoutOf(project), base);
}
