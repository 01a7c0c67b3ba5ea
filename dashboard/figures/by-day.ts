import type { TaskRow } from "../../src/model/dashboard.ts";

export interface Day {
  day: string;
  cost: number;
  tokens: number;
  /** Percent of the tasks of that day that ended; `null` where none did. */
  rate: number | null;
}

const ALIVE = new Set<TaskRow["status"]>(["queued", "running", "paused", "interrupted", "clarification_needed"]);

/** By the day on which a task began, the first day first. */
export function byDay(tasks: readonly TaskRow[]): Day[] {
  const days = Map.groupBy(tasks, ({ created_at }) => created_at.slice(0, 10));
  return [...days]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([day, rows]) => {
      const ended = rows.filter(({ status }) => !ALIVE.has(status));
      const completed = ended.filter(({ status }) => status === "completed").length;
      return {
        day,
        cost: rows.reduce((sum, { spent }) => sum + spent.cost_usd, 0),
        tokens: rows.reduce((sum, { spent }) => sum + spent.tokens, 0),
        rate: ended.length > 0 ? (completed / ended.length) * 100 : null,
      };
    });
}
