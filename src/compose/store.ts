import type { TaskStore } from "../connection/ports/task-store.ts";
import { fileStore } from "../connection/stores/files/file-store.ts";
import { E8Error } from "../model/errors.ts";
import type { TaskId } from "../model/task.ts";

/** Where the tasks of a project are kept. The one place that knows which store that is. */
export function storeOf(project: string): TaskStore {
  return fileStore(project);
}

/** The id of the task that was begun last. */
export async function latestTask(project: string): Promise<TaskId> {
  const latest = (await storeOf(project).list()).at(-1);
  if (latest === undefined) throw new E8Error("no_tasks", { directory: project });
  return latest;
}
