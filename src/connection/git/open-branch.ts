import { rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { message } from "../../model/message.ts";
import type { BranchPlace } from "../../model/task.ts";
import type { Branch, Clearing, Lane } from "../ports/branch.ts";
import type { RemoteAccess } from "../ports/machine-place.ts";
import type { Lock } from "../stores/files/lock.ts";
import { RECORDS_DIRECTORY } from "../stores/files/task-paths.ts";
import { type Base, tipsOf } from "./base.ts";
import { type Locker, lockBase, lockBranch } from "./branch-lock.ts";
import {
  awaitGit,
  type Checkout,
  checkoutOf,
  commitOf,
  type Git,
  gitAt,
  gitProblem,
  isAncestor,
  treesOf,
} from "./checkout.ts";
import { putHandedFiles } from "./handed-files.ts";
import { abandonMerge, gather, merge } from "./integrate.ts";
import { land } from "./landing.ts";
import { differenceFrom } from "./submodules.ts";
import { dropWorktree, hasWorktree, makeWorktree, makeWorktreeAgain, remakeWorktree } from "./worktree.ts";

export interface BranchOptions {
  project: string;
  locker: Locker;
  place: BranchPlace;
  copy: readonly string[];
  /** The folder of files that earlier turns hand on. */
  handed?: string | undefined;
  /** Who commits, as `Name <address>`; `null`: as git says. */
  author: string | null;
  /** Brings a checkout of the base forward after a landing, where that loses nothing. */
  forwards: boolean;
  /** A worker is settling the conflicts of a merge, which stays in progress. */
  isSettling: boolean;
  /** The order of landings within this process. */
  lane: Lane | undefined;
  /** How the remote is reached, where not by the settings of the repository itself. */
  remote?: RemoteAccess | undefined;
  /** `made`: the worktree was complete once. `begun`: a run was killed while it made it. */
  state: "new" | "begun" | "made";
}

/** Takes the branch and opens its worktree, as a new one or as an earlier run left it. Throws `branch_impossible` or `branch_taken`. */
export async function openBranch(options: BranchOptions): Promise<Branch> {
  const { project, locker, place, state } = options;
  const found = await checkoutOf(project);
  const checkout = { ...found, git: gitAt(found.top, { worktree: place.worktree }), remote: options.remote };
  const lock = await lockBranch(checkout, place.branch, locker);
  try {
    if (state !== "new") await awaitGit(place.worktree);
    const plan = { ...place, path: place.worktree, copy: options.copy };
    if (state === "new") await makeWorktree(checkout, plan);
    else if (state === "begun") await makeWorktreeAgain(checkout, plan);
    else if (!(await hasWorktree(checkout, plan.path))) await remakeWorktree(checkout, plan);
    if (!options.isSettling) await abandonMerge(gitAt(place.worktree, { worktree: place.worktree })); // of a run that was killed while it merged
    if (options.handed !== undefined) await putHandedFiles(checkout, options.handed, place.worktree);
    return branchIn({ checkout, options, lock });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Opened {
  checkout: Checkout;
  options: BranchOptions;
  lock: Lock;
}

function branchIn({ checkout, options, lock }: Opened): Branch {
  const { place, forwards, locker } = options;
  const { author } = options;
  const git = gitAt(place.worktree, { author, worktree: place.worktree });
  const outer = gitAt(checkout.top, { author, worktree: place.worktree }); // a remote may be named by a path from there
  const base: Base = { name: place.base, remote: place.remote };
  let held: { lock: Lock; leave: (() => void) | undefined } | undefined;
  /** A commit of ours that nobody can have landed. */
  let fresh: string | undefined;
  const free = async () => {
    await held?.lock.release();
    held?.leave?.();
    held = undefined;
  };
  return {
    ...place,
    hold: async (signal) => {
      if (held) return;
      const leave = await options.lane?.hold(place.base, signal);
      try {
        held = { lock: await lockBase(checkout, { base: place.base, locker }, signal), leave };
      } catch (error) {
        leave?.();
        throw error;
      }
    },
    free,
    gather: async (words, settled) => {
      const gathered = await gather(git, place, { words, settled });
      if ("commit" in gathered && gathered.is_new) fresh = gathered.commit;
      return gathered;
    },
    integrate: async () => {
      const { tips, problem } = await tipsOf(checkout, base);
      if (tips.length === 0) return { is: "failed", problem: problem ?? message("base_missing", { base: base.name }) };
      const isFresh = fresh !== undefined && fresh === (await commitOf(git, "HEAD"));
      if (!isFresh && (await hasLanded(git, place, tips))) return { is: "current" };
      return merge(git, tips, `Merge ${place.base} into ${place.branch}`);
    },
    abandon: () => abandonMerge(git),
    land: async ({ proved, message: words }) => {
      const tip = await commitOf(git, "HEAD");
      const [tree, same] = (tip && (await treesOf(git, [tip, proved]))) || [];
      if (tip === undefined || tree === undefined)
        return { is: "failed", problem: message("tree_not_proved", { worktree: place.worktree }) };
      const landing = { worktree: place.worktree, tip, proved, base: place.base_commit };
      const problem = tree === same ? undefined : await differenceFrom(git, landing);
      if (problem) return { is: "failed", problem };
      return land({ ...checkout, git: outer }, { tree, message: words, base, tip, forwards });
    },
    publish: async (remote) =>
      (options.remote ? publishThrough(options.remote) : publish)(outer, {
        branch: place.branch,
        remote,
        commit: await commitOf(git, "HEAD"),
      }),
    clear: (landed) => clear(checkout, { git, place }, landed),
    leave: async () => {
      await free();
      await lock.release();
    },
  };
}

/** A run that was killed after its push has landed already. To merge its own landing would make the branch another one, which lands again. */
async function hasLanded(git: Git, { base_commit }: BranchPlace, tips: readonly string[]): Promise<boolean> {
  const [newest] = tips;
  const own = await commitOf(git, "HEAD");
  return newest !== undefined && own !== undefined && own !== base_commit && isAncestor(git, own, newest);
}

async function publish(
  git: Git,
  { branch, remote, commit }: { branch: string; remote: string; commit: string | undefined },
) {
  const ref = `refs/heads/${branch}`;
  const { output } = await git(["ls-remote", remote, ref]);
  const there = output.split("\t")[0]?.trim() ?? "";
  if (commit === undefined) return { problem: message("no_commit_yet", {}) };
  if (there === commit) return { commit };
  const lease = `--force-with-lease=${ref}:${there}`;
  const answer = await git(["push", "--quiet", "--no-verify", lease, remote, `${commit}:${ref}`]);
  if (answer.exit_code === 0) return { commit };
  return { problem: message("push_refused", { remote, branch, said: answer.said }) };
}

const publishThrough =
  ({ tip, push }: RemoteAccess): typeof publish =>
  async (_, { branch, remote, commit }) => {
    if (commit === undefined) return { problem: message("no_commit_yet", {}) };
    const there = await tip(branch);
    if ("said" in there) return { problem: message("push_refused", { remote, branch, said: there.said }) };
    if (there.commit === commit) return { commit };
    const answer = await push({ branch, from: there.commit ?? "", to: commit });
    return answer.exit_code === 0
      ? { commit }
      : { problem: message("push_refused", { remote, branch, said: answer.said }) };
  };

/** Only what has landed, or is empty, and is clean may go. */
async function clear(
  checkout: Checkout,
  { git, place }: { git: Git; place: BranchPlace },
  landed: string | undefined,
): Promise<Clearing> {
  const { git: outer } = checkout;
  const { branch, worktree: path, base_commit } = place;
  const ref = `refs/heads/${branch}`;
  const tip = await commitOf(outer, ref);
  const isEmpty = tip === undefined || tip === base_commit;
  if (!isEmpty && !(landed !== undefined && (await isAncestor(outer, tip, landed))))
    return { problem: message("worktree_unmerged", { path, branch }) };
  const ignored = (await hasWorktree(checkout, path)) ? await onlyIgnored(git) : [];
  if (!ignored) return { problem: message("worktree_dirty", { path }) };
  const remove = async () => {
    await dropWorktree(checkout, path);
    await rmdir(dirname(path)).catch(() => {}); // other worktrees are there, or it is not ours
    const deleted = tip === undefined ? undefined : await outer(["update-ref", "-d", ref, tip]);
    return deleted && deleted.exit_code !== 0 ? gitProblem(`update-ref -d ${ref}`, deleted) : undefined;
  };
  return { ignored, remove };
}

/** The files that git ignores, if nothing else is there that no commit has. */
export async function onlyIgnored(git: Git): Promise<string[] | undefined> {
  const status = await git(["status", "--porcelain", "-z", "--ignored", "--untracked-files=all"]);
  if (status.exit_code !== 0) return undefined;
  const lines = status.output.split("\0").filter(Boolean);
  const ignored = lines.filter((line) => line.startsWith("!! ")).map((line) => line.slice("!! ".length));
  const others = ignored.filter((name) => !name.startsWith(`${RECORDS_DIRECTORY}/`)); // the lock of our own run
  return lines.length > ignored.length ? undefined : others;
}
