import type { BacklogEvent } from "../../model/backlog.ts";
import type { Phase, RunEvent } from "../../model/events.ts";
import type { Usage } from "../../model/usage.ts";

/** One run of the backlog, as its line shows it. */
export interface BacklogLine {
  issue: number;
  title: string;
  /** Of the workflow. */
  phase?: string | undefined;
  doing?: Phase | undefined;
  iteration: number;
  met: number;
  criteria: number;
  tokens: number;
  cost_usd: number;
  unknown?: Usage["unknown"];
  /** When it asks its model again. */
  waits_until?: number | undefined;
}

export type BacklogLines = ReadonlyMap<number, BacklogLine>;

/** What is running after an event. */
export function linesAfter(lines: BacklogLines, event: BacklogEvent): BacklogLines {
  if (event.type === "idle" || event.type === "effect") return lines;
  const next = new Map(lines);
  const { issue } = event;
  if (event.type === "turn-start") {
    const { title, phase } = event;
    const nothing = { iteration: 0, met: 0, criteria: 0, tokens: 0, cost_usd: 0 };
    next.set(issue, { issue, title, ...(phase !== undefined && { phase }), ...nothing });
  }
  const line = next.get(issue);
  if (event.type === "run" && line) next.set(issue, { ...line, ...changeBy(event.envelope.event) });
  if (event.type === "turn-end" || event.type === "parked") next.delete(issue);
  return next;
}

function changeBy(event: RunEvent): Partial<BacklogLine> {
  switch (event.type) {
    case "run-start":
      return { criteria: event.criteria.length };
    case "iteration-start":
      return { iteration: event.iteration };
    case "phase-start":
      return { doing: event.phase, waits_until: undefined };
    case "waiting":
      return { waits_until: event.until };
    case "spent": {
      const { tokens, cost_usd, unknown } = event.total;
      return { tokens, cost_usd, ...(unknown && { unknown }) };
    }
    case "judgment": {
      const { evaluations } = event.judgment;
      return { met: evaluations.filter(({ is_met }) => is_met).length, criteria: evaluations.length };
    }
    default:
      return {};
  }
}
