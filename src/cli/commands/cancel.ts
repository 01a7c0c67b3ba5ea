import { cancelTask } from "../../compose/tasks.ts";
import type { CliContext } from "../output.ts";

export async function cancelCommand(
  id: string,
  { project }: { project: string },
  { texts, output }: CliContext,
): Promise<void> {
  const hasStopped = await cancelTask(project, id);
  output.result(hasStopped ? texts.cancelled(id) : texts.cancelPending(id));
}
