import { cancelTask, findTask, onlyRunning } from "../../compose/tasks.ts";
import type { CliContext } from "../output.ts";

/** Without an id, the only running task is meant. */
export async function cancelCommand(
  given: string | undefined,
  { project }: { project: string },
  { texts, output }: CliContext,
): Promise<void> {
  const id =
    given === undefined ? await onlyRunning(project, ["running", "paused", "queued"]) : await findTask(project, given);
  const hasStopped = await cancelTask(project, id);
  output.result(hasStopped ? texts.cancelled(id) : texts.cancelPending(id));
}
