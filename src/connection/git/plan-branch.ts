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
}

/** The branch and worktree that a task gets, and its working directory there. Nothing is made yet. Throws `branch_impossible`. */
export async function planBranch(wish: BranchWish): Promise<{ place: BranchPlace; working_directory: string }> {
  const checkout = await checkoutOf(wish.project);
  const { base, remote, branch } = wish;
  if (base === null) throw impossible(message("base_unnamed", {}));
  const inside = relative(await realpath(checkout.top), await realpath(wish.directory));
  if (inside.startsWith("..")) throw impossible(message("not_a_repository", { path: wish.directory, said: "" }));
  const base_commit = await startOf(checkout, { name: base, remote });
  const worktree = worktreePath(checkout, wish.root, wish.name);
  return {
    place: { branch, base, remote, base_commit, worktree, is_made: false },
    working_directory: join(worktree, inside),
  };
}
