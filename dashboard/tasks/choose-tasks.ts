import type { TaskRow } from "../../src/model/dashboard.ts";

export const GROUPS = ["all", "running", "waiting", "done", "ended"] as const;
export type Group = (typeof GROUPS)[number];
export const ORDERS = ["active", "created", "cost", "iterations"] as const;
export type Order = (typeof ORDERS)[number];

export interface Wanted {
  group: Group;
  search: string;
  project: string;
  order: Order;
}

export function groupOf({ status }: TaskRow): Group {
  if (status === "running" || status === "queued") return "running";
  if (status === "completed") return "done";
  if (status === "paused" || status === "clarification_needed") return "waiting";
  return "ended";
}

const compared: Record<Order, (left: TaskRow, right: TaskRow) => number> = {
  active: (left, right) => right.last_active.localeCompare(left.last_active),
  created: (left, right) => right.created_at.localeCompare(left.created_at),
  cost: (left, right) => right.spent.cost_usd - left.spent.cost_usd,
  iterations: (left, right) => right.iterations - left.iterations,
};

export function matching(tasks: readonly TaskRow[], { search, project }: Wanted): TaskRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return tasks.filter((row) => {
    const text = `${row.title} ${row.task_id} ${row.agent ?? ""} ${row.issue ? `#${row.issue}` : ""}`.toLowerCase();
    return (project === "" || row.project === project) && words.every((word) => text.includes(word));
  });
}

/** What runs stands first where the latest are asked for. */
export function ordered(tasks: readonly TaskRow[], order: Order): TaskRow[] {
  const isUp = ({ status }: TaskRow) => (order === "active" && status === "running" ? 1 : 0);
  return tasks.toSorted((left, right) => isUp(right) - isUp(left) || compared[order](left, right));
}
