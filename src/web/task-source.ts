import { eventsOf, readPast } from "../compose/looking-back.ts";
import { iterationTotals } from "../compose/snapshots.ts";
import type { TaskRow, TaskView } from "../model/dashboard.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import { fleetOf } from "./fleet.ts";
import type { Wording } from "./options.ts";
import type { Past } from "./parts.ts";
import { taskRow } from "./views/task-row.ts";
import { taskView } from "./views/task-view.ts";
import { SPAN_TYPES } from "./views/timeline.ts";

interface Asked {
  directory: string;
  id: string;
  /** As the list has it; a task that the list does not know yet is read as it is stored. */
  row: TaskRow | undefined;
  project: string;
}

/** Reads all that a run's page shows when it opens. */
export async function readTaskView(
  { directory, id, row, project }: Asked,
  wording: Wording,
  texts: Texts,
): Promise<TaskView> {
  const events: EventEnvelope[] = [];
  // Before the records: what happens meanwhile is shown twice rather than never.
  for await (const envelope of eventsOf(directory, id, { types: SPAN_TYPES })) events.push(envelope);
  const past = await readPast(directory, id);
  const [totals, definition, fleet] = await Promise.all([
    iterationTotals(past).catch(() => ({})),
    definitionOf(directory, past),
    fleetOf({ directory, id }).catch(() => undefined),
  ]);
  const own = taskRow(past, { project, language: texts.language, issues: issueOf(past) });
  const live = own.status === "running" && row?.doing ? { doing: row.doing } : {};
  const parts = { row: { ...own, ...live }, past, definition, next: wording.next(past, texts), totals, events };
  return { ...taskView(parts, texts), ...(fleet && { is_of_fleet: true }) };
}

function issueOf({ task }: Past): ReadonlyMap<string, number> {
  return new Map(task.issue ? [[task.task_id, task.issue.number]] : []);
}

/** Undefined where a task is no flow, or its definition cannot be read any more. */
async function definitionOf(directory: string, { task: { flow } }: Past) {
  if (!flow) return undefined;
  const { checkDefinition } = await import("../compose/definitions.ts");
  const checked = await checkDefinition(directory, flow.directory).catch(() => undefined);
  return checked?.definition;
}
