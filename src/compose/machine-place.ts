import { join } from "node:path";
import { requireInside } from "../connection/fleet/inside.ts";
import { type BranchState, layBranch, TIP } from "../connection/fleet/lay-branch.ts";
import type { Branch } from "../connection/ports/branch.ts";
import type { MachinePlace } from "../connection/ports/machine-place.ts";
import type { OpenTask } from "../connection/ports/open-task.ts";
import type { Kept, Workspace } from "../connection/ports/workspace.ts";
import { folded } from "../execution/state.ts";
import { E8Error } from "../model/errors.ts";
import type { RunState } from "../model/state.ts";

/** Called once the task is ours: makes the checkout anew where another machine has come further meanwhile. */
export async function settleIn(task: OpenTask, machine: MachinePlace): Promise<void> {
  const { repository, place, task_id: id, project, configuration } = task.task;
  if (!repository) throw new E8Error("task_stays", { id, directory: project });
  const state = await folded(await task.history.recall());
  const base_commit = repository.base_commit ?? machine.state.base_commit;
  await machine.goTo({ base_commit, snapshot: place ? undefined : (state.snapshot ?? undefined) });
  if (repository.base_commit === undefined) await task.save({ repository: { ...repository, base_commit } });
  const { working_directory, skills_dir } = configuration;
  const skills = skills_dir === null ? {} : { skills_dir: join(working_directory, skills_dir) };
  await requireInside(machine.top, id, { working_directory: place ? machine.directory : working_directory, ...skills });
  if (!place) return;
  const worktree = `${machine.top}.worktrees/${id}`; // never as the row says
  await task.save({
    place: { ...place, worktree, is_made: true },
    configuration: { ...configuration, working_directory: join(worktree, repository.path) },
  });
  await layBranch(machine.top, { ...place, worktree }, { id, state: branchState(state) });
}

/** What is left to do for a branch depends on whether its landing or its work is the later. */
function branchState({ snapshot: last, landing, landed_last }: RunState): BranchState {
  const snapshot = last ?? undefined;
  if (!landing) return { snapshot };
  const { outcome, commit, base_commit: base } = landing;
  if (outcome === "merged" && landed_last) return { snapshot, merged: commit };
  return outcome === "conflict" && base ? { snapshot, conflict: { base, is_settling: !landed_last } } : { snapshot };
}

/** A branch whose own commits are where other machines can fetch them before anything can name them. */
export function travellingBranch(
  branch: Branch,
  machine: MachinePlace,
  { requireHeld }: Pick<OpenTask, "requireHeld">,
): Branch {
  return {
    ...branch,
    gather: async (words, settled) => {
      const gathered = await branch.gather(words, settled);
      if ("commit" in gathered) await machine.keep(TIP, gathered.commit, requireHeld);
      return gathered;
    },
    integrate: async () => {
      const base = await branch.integrate();
      if (base.is === "merged") await machine.keep(TIP, base.commit, requireHeld);
      return base;
    },
  };
}

/** A workspace whose snapshots are where other machines can fetch them before anything can name them. */
export function travelling(
  workspace: Workspace,
  machine: MachinePlace,
  { requireHeld }: Pick<OpenTask, "requireHeld">,
): Workspace {
  const keep = (label: string, commit: string) => machine.keep(label, commit, requireHeld);
  return {
    ...workspace,
    snapshot: async (label): Promise<Kept> => {
      const kept = await workspace.snapshot(label);
      if ("problem" in kept) throw new E8Error("place_unusable", { path: machine.directory, problem: kept.problem });
      await keep(label, kept.commit);
      return kept;
    },
    mixed: async (commit, sources) => {
      const made = await workspace.mixed(commit, sources);
      if (made !== undefined) await keep(BASELINE, made);
      return made;
    },
    whole: async (commit) => {
      const made = await workspace.whole(commit);
      if (made !== commit) await keep(BASE, made);
      return made;
    },
    adopt: async (label, commit) => {
      await workspace.adopt(label, commit);
      await keep(label, commit);
    },
  };
}

const BASELINE = "baseline";
const BASE = "base";
