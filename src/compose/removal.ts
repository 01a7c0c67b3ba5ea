import type { TaskOverview } from "../connection/ports/task-store.ts";
import { E8Error } from "../model/errors.ts";
import type { LoopStatus } from "../model/records.ts";
import type { TaskId } from "../model/task.ts";
import { forgetSnapshots } from "./snapshots.ts";
import { findTask, storeOf } from "./store.ts";

/** A task that no run holds, and the bytes that removing it frees. */
export interface Removable {
  task_id: TaskId;
  bytes: number;
}

/** The tasks that a user names, each once. Throws where one of them is unknown or running: then none is removed. */
export async function tasksNamed(project: string, names: readonly string[]): Promise<Removable[]> {
  const store = storeOf(project);
  const ids = new Set<TaskId>();
  for (const name of names) ids.add(await findTask(project, name));
  for (const id of ids) {
    await store.size(id); // throws for an unknown task
    const holder = await store.holder(id).catch(() => undefined); // an unreadable task can be removed
    if (holder) throw new E8Error("task_locked", { id, ...holder });
  }
  return sized(project, [...ids]);
}

export interface PruneRequest {
  /** Tasks that were last active before this moment. */
  before: Date;
  /** Only tasks that ended so; all where empty. */
  statuses: readonly (LoopStatus | "interrupted")[];
}

/** The tasks that are no longer needed. Running, queued and unreadable ones are never among them. */
export async function tasksToPrune(project: string, { before, statuses }: PruneRequest): Promise<Removable[]> {
  const isOld = ({ status, last_active }: TaskOverview) =>
    status !== "running" &&
    status !== "paused" &&
    status !== "queued" &&
    (statuses.length === 0 || statuses.includes(status)) &&
    Date.parse(last_active) < before.getTime();
  const tasks = (await storeOf(project).overviews()).filter((one) => "task" in one);
  return sized(
    project,
    tasks.filter(isOld).map(({ task }) => task.task_id),
  );
}

/** Its snapshots go with it. Returns the URL of the repository that has kept them, because it could not be reached. */
export async function removeTask(project: string, id: TaskId): Promise<string | undefined> {
  const left = await forgetSnapshots({ project, id }, { keeps_way_back: false }).then(
    () => undefined,
    () =>
      storeOf(project)
        .read(id)
        .then(
          ({ repository }) => repository?.url,
          () => undefined,
        ), // a broken task has none that could be found
  );
  await storeOf(project).remove(id);
  return left;
}

function sized(project: string, ids: readonly TaskId[]): Promise<Removable[]> {
  return Promise.all(ids.map(async (task_id) => ({ task_id, bytes: await storeOf(project).size(task_id) })));
}
