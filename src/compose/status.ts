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
  /** Of one that merges, or stands in line to: the branch that its work lands on, and since when it has done so. */
  base?: string;
  since?: string;
  problem?: Statement;
}

/** What runs, waits, merges or is blocked, over all tasks of a project. */
export async function standingOf(directory: string): Promise<StandingTask[]> {
  const project = absolute(directory);
  const items = await queueOf(project);
  const issues = issuesIn(items);
  const tasks = await readableTasks(project);
  const running = await runningTasks(project, tasks, issues);
  const shown = new Set(running.map(({ task_id }) => task_id));
  const there = new Set(tasks.map(({ task }) => task.task_id)); // one that could not begin was removed again
  const resting = [...items].flatMap(([issue, item]) => restingItem(issue, item, shown));
  return [
    ...running,
    ...resting.map(({ task_id, ...rest }) => (task_id && there.has(task_id) ? { ...rest, task_id } : rest)),
  ];
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

async function runningTasks(
  project: string,
  tasks: Awaited<ReturnType<typeof readableTasks>>,
  issues: ReadonlyMap<TaskId, number>,
): Promise<StandingTask[]> {
  const active = tasks.filter(({ status }) => status === "running" || status === "paused");
  return Promise.all(
    active.map(async ({ task, status, iterations, criteria_met, spent }) => {
      const issue = issues.get(task.task_id);
      return {
        task_id: task.task_id,
        ...(issue !== undefined && { issue }),
        title: task.configuration.task,
        ...(await withBase(project, task.task_id, await doingOf(project, task.task_id, status))),
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
): Promise<Pick<StandingTask, "doing" | "until" | "since">> {
  if (status === "paused") return { doing: "paused" };
  let last: EventEnvelope | undefined;
  for await (const envelope of storeOf(project).events(id, { types: ["phase-start", "waiting"] })) last = envelope;
  if (last?.event.type === "waiting") return { doing: "waiting", until: last.event.until };
  const phase = last?.event.type === "phase-start" ? last.event.phase : undefined;
  if (!last || (phase !== "queue" && phase !== "land")) return { doing: "running" };
  return { doing: phase === "queue" ? "to_merge" : "merging", since: last.at };
}

async function withBase<S extends Pick<StandingTask, "since">>(project: string, id: TaskId, standing: S) {
  if (standing.since === undefined) return standing;
  const { place } = await storeOf(project).read(id);
  return { ...standing, ...(place && { base: place.base }) };
}

const NOTHING = { iterations: 0, met: 0, criteria: 0, tokens: 0, cost_usd: 0 };

/** Issues that were begun and for which nothing runs. */
function restingItem(issue: number, item: KnownItem, running: ReadonlySet<TaskId | undefined>): StandingTask[] {
  const turn = item.turns.at(-1);
  const named = { issue, title: item.title, ...(turn && { task_id: turn.task_id }), ...NOTHING };
  if (item.parked !== undefined) return [{ ...named, doing: "parked", problem: item.parked }];
  return openTurn(item) && !running.has(turn?.task_id) ? [{ ...named, doing: "queued" }] : [];
}
