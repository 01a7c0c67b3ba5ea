import type { IterationRow, Readable, StreamedEvent, TaskView } from "../../src/model/dashboard.ts";
import type { RunEvent } from "../../src/model/events.ts";

type Happened = Readable<RunEvent>;

/** These bring records that only the server has put together. */
const RECORDED = new Set<Happened["type"]>([
  "run-start",
  "intake",
  "clarification",
  "summary",
  "judgment",
  "proof",
  "landing",
  "note",
  "effect",
  "worker-change",
  "pause",
  "run-end",
]);

export function changesTheView({ type }: Happened): boolean {
  return RECORDED.has(type);
}

/** The view with what the stream has told since: the page need not ask the server for each phase. Most events change nothing in it. */
export function applied(view: TaskView, events: readonly StreamedEvent[]): TaskView {
  let now = view;
  for (const { event, at } of events) {
    const changes = told(now, event, Date.parse(at));
    if (changes) now = Object.assign(now === view ? { ...view } : now, changes);
  }
  return now;
}

function told(view: TaskView, event: Happened, at: number): Partial<TaskView> | undefined {
  switch (event.type) {
    case "run-start":
      return { status: "running" };
    case "pause":
      return { status: event.is_paused ? "paused" : "running" };
    case "spent":
      return { spent: event.total };
    case "waiting":
      return { doing: { phase: "waiting", until: event.until } };
    case "iteration-start":
      return { iterations: event.iteration, timeline: withIteration(view.timeline, event.iteration, at) };
    case "phase-start":
      return { doing: { phase: event.phase }, timeline: withPhase(view.timeline, event, at) };
    case "run-end":
      return { status: event.result.status, timeline: ended(view.timeline, at) };
    default:
      return undefined;
  }
}

const NEW: Omit<IterationRow, "iteration" | "start"> = {
  phases: [],
  approach: "",
  reason: "",
  result: "",
  usage: { tokens: 0, cost_usd: 0, seconds: 0 },
  criteria_met: 0,
  is_complete: false,
  tools_used: [],
};

function withIteration(timeline: readonly IterationRow[], iteration: number, at: number): IterationRow[] {
  const before = ended(timeline, at);
  if (before.some((row) => row.iteration === iteration)) return before;
  return [...before, { ...NEW, iteration, start: at }];
}

function withPhase(
  timeline: readonly IterationRow[],
  { phase, iteration }: { phase: string; iteration: number },
  at: number,
): IterationRow[] {
  return timeline.map((row) =>
    row.iteration === iteration ? { ...row, phases: [...closed(row.phases, at), { phase, start: at }] } : row,
  );
}

function ended(timeline: readonly IterationRow[], at: number): IterationRow[] {
  return timeline.map((row) => (row.end === undefined ? { ...row, end: at, phases: closed(row.phases, at) } : row));
}

function closed(phases: IterationRow["phases"], at: number): IterationRow["phases"] {
  return phases.map((span) => (span.end === undefined ? { ...span, end: at } : span));
}
