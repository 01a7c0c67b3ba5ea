import type { MachinePlace } from "../connection/ports/machine-place.ts";
import type { OpenTask } from "../connection/ports/task-store.ts";
import type { Kept, Workspace } from "../connection/ports/workspace.ts";
import { E8Error } from "../model/errors.ts";
import type { HistoryRecord } from "../model/records.ts";

/** Called once the task is ours: makes the checkout anew where another machine has come further meanwhile. */
export async function settleIn(task: OpenTask, machine: MachinePlace): Promise<void> {
  const { repository, place, task_id: id, project } = task.task;
  if (!repository) throw new E8Error("task_stays", { id, directory: project });
  const records: HistoryRecord[] = [];
  for await (const record of task.history.records()) records.push(record);
  const base_commit = repository.base_commit ?? machine.state.base_commit;
  await machine.goTo({ base_commit, snapshot: place ? undefined : lastSnapshot(records) });
  if (repository.base_commit === undefined) await task.save({ repository: { ...repository, base_commit } });
}

/** The files as the records know them last: a proof may have taken a snapshot after the summary. */
export function lastSnapshot(records: readonly HistoryRecord[]): string | undefined {
  const named = records.map((record) =>
    record.type === "summary" ? record.snapshot : record.type === "proof" ? (record.commit ?? undefined) : undefined,
  );
  return named.findLast((commit) => commit !== undefined);
}

/** A workspace whose snapshots are where other machines can fetch them before anything can name them. */
export function travelling(
  workspace: Workspace,
  machine: MachinePlace,
  { verify }: Pick<OpenTask, "verify">,
): Workspace {
  const keep = (label: string, commit: string) => machine.keep(label, commit, verify);
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
    adopt: async (label, commit) => {
      await workspace.adopt(label, commit);
      await keep(label, commit);
    },
  };
}

const BASELINE = "baseline";
