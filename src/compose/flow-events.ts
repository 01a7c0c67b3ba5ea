import { loadModule } from "../connection/flows/modules.ts";
import { createTracker } from "../connection/trackers/create-tracker.ts";
import { digestsOf } from "../connection/workspace/digests.ts";
import { flowCourse, withAgentStates } from "../execution/flow/flow-course.ts";
import { run } from "../execution/run.ts";
import type { RunContext } from "../execution/run-context.ts";
import { type Digests, differencesBetween } from "../model/digests.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import { notice } from "../model/notices.ts";
import type { LoopResult } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import type { Task } from "../model/task.ts";
import { requireAgents } from "./requirements.ts";
import { requireBound } from "./step-agents.ts";

interface FlowTask {
  flow: NonNullable<Task["flow"]>;
  definition: FlowDefinition;
  is_new: boolean;
  project: string;
  environment: Environment;
}

/** Runs a task that is a flow. */
export async function flowEvents(
  context: RunContext,
  { flow, definition, is_new, project, environment }: FlowTask,
  state: RunState,
): Promise<AsyncGenerator<RunEvent, LoopResult>> {
  const { name, directory, parameters, stdin } = flow;
  const tracker = await createTracker({ project, environment });
  await requireAgents({ configuration: context.configuration, project, environment }, definition);
  requireBound(context.configuration, definition, context.sandbox);
  const files = is_new ? flow.files : await definitionFiles(directory);
  const course = flowCourse(context, { definition, parameters, stdin, tracker, loadModule });
  return tellingOfChanges(withAgentStates(run(course, context, state)), { name, directory, files });
}

/** Digests of a flow's files; undefined when there are too many to store with a task. */
export async function definitionFiles(directory: string): Promise<Digests | undefined> {
  try {
    return await digestsOf(directory, ["**"]);
  } catch (error) {
    if (error instanceof E8Error) return undefined;
    throw error;
  }
}

/** A resumed run reads its definition again, because users correct them. A worker may have made its conditions easier: the user is told. */
export async function* definitionChanges({ name, directory, files }: TaskFlow): AsyncGenerator<RunEvent, void> {
  const changed = await changedFiles(directory, files);
  if (changed) yield { type: "notice", notice: notice("definition_changed", { name, files: changed }) };
}

/** Announces before the end of a run which files changed during it: the next run of any task uses them. */
export function tellingOfChanges(
  events: AsyncGenerator<RunEvent, LoopResult>,
  { name, directory, files }: TaskFlow,
): AsyncGenerator<RunEvent, LoopResult> {
  return through(events, async function* (event): AsyncGenerator<RunEvent> {
    const changed = event.type === "run-end" && (await changedFiles(directory, files).catch(() => undefined));
    if (changed) yield { type: "notice", notice: notice("definition_changed_during", { name, files: changed }) };
    yield event;
  });
}

type TaskFlow = Pick<NonNullable<Task["flow"]>, "name" | "directory" | "files">;

async function changedFiles(directory: string, before: Digests | undefined): Promise<string | undefined> {
  const now = before && (await definitionFiles(directory));
  const differences = now ? differencesBetween(before, now) : [];
  if (differences.length === 0) return undefined;
  return [...differences.slice(0, MOST_NAMED), ...(differences.length > MOST_NAMED ? ["…"] : [])].join(", ");
}

const MOST_NAMED = 5;
