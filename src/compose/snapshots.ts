import { absolute, isThere } from "../connection/files.ts";
import { removeUnused } from "../connection/fleet/care.ts";
import type { TaskPast } from "../connection/ports/task-store.ts";
import type { Forgotten, Workspace } from "../connection/ports/workspace.ts";
import { occupy } from "../connection/workspace/place-lock.ts";
import { createWorkspace } from "../connection/workspace/workspace.ts";
import type { ChangedFile, ChangeTotals } from "../model/changes.ts";
import { E8Error } from "../model/errors.ts";
import { message } from "../model/message.ts";
import type { TaskId } from "../model/task.ts";
import { findTask, readableTasks, storeOf } from "./store.ts";
import { forgetRemotely } from "./task-refs.ts";
import { bringHere, travelled } from "./travelled.ts";

/** A task, the latest where no id is given. */
export interface SnapshotChoice {
  project: string;
  id?: string | undefined;
}

/** What changed between two iterations. 0 is the start of the task. */
export interface Differences {
  from: number;
  to: number;
  files: ChangedFile[];
  diff: string;
}

/** `range`: `2` (what iteration 2 changed), `1..3`, `1..`; everything since the start where absent. */
export async function diffOf(choice: SnapshotChoice, range?: string): Promise<Differences> {
  const { past, workspace } = await keptTask(choice);
  const { from, to } = readRange(range, past.iterations);
  const [before, after] = [commitAt(past, from), commitAt(past, to)];
  const isHere = (await workspace.changes(before, after)) !== undefined;
  const reader = (isHere ? undefined : await travelled(past, [before, after])) ?? workspace;
  const [files, diff] = await Promise.all([reader.changes(before, after), reader.diff(before, after)]);
  if (!files) throw new E8Error("snapshot_missing", { id: past.task.task_id, iteration: from });
  return { from, to, files, diff };
}

/** How much each iteration has changed, by its number. Iterations without a snapshot, or after one without, are left out. */
export async function iterationTotals(past: TaskPast): Promise<Record<number, ChangeTotals>> {
  const { task, records } = past;
  const kept = [...new Map(records.flatMap((one) => (one.type === "summary" ? [[one.iteration, one.snapshot]] : [])))];
  const steps = [[0, task.start] as const, ...kept].filter((step): step is [number, string] => step[1] !== undefined);
  if (steps.length < 2) return {};
  const found = await totalsOf(
    past,
    steps.map(([, commit]) => commit),
  );
  const entries = found.flatMap((totals, index) => {
    const [iteration, before] = [steps[index + 1]?.[0] ?? 0, steps[index]?.[0] ?? 0];
    return totals && iteration === before + 1 ? [[iteration, totals] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Who looks at a task does not wait long for what is beside it. */
const GLANCE_SECONDS = 5;

/** Those of a task whose machines share its snapshots are left out where its repository is away. */
async function totalsOf(past: TaskPast, commits: readonly string[]) {
  const here = await workspaceOf(past).totals(commits);
  if (!here.includes(null)) return here;
  const reader = await travelled(past, commits, GLANCE_SECONDS).catch(() => undefined);
  return reader?.totals(commits) ?? here;
}

/**
 * A rollback that was done, and the commits that keep the files from before it, and from before one that was interrupted. `left_out`: files
 * that no snapshot holds, which are as they were.
 */
export interface RolledBack {
  id: TaskId;
  before: string;
  left_out?: string[];
  interrupted?: string;
}

/** Makes the files those of an iteration's end, or of a commit, and tells what was done. */
export async function rollBack(choice: SnapshotChoice, to: string, tell: (done: RolledBack) => void): Promise<void> {
  const { past, workspace } = await keptTask(choice);
  requireRestorable(past);
  const { task_id: id, project, configuration } = past.task;
  const commit = /^\d{1,4}$/.test(to) ? commitAt(past, Number(to)) : to;
  await bringHere(past, commit);
  const leave = await occupy({ id, project, directory: configuration.working_directory, samePlace: false });
  try {
    const kept = await workspace.restore(commit);
    if ("problem" in kept) throw new E8Error("rollback_failed", { problem: kept.problem });
    const { commit: before, settle, ...more } = kept;
    tell({ id, before, ...more });
    await settle();
  } finally {
    await leave();
  }
}

/** A task whose files may become those of a snapshot: it does not run, and the worktree that it worked in is still there. */
export function requireRestorable({ task: { task_id: id, place }, status }: TaskPast): void {
  if (status === "running" || status === "paused") throw new E8Error("task_is_running", { id });
  if (place && !isThere(place.worktree)) {
    const problem = message("worktree_gone", { path: place.worktree });
    throw new E8Error("rollback_failed", { problem });
  }
}

/**
 * How many tasks had snapshots, how many copies of repositories nothing had used, and how many snapshots were kept, because the files from
 * before a rollback or fork may be nowhere else.
 */
export interface Cleaned {
  tasks: number;
  copies: number;
  kept: number;
}

/** Removes the snapshots of tasks that do not run, but not the way back from a rollback or fork; the clean room, and the machine's copies of repositories that nothing uses. */
export async function cleanSnapshots(project: string): Promise<Cleaned> {
  const ended = (await readableTasks(absolute(project))).filter(
    ({ status }) => status !== "running" && status !== "paused",
  );
  await storeOf(absolute(project)).sweep();
  let [tasks, kept] = [0, 0];
  for (const { task } of ended) {
    const forgotten = await forgetSnapshots({ project, id: task.task_id }, { keeps_way_back: true });
    if (forgotten.removed > 0) tasks += 1;
    kept += forgotten.kept;
  }
  return { tasks, copies: await removeUnused(process.env), kept };
}

/** Removes one task's snapshots, here and where its machines share them. */
export async function forgetSnapshots(
  choice: SnapshotChoice,
  options: { keeps_way_back: boolean },
): Promise<Forgotten> {
  const { past, workspace } = await keptTask(choice);
  const { repository, start, task_id: id } = past.task;
  if (start === undefined) return { removed: 0, kept: 0 };
  await workspace.removeRoom();
  const { removed, kept } = await workspace.forget(options);
  return { removed: repository ? Math.max(removed, await forgetRemotely(repository, id)) : removed, kept };
}

export async function keptTask({ project: directory, id }: SnapshotChoice) {
  const project = absolute(directory);
  const past = await storeOf(project).past(await findTask(project, id));
  return { past, workspace: workspaceOf(past) };
}

function workspaceOf({ task, folder }: Pick<TaskPast, "task" | "folder">): Workspace {
  const kept = { folder, task: task.task_id };
  const { project, place, configuration } = task;
  if (!place) return createWorkspace(configuration.working_directory, { project, kept });
  // The snapshots are in the repository, which the checkout shares with the worktree.
  const directory = isThere(place.worktree) ? configuration.working_directory : project;
  return createWorkspace(directory, { project: directory, kept });
}

function readRange(range: string | undefined, last: number): { from: number; to: number } {
  const [, single, from, to] = /^(?:(\d+)|(\d*)\.\.(\d*))$/.exec(range ?? "..") ?? [];
  if (single !== undefined) return { from: Math.max(0, Number(single) - 1), to: Number(single) };
  if (from === undefined || to === undefined) throw new E8Error("range_invalid", { range: range ?? "" });
  return { from: Number(from), to: to === "" ? last : Number(to) };
}

/** 0 is the start of the task. */
export function commitAt({ task, records }: TaskPast, iteration: number): string {
  const summary = records.findLast((record) => record.type === "summary" && record.iteration === iteration);
  const found = iteration === 0 ? task.start : summary?.type === "summary" ? summary.snapshot : undefined;
  if (found === undefined) throw new E8Error("snapshot_missing", { id: task.task_id, iteration });
  return found;
}
