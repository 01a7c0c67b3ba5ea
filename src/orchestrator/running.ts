import type { RunEvent } from "../model/events.ts";
import type { TaskId } from "../model/task.ts";

/** A run of the backlog. */
export interface Running {
  task_id?: TaskId;
  /** Its place is free for another one: it merges, or waits for its model. */
  is_aside: boolean;
  cost_usd: number;
  tokens: number;
}

/** Keeps what a run has spent, and whether it works or stands aside. */
export function follow(running: Running, event: RunEvent): void {
  if (event.type === "spent") Object.assign(running, { cost_usd: event.total.cost_usd, tokens: event.total.tokens });
  if (event.type === "waiting") running.is_aside = true;
  if (event.type === "phase-start") running.is_aside = ["queue", "land"].includes(event.phase);
}
