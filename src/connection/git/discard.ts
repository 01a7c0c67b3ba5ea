import { rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { type Message, message } from "../../model/message.ts";
import type { BranchPlace } from "../../model/task.ts";
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
    const tip = await commitOf(git, ref);
    const hasWork = tip !== undefined && tip !== base_commit;
    if (hasWork) {
      const kept = await git(["update-ref", `refs/e8/${locker.id}/branch`, tip]);
      if (kept.exit_code !== 0) throw notRemoved(place, gitProblem("update-ref", kept));
    }
    await dropWorktree(checkout, worktree);
    await rmdir(dirname(worktree)).catch(() => {}); // other worktrees are there, or it is not ours
    if (tip !== undefined) await git(["update-ref", "-d", ref, tip]);
    return { ignored, ...(hasWork && { tip }) };
  } finally {
    await lock.release();
  }
}

/** Commits what is left, and returns the ignored files. */
async function emptied(git: Git, place: BranchPlace, words: string): Promise<string[]> {
  await abandonMerge(git);
  const gathered = await gather(git, place, { words, settled: [] });
  const ignored = await onlyIgnored(git);
  if ("problem" in gathered) throw notRemoved(place, gathered.problem);
  if (!ignored) throw notRemoved(place, message("worktree_dirty", { path: place.worktree }));
  return ignored;
}

function notRemoved({ worktree: path, branch }: BranchPlace, problem: Message): E8Error {
  return new E8Error("branch_kept", { path, branch, problem });
}
