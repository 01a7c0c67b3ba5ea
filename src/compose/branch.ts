import { checkoutOf } from "../connection/git/checkout.ts";
import { bringForward } from "../connection/git/landing.ts";
import { type BranchOptions, openBranch } from "../connection/git/open-branch.ts";
import { planBranch } from "../connection/git/plan-branch.ts";
import type { Branch, Lane } from "../connection/ports/branch.ts";
import type { OpenTask } from "../connection/ports/task-store.ts";
import { issueIn } from "../execution/flow/boundary.ts";
import type { RunState } from "../model/state.ts";
import type { BranchPlace } from "../model/task.ts";

/** Makes the branch and worktree of a new task, and has it work there. Undefined where it works in the project itself. */
export async function newBranch(task: OpenTask, lane: Lane | undefined): Promise<Branch | undefined> {
  const { configuration, project } = task.task;
  const { worktree, finalize, working_directory: directory } = configuration;
  if (!worktree.enabled) return undefined;
  const { place, working_directory } = await planBranch({
    project,
    directory,
    ...namesOf(task),
    base: worktree.base,
    remote: finalize.create_pr || (finalize.merge && finalize.push) ? finalize.remote : null,
    root: worktree.root,
  });
  await task.save({ place, configuration: { ...configuration, working_directory } });
  const branch = await opened(task, place, { state: "new", isSettling: false, lane });
  await task.save({ place: { ...place, is_made: true } });
  return branch;
}

/** One issue, one branch, one worktree. */
function namesOf({ task: { task_id, flow, issue: made } }: OpenTask): { branch: string; name: string } {
  const issue = made?.number ?? (flow ? issueIn(flow.parameters) : undefined);
  return issue === undefined
    ? { branch: `e8/${task_id}`, name: task_id }
    : { branch: `feature/issue-${issue}`, name: `issue-${issue}` };
}

/** The branch that a resumed task has. One that was stored and never begun gets its branch now. */
export async function branchAgain(
  task: OpenTask,
  { landing }: RunState,
  lane: Lane | undefined,
): Promise<Branch | undefined> {
  const { place } = task.task;
  if (!place) return newBranch(task, lane);
  const state = place.is_made ? "made" : "begun";
  const branch = await opened(task, place, { state, isSettling: landing?.outcome === "conflict", lane });
  if (!place.is_made) await task.save({ place: { ...place, is_made: true } });
  return branch;
}

function opened(
  { task: { project, task_id: id, configuration } }: OpenTask,
  place: BranchPlace,
  how: Pick<BranchOptions, "state" | "isSettling" | "lane">,
): Promise<Branch> {
  const { worktree, finalize } = configuration;
  const wish = { copy: worktree.copy, author: finalize.author, forwards: finalize.checkout === "forward" };
  return openBranch({ project, locker: { id, project }, place, ...wish, ...how });
}

/** Brings the checkout of a base to what has landed. False where something of the user's is in the way. */
export async function forwardCheckout(project: string, base: string): Promise<boolean> {
  return bringForward(await checkoutOf(project), base);
}
