import { loadModule } from "../connection/modules.ts";
import { createTracker } from "../connection/trackers/create-tracker.ts";
import type { FlowRun } from "../execution/flow/flow-run.ts";
import type { AgentDefinition } from "../model/definition/agent-definition.ts";
import type { Task } from "../model/task.ts";
import { loadDefinition } from "./definitions.ts";

/** The agent of a task. On resume it is read anew: after its definition was mended, the run goes on with the mended one. */
export async function flowRunOf(
  { directory, parameters, stdin, loaded }: NonNullable<Task["agent"]> & { loaded?: AgentDefinition | undefined },
  project: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FlowRun> {
  const definition = loaded ?? (await loadDefinition(directory));
  return { definition, parameters, stdin, tracker: await createTracker({ project, environment }), loadModule };
}
