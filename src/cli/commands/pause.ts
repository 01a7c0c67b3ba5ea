import { pauseTask } from "../../compose/steering.ts";
import type { CliContext } from "../output.ts";

export async function pauseCommand(
  id: string | undefined,
  { project }: { project: string },
  { texts: { steering }, output }: CliContext,
): Promise<void> {
  const paused = await pauseTask({ project, id });
  output.result(paused.isDone ? steering.paused(paused.id) : steering.pausePending(paused.id));
}
