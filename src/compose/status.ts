import { absolute } from "../connection/files.ts";
import type { TaskStatus } from "../connection/ports/task-store.ts";
import { readQueue } from "../connection/stores/files/backlog-queue.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { Statement } from "../model/message.ts";
import type { TaskId } from "../model/task.ts";
import type { Usage } from "../model/usage.ts";
import { foldQueue, type KnownItem, openTurn } from "../orchestrator/queue.ts";
import { readableTasks, storeOf } from "./store.ts";

/** `to_merge`: others merge into its base first. `queued`: its issue was begun, and nothing runs for it now. */
export type Doing = "running" | "waiting" | "to_merge" | "merging" | "paused" | "queued" | "parked";

export interface StandingTask {
  task_id?: TaskId;
  issue?: number;
  title: string;
  doing: Doing;
  iterations: number;
  met: number;
  criteria: number;
  tokens: number;
  cost_usd: number;
  unknown?: Usage["unknown"];
  /** When a run that waits asks again. */
  until?: number;
  problem?: Statement;
}

/** What runs, waits, merges or is blocked, over all tasks of a project. */
export async function standingOf(directory: string): Promise<StandingTask[]> {
  const project = absolute(directory);
  const items = await queueOf(project);
  const issues = issuesIn(items);
  const running = await runningTasks(project, issues);
  const shown = new Set(running.map(({ task_id }) => task_id));
  return [...running, ...[...items].flatMap(([issue, item]) => restingItem(issue, item, shown))];
}

export type BacklogItems = ReadonlyMap<number, KnownItem>;

/** What the project's backlog knows of its issues. */
export async function queueOf(directory: string): Promise<BacklogItems> {
  const items = new Map<number, KnownItem>();
  for await (const record of readQueue(absolute(directory))) foldQueue(items, record);
  return items;
}

/** The issue of each task of a backlog. */
export function issuesIn(items: BacklogItems): Map<TaskId, number> {
  return new Map([...items].flatMap(([issue, item]) => item.turns.map((turn) => [turn.task_id, issue] as const)));
}

async function runningTasks(project: string, issues: ReadonlyMap<TaskId, number>): Promise<StandingTask[]> {
  const active = (await readableTasks(project)).filter(({ status }) => status === "running" || status === "paused");
  return Promise.all(
    active.map(async ({ task, status, iterations, criteria_met, spent }) => {
      const issue = issues.get(task.task_id);
      return {
        task_id: task.task_id,
        ...(issue !== undefined && { issue }),
        title: task.configuration.task,
        ...(await doingOf(project, task.task_id, status)),
        iterations,
        met: criteria_met,
        criteria: task.configuration.criteria.length,
        tokens: spent.tokens,
        cost_usd: spent.cost_usd,
        ...(spent.unknown && { unknown: spent.unknown }),
      };
    }),
  );
}

async function doingOf(
  project: string,
  id: TaskId,
  status: TaskStatus,
): Promise<Pick<StandingTask, "doing" | "until">> {
  if (status === "paused") return { doing: "paused" };
  let last: EventEnvelope["event"] | undefined;
  for await (const { event } of storeOf(project).events(id))
    if (event.type === "phase-start" || event.type === "waiting") last = event;
  if (last?.type === "waiting") return { doing: "waiting", until: last.until };
  const phase = last?.type === "phase-start" ? last.phase : undefined;
  return { doing: phase === "queue" ? "to_merge" : phase === "land" ? "merging" : "running" };
}

const NOTHING = { iterations: 0, met: 0, criteria: 0, tokens: 0, cost_usd: 0 };

/** Issues that were begun and for which nothing runs. */
function restingItem(issue: number, item: KnownItem, running: ReadonlySet<TaskId | undefined>): StandingTask[] {
  const turn = item.turns.at(-1);
  const named = { issue, title: item.title, ...(turn && { task_id: turn.task_id }), ...NOTHING };
  if (item.parked !== undefined) return [{ ...named, doing: "parked", problem: item.parked }];
  return openTurn(item) && !running.has(turn?.task_id) ? [{ ...named, doing: "queued" }] : [];
}
