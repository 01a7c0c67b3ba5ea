import { loadModule } from "../connection/modules.ts";
import { createTracker } from "../connection/trackers/create-tracker.ts";
import type { FlowRun } from "../execution/flow/flow-run.ts";
import type { Task } from "../model/task.ts";
import { loadDefinition } from "./definitions.ts";

/** The agent of a task, read anew: resuming after its definition was mended goes on with the mended one. */
export async function flowRunOf(
  { directory, parameters, stdin }: NonNullable<Task["agent"]>,
  project: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FlowRun> {
  const definition = await loadDefinition(directory);
  return { definition, parameters, stdin, tracker: await createTracker({ project, environment }), loadModule };
}
