import type { RunEvent } from "../model/events.ts";
import type { TaskId } from "../model/task.ts";

/** A run of the backlog. */
export interface Running {
  task_id?: TaskId;
  /** Its place is free for another one where it does not work: it stands in the line before its base, or waits for its model. */
  stands: "at-work" | "in-line" | "waiting";
  cost_usd: number;
  tokens: number;
}

/** Keeps what a run has spent, and where it stands. */
export function follow(running: Running, event: RunEvent): void {
  if (event.type === "spent") Object.assign(running, { cost_usd: event.total.cost_usd, tokens: event.total.tokens });
  if (event.type === "waiting") running.stands = "waiting";
  if (event.type === "phase-start") running.stands = isInLine(event) ? "in-line" : "at-work";
}

function isInLine({ phase }: Extract<RunEvent, { type: "phase-start" }>): boolean {
  return phase === "queue" || phase === "land";
}

/**
 * Whether another run may begin. Where the line is long, it is what everything waits for: work that is begun now would only grow old in it,
 * on a base that moves on.
 */
export function hasRoom(runs: Iterable<Running>, parallel: number): boolean {
  const standing = [...runs].map(({ stands }) => stands);
  const count = (where: Running["stands"]) => standing.filter((one) => one === where).length;
  return count("at-work") < parallel && count("at-work") + count("in-line") < 2 * parallel;
}
