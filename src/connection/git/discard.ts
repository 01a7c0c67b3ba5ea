import { rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { message } from "../../model/message.ts";
import type { BranchPlace } from "../../model/task.ts";
import type { GitAnswer } from "../processes/git.ts";
import { type Locker, lockBranch } from "./branch-lock.ts";
import { awaitGit, checkoutOf, commitOf, type Git, gitAt, gitProblem } from "./checkout.ts";
import { abandonMerge, gather } from "./integrate.ts";
import { onlyIgnored } from "./open-branch.ts";
import { dropWorktree, hasWorktree } from "./worktree.ts";

export interface DiscardWish {
  project: string;
  locker: Locker;
  place: BranchPlace;
  /** Who commits, as `Name <address>`; `null`: as git says. */
  author: string | null;
  /** Of the commit of what is left in the worktree. */
  words: string;
}

/** `tip`: the branch's last commit, kept at a ref of ours; absent where nothing was done. `ignored`: files that are gone. */
export interface Discarded {
  tip?: string;
  ignored: string[];
}

/**
 * Removes a task's worktree and branch, whatever is in them. What git does not ignore is committed before, and the branch's last commit is
 * kept beside the task's snapshots. Throws `branch_taken`, or `branch_kept` where something could not be committed.
 */
export async function discardBranch({ project, locker, place, author, words }: DiscardWish): Promise<Discarded> {
  const checkout = await checkoutOf(project);
  const { git } = checkout;
  const { worktree, branch, base_commit } = place;
  const lock = await lockBranch(checkout, branch, locker);
  try {
    await awaitGit(worktree);
    const inside = (await hasWorktree(checkout, worktree)) ? gitAt(worktree, { author, worktree }) : undefined;
    const ignored = inside ? await emptied(inside, place, words) : [];
    const ref = `refs/heads/${branch}`;
    const keeping = `refs/e8/${locker.id}/branch`;
    const tip = await commitOf(git, ref);
    const hasWork = tip !== undefined && tip !== base_commit;
    if (hasWork) requireDone(place, `update-ref ${keeping}`, await git(["update-ref", keeping, tip]));
    await dropWorktree(checkout, worktree);
    await rmdir(dirname(worktree)).catch(() => {}); // other worktrees are there, or it is not ours
    if (tip !== undefined) requireDone(place, `update-ref -d ${ref}`, await git(["update-ref", "-d", ref, tip]));
    // Where the branch is gone, an attempt before this one may have been killed before it could tell of its tip.
    const kept = tip ?? (await commitOf(git, keeping));
    return { ignored, ...(kept !== undefined && kept !== base_commit && { tip: kept }) };
  } finally {
    await lock.release();
  }
}

function requireDone({ worktree: path, branch }: BranchPlace, act: string, answer: GitAnswer): void {
  if (answer.exit_code !== 0) throw new E8Error("branch_kept", { path, branch, problem: gitProblem(act, answer) });
}

/** Commits what is left, and returns the ignored files. */
async function emptied(git: Git, place: BranchPlace, words: string): Promise<string[]> {
  await abandonMerge(git);
  const gathered = await gather(git, place, { words, settled: [] });
  const ignored = await onlyIgnored(git); // not known where something is left that a commit cannot hold, such as changes in a submodule
  const { worktree: path, branch } = place;
  const left = ignored === undefined ? message("worktree_dirty", { path }) : undefined;
  const problem = "problem" in gathered ? gathered.problem : left;
  if (problem) throw new E8Error("branch_kept", { path, branch, problem });
  return ignored ?? [];
}
