import type { TaskRow } from "../../model/dashboard.ts";
import type { EventEnvelope } from "../../model/events.ts";
import type { Language } from "../../model/language.ts";
import type { Task, TaskId } from "../../model/task.ts";
import type { Usage } from "../../model/usage.ts";
import { errorText } from "../../texts/sentences.ts";
import type { Overview, ReadableOverview } from "../parts.ts";

/** Where a list's row is shown, and what it knows besides the store's overview. */
export interface RowPlace {
  /** The project's key. */
  project: string;
  language: Language;
  issues: ReadonlyMap<TaskId, number>;
}

/** What a run does now, as its events tell. */
export interface LiveFacts {
  doing?: TaskRow["doing"] | undefined;
  iterations?: number;
  criteria_met?: number;
  spent?: Usage;
  last_active?: string;
}

export function taskRow(overview: Overview, place: RowPlace): TaskRow {
  const { project, issues, language } = place;
  if ("error" in overview) return { ...UNKNOWN, ...brokenRow(overview, language), project };
  const { task, status, iterations, criteria_met, spent, last_active } = overview;
  const { criteria, max_iterations } = task.configuration;
  const issue = issues.get(task.task_id);
  return {
    project,
    task_id: task.task_id,
    title: titleOf(overview),
    status,
    iterations,
    max_iterations,
    criteria: criteria.length,
    criteria_met,
    spent,
    created_at: task.created_at,
    last_active,
    ...(task.flow && { agent: task.flow.name }),
    ...(issue !== undefined && { issue }),
  };
}

/** With what the events of its run have told since. */
export function withLive(row: TaskRow, live: LiveFacts = {}): TaskRow {
  if (row.status !== "running") return row;
  return { ...row, ...Object.fromEntries(Object.entries(live).filter(([, value]) => value !== undefined)) };
}

const UNKNOWN = {
  iterations: 0,
  max_iterations: 0,
  criteria: 0,
  criteria_met: 0,
  spent: { tokens: 0, cost_usd: 0, seconds: 0 },
};

type Broken = Extract<Overview, { error: unknown }>;

function brokenRow({ task_id, error }: Broken, language: Language) {
  const problem = errorText(error, language).message;
  const [day = "", time = ""] = task_id.split("T");
  const created_at = `${day}T${time.slice(0, 8).replaceAll("-", ":")}.000Z`;
  return { task_id, title: task_id, status: "unreadable" as const, problem, created_at, last_active: created_at };
}

const LONGEST_TITLE = 200;

/** The first line of the task; for a flow, its name stands before it. */
export function titleOf({
  task,
}: Pick<ReadableOverview, "task"> | { task: Pick<Task, "configuration" | "flow"> }): string {
  const { flow, configuration } = task;
  const [line = ""] = configuration.task.trim().split("\n");
  const named = flow && !line.startsWith(`${flow.name}:`) ? `${flow.name}: ${line}` : line;
  return named.length > LONGEST_TITLE ? `${named.slice(0, LONGEST_TITLE)}…` : named;
}

/** The events that `liveFacts` folds. */
export const LIVE_TYPES = [
  "run-start",
  "iteration-start",
  "phase-start",
  "waiting",
  "pause",
  "judgment",
  "summary",
  "spent",
  "run-end",
] as const satisfies EventEnvelope["event"]["type"][];

/** What a list shows of a run after one more of its events. */
export function liveFacts(before: LiveFacts, { event, at }: EventEnvelope): LiveFacts {
  const now = { ...before, last_active: at };
  switch (event.type) {
    case "run-start":
      return { ...now, spent: event.spent, iterations: event.resumed_after, doing: undefined };
    case "phase-start":
      return { ...now, doing: { phase: event.phase } };
    case "waiting":
      return { ...now, doing: { phase: "waiting", until: event.until } };
    case "summary":
      return { ...now, iterations: event.summary.iteration };
    case "judgment":
      return { ...now, criteria_met: event.judgment.evaluations.filter(({ is_met }) => is_met).length };
    case "spent":
      return { ...now, spent: event.total };
    case "run-end":
      return {};
    default:
      return now;
  }
}
