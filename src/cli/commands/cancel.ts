import { cancelTask } from "../../compose/tasks.ts";
import type { Surroundings } from "../surroundings.ts";

export async function cancelCommand(
  id: string,
  { project }: { project: string },
  { texts, output }: Surroundings,
): Promise<void> {
  const hasStopped = await cancelTask(project, id);
  output.result(hasStopped ? texts.cancelled(id) : texts.cancelPending(id));
}
