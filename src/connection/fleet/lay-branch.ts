import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { BranchPlace } from "../../model/task.ts";
import { checkoutOf, type Git, gitAt, treesOf } from "../git/checkout.ts";
import { identity, merge } from "../git/integrate.ts";
import { addSubmodules, layOut } from "./lay-out.ts";
import { unusable } from "./mirror.ts";

/** What the records say of a task's branch: where its work is, and how far its landing has come. */
export interface BranchState {
  /** The last commit that they name. */
  snapshot: string | undefined;
  /** The base was merged into the branch after that. */
  merged?: string | undefined;
  /** A merge has conflicts with this commit of the base. `is_settling`: a worker has worked on them since, and the snapshot shows it. */
  conflict?: { base: string; is_settling: boolean } | undefined;
}

/** The ref with the last commit that we have made on a task's branch ourselves. */
export const TIP = "tip";

/** Makes the worktree of a task's branch as another machine has left it, also in the middle of a merge. */
export async function layBranch(
  checkout: string,
  { branch, worktree, base_commit }: BranchPlace,
  { id, state }: { id: string; state: BranchState },
): Promise<void> {
  const { git } = await checkoutOf(checkout);
  await mkdir(dirname(worktree), { recursive: true });
  await must(git, "worktree", "add", "--quiet", "--detach", "--no-checkout", worktree, base_commit);
  const inside = gitAt(worktree);
  const { snapshot, merged, conflict } = state;
  await layOut(inside, { base_commit });
  await addSubmodules(inside);
  await layOut(inside, merged === undefined ? { base_commit, snapshot } : { base_commit: merged });
  if (merged === undefined && snapshot !== undefined) await ontoTip(inside, { tip: `refs/e8/${id}/${TIP}`, snapshot });
  await must(inside, "branch", "--force", "--no-track", branch, "HEAD");
  await must(inside, "symbolic-ref", "HEAD", `refs/heads/${branch}`);
  if (conflict) await mergeAgain(inside, conflict);
}

/** A run that was killed between its commit and what it did with it has the commit already. Another one like it would land twice. */
async function ontoTip(git: Git, { tip, snapshot }: { tip: string; snapshot: string }): Promise<void> {
  const [made, kept] = (await treesOf(git, [tip, snapshot])) ?? [];
  if (made !== undefined && made === kept) await must(git, "reset", "--quiet", "--mixed", tip);
}

/** Conflicts that nobody has worked on are made again; otherwise the files are the snapshot's, and only the merge is in progress. */
async function mergeAgain(git: Git, { base, is_settling }: { base: string; is_settling: boolean }): Promise<void> {
  if (!is_settling) {
    await merge(git, [base], "Merge");
    return;
  }
  const words = ["merge", "--no-ff", "--no-commit", "--strategy=ours", "--quiet", base];
  const merging = await git([...(await identity(git)), ...words]);
  if (merging.exit_code !== 0) throw unusable(git.directory, "merge", merging);
}

async function must(git: Git, ...words: string[]): Promise<void> {
  const answer = await git(words);
  if (answer.exit_code !== 0) throw unusable(git.directory, words[0] ?? "", answer);
}
