import { databaseOf } from "../compose/store.ts";
import type { TaskId } from "../model/task.ts";

/** What gives a task to its fleet again, wherever the project's files are. Undefined where no fleet works on it. */
export async function fleetOf({ directory, id }: { directory: string; id: TaskId }) {
  if (!databaseOf(directory)) return undefined;
  const { isOfFleet, submitAgain } = await import("../compose/fleet/submit.ts");
  return (await isOfFleet(directory, id)) ? { again: () => submitAgain(directory, id, {}) } : undefined;
}
