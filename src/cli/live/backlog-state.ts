import type { BacklogEvent } from "../../model/backlog.ts";
import { changeBy, NOT_BEGUN, type RunLine } from "./lines-screen.ts";

/** One run of the backlog, as its line shows it. */
export interface BacklogLine extends RunLine {
  issue: number;
  title: string;
  /** Of the workflow. */
  phase?: string | undefined;
}

export type BacklogLines = ReadonlyMap<number, BacklogLine>;

/** What is running after an event. */
export function linesAfter(lines: BacklogLines, event: BacklogEvent): BacklogLines {
  if (event.type === "idle" || event.type === "effect") return lines;
  const next = new Map(lines);
  const { issue } = event;
  if (event.type === "turn-start") {
    const { title, phase } = event;
    next.set(issue, { issue, title, ...(phase !== undefined && { phase }), ...NOT_BEGUN });
  }
  const line = next.get(issue);
  if (event.type === "run" && line) next.set(issue, { ...line, ...changeBy(event.envelope.event) });
  if (event.type === "turn-end" || event.type === "parked") next.delete(issue);
  return next;
}
