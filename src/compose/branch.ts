import { isThere } from "../connection/files.ts";
import { lockBranch } from "../connection/git/branch-lock.ts";
import { checkoutOf } from "../connection/git/checkout.ts";
import { bringForward } from "../connection/git/landing.ts";
import { type BranchOptions, openBranch } from "../connection/git/open-branch.ts";
import { planBranch } from "../connection/git/plan-branch.ts";
import type { Branch, Lane } from "../connection/ports/branch.ts";
import type { MachinePlace } from "../connection/ports/machine-place.ts";
import type { OpenTask } from "../connection/ports/open-task.ts";
import type { TaskStore } from "../connection/ports/task-store.ts";
import { handedFolder } from "../connection/stores/files/backlog-queue.ts";
import { commandsToSetUp } from "../execution/branch-work.ts";
import type { Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import { issueOf } from "../model/flow/issue-parameter.ts";
import type { RunState } from "../model/state.ts";
import { type BranchPlace, comparisonId, type TaskId } from "../model/task.ts";

/** Makes the branch and worktree of a new task, and has it work there. Undefined where it works in the project itself. */
export async function newBranch(
  task: OpenTask,
  lane: Lane | undefined,
  machine?: MachinePlace,
): Promise<Branch | undefined> {
  const { configuration, project, repository } = task.task;
  const { worktree, finalize, working_directory: directory } = configuration;
  if (!worktree.enabled) return undefined;
  if (task.task.place) return opened(task, task.task.place, { state: "made", isSettling: false, lane, machine });
  const { comparison } = task.task;
  const { place, working_directory } = await planBranch({
    project,
    directory,
    ...namesOf(task),
    base: worktree.base ?? repository?.base ?? null,
    remote: repository ? ORIGIN : remoteOf({ ...finalize, ...comparison?.finalize }),
    root: repository ? null : worktree.root,
    base_commit: repository?.base_commit ?? comparison?.base_commit,
  });
  await task.save({ place, configuration: { ...configuration, working_directory } });
  const branch = await opened(task, place, { state: "new", isSettling: false, lane, machine });
  const isReady = !machine && commandsToSetUp(configuration).length === 0;
  await task.save({ place: { ...place, is_made: true, ...(isReady && { is_set_up: true }) } });
  return branch;
}

/** A checkout of a fleet is gone afterwards: its work lands on the remote, or nowhere. */
const ORIGIN = "origin";

/** The remote whose base the work lands on; `null`: the base is here. */
export function remoteOf({ create_pr, merge, push, remote }: Configuration["finalize"]): string | null {
  return create_pr || (merge && push) ? remote : null;
}

/** One issue, one branch, one worktree. */
function namesOf({ task }: OpenTask): { branch: string; name: string } {
  const { task_id, comparison } = task;
  if (comparison) {
    const name = `compare-${comparisonId(task)}-${comparison.number}`;
    return { branch: `e8/${name}`, name };
  }
  const issue = issueOf(task)?.number;
  return issue === undefined
    ? { branch: `e8/${task_id}`, name: task_id }
    : { branch: `feature/issue-${issue}`, name: `issue-${issue}` };
}

/** Whether a task was stored, and its run was killed before it had a branch or anything else. */
export function isUnbegun({ task: { place, start } }: OpenTask): boolean {
  return place === undefined && start === undefined;
}

/** The branch that a resumed task has. */
export async function branchAgain(
  task: OpenTask,
  { landing }: RunState,
  { lane, machine }: { lane?: Lane | undefined; machine?: MachinePlace | undefined },
): Promise<Branch | undefined> {
  const { place } = task.task;
  if (!place) return undefined;
  const state = machine || place.is_made ? "made" : "begun"; // on this machine it has been made just now
  const branch = await opened(task, place, { state, isSettling: landing?.outcome === "conflict", lane, machine });
  if (!place.is_made) await task.save({ place: { ...place, is_made: true } });
  return branch;
}

/** The lock of a branch whose run was killed after its end. Another run may have the branch by now. */
export async function unlockBranch({ task: { place, project, task_id: id } }: OpenTask): Promise<void> {
  if (!place) return;
  try {
    const lock = await lockBranch(await checkoutOf(project), place.branch, { id, project });
    await lock.release();
  } catch (error) {
    if (!(error instanceof E8Error)) throw error;
  }
}

function opened(
  { task: { project, task_id: id, configuration, issue } }: OpenTask,
  place: BranchPlace,
  { machine, ...how }: Pick<BranchOptions, "state" | "isSettling" | "lane"> & { machine?: MachinePlace | undefined },
): Promise<Branch> {
  const { worktree, finalize } = configuration;
  const handed = issue && handedFolder(project, issue.number);
  const wish = { copy: worktree.copy, handed, author: finalize.author, forwards: finalize.checkout === "forward" };
  return openBranch({ project, locker: { id, project }, place, ...wish, ...how, remote: machine?.remote });
}

/** Brings the checkout of a base to what has landed. False where something of the user's is in the way. */
export async function forwardCheckout(project: string, base: string): Promise<boolean> {
  return bringForward(await checkoutOf(project), base);
}

/** The configuration of a task that goes on where another one has left its work. */
export function inPlace(configuration: Configuration, place: BranchPlace | undefined): Configuration {
  return place ? { ...configuration, working_directory: place.worktree } : configuration;
}

/** Where an earlier task for the same issue has left its work. Undefined where that has landed, or there is none. */
export async function placeLeft(store: TaskStore, id: TaskId | undefined): Promise<BranchPlace | undefined> {
  const place = id === undefined ? undefined : (await store.read(id).catch(() => undefined))?.place;
  return place && isThere(place.worktree) ? place : undefined;
}
