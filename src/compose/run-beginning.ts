import type { OpenTask } from "../connection/ports/open-task.ts";
import { endOrphans } from "../connection/processes/process-tree.ts";
import type { Recovery } from "../execution/state.ts";
import type { RunEvent } from "../model/events.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import { notice } from "../model/notices.ts";
import type { Usage } from "../model/usage.ts";

/** What the records say about earlier runs. */
export interface Past extends Recovery {
  spent: Usage;
}

export function runStart({ task, location }: OpenTask, { state, spent }: Past): RunEvent {
  const { task_id, configuration } = task;
  return {
    type: "run-start",
    task_id,
    directory: location,
    task: configuration.task,
    criteria: configuration.criteria,
    resumed_after: state.iterations,
    ...(state.worker !== null && { worker: state.worker }),
    max_iterations: configuration.max_iterations,
    budget: configuration.budget,
    spent,
    evaluations: state.judgment?.evaluations ?? [],
  };
}

/** Reports what happened between two runs. We hold the lock, so processes with the task's mark were left by a killed run. */
export async function* meanwhile({ task, token }: OpenTask, { unconfirmed }: Past): AsyncGenerator<RunEvent, void> {
  const { script, flow } = task;
  if (unconfirmed !== undefined) yield { type: "notice", notice: notice("judged_again", { iteration: unconfirmed }) };
  if (script !== undefined) yield { type: "notice", notice: notice("played_again", { script }) };
  if (flow) yield* (await import("./flow-events.ts")).definitionChanges(flow);
  const count = await endOrphans(token);
  if (count > 0) yield { type: "notice", notice: notice("orphans_ended", { count }) };
}

/** Loads a flow's definition, unless that was done already. A resumed run reads it again, and so uses its corrections. */
export async function definitionOf(
  { task: { flow } }: OpenTask,
  loaded: FlowDefinition | undefined,
): Promise<FlowDefinition | undefined> {
  if (!flow || loaded) return loaded;
  return (await import("./definitions.ts")).loadDefinition(flow.directory);
}
