import { loadModule } from "../connection/modules.ts";
import { createTracker } from "../connection/trackers/create-tracker.ts";
import { withAgentStates } from "../execution/flow/agent-states.ts";
import { flowCourse } from "../execution/flow/flow-course.ts";
import type { FlowRun } from "../execution/flow/flow-run.ts";
import { run } from "../execution/run.ts";
import type { RunContext } from "../execution/run-context.ts";
import type { Environment } from "../model/environment.ts";
import type { RunEvent } from "../model/events.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import type { LoopResult } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import type { Task } from "../model/task.ts";
import { definitionFiles, tellingOfChanges } from "./definition-changes.ts";
import { loadDefinition } from "./definitions.ts";
import { requireAgents } from "./require-agents.ts";

export interface AgentTask {
  agent: NonNullable<Task["agent"]> & { loaded?: FlowDefinition | undefined };
  project: string;
  environment: Environment;
}

/** Runs a task that is an agent made of steps. */
export async function flowEvents(
  context: RunContext,
  task: AgentTask,
  state: RunState,
): Promise<AsyncGenerator<RunEvent, LoopResult>> {
  const flow = await flowRunOf(task);
  const { project, environment } = task;
  await requireAgents({ configuration: context.configuration, project, environment }, flow.definition);
  const { name, directory, loaded, files } = task.agent;
  const now = loaded ? files : await definitionFiles(directory);
  return tellingOfChanges(withAgentStates(run(flowCourse(context, flow), context, state)), {
    name,
    directory,
    files: now,
  });
}

/** The agent of a task. On resume it is read anew: after its definition was mended, the run goes on with the mended one. */
async function flowRunOf({ agent, project, environment }: AgentTask): Promise<FlowRun> {
  const { directory, parameters, stdin, loaded } = agent;
  const definition = loaded ?? (await loadDefinition(directory));
  return { definition, parameters, stdin, tracker: await createTracker({ project, environment }), loadModule };
}
