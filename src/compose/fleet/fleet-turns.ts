import { systemClock } from "../../connection/clock.ts";
import type { TurnResult, TurnWorker } from "../../connection/ports/backlog.ts";
import { isOpen } from "../../connection/stores/postgres/submissions.ts";
import type { EventEnvelope } from "../../model/events.ts";
import { LoopResult } from "../../model/records.ts";
import type { TaskId } from "../../model/task.ts";
import type { DatabaseStore } from "../store.ts";
import { giveToFleet } from "./submit.ts";

/** What turns of a backlog are given to workers with. */
export interface FleetTurns {
  labels: readonly string[];
}

/** Gives turns to the fleet and follows them. Those that run when it is left go on; they are followed again when it is taken up. */
export function fleetCarrier(found: DatabaseStore, { labels }: FleetTurns): TurnWorker["carry"] {
  const { store, part } = found;
  return async function* (id, turn, { resumed, signal }) {
    const before = await lastOf(store, id);
    const past = await store.past(id);
    const isUnseen = resumed && past.result !== undefined && past.result.status !== "cancelled";
    if (!isUnseen && !(await isOpen(part.database, id))) {
      const { repository } = past.task;
      await giveToFleet(found, id, { labels, repository, priority: turn.priority });
    }
    const said: Said = { result: isUnseen ? past.result : undefined, output: {} };
    if (!isUnseen) yield* followed(store.events(id, { follow: true, signal }), before, said);
    return { result: said.result ?? cancelled(id), output: said.output } satisfies TurnResult;
  };
}

interface Said {
  result: LoopResult | undefined;
  output: Readonly<Record<string, unknown>>;
}

/** The events after those that there were. */
async function* followed(
  events: AsyncGenerator<EventEnvelope>,
  before: number,
  said: Said,
): AsyncGenerator<EventEnvelope> {
  for await (const envelope of events) {
    const { event, seq } = envelope;
    if (seq <= before) continue;
    if (event.type === "run-end") said.result = event.result;
    if (event.type === "summary" && event.summary.flow) said.output = outputIn(event.summary.flow.output);
    yield envelope;
  }
}

function outputIn(output: unknown): Said["output"] {
  return typeof output === "object" && output !== null ? (output as Record<string, unknown>) : {};
}

async function lastOf(store: DatabaseStore["store"], id: TaskId): Promise<number> {
  let last = 0;
  for await (const { seq } of store.events(id)) last = seq;
  return last;
}

/** Nobody works on it any more, and it has no ending: it was taken back, or we are leaving. */
function cancelled(id: TaskId): LoopResult {
  const status = { status: "cancelled", stop_reason: "cancelled", iterations_used: 0 };
  return LoopResult.parse({ type: "final_result", task_id: id, ...status, timestamp: systemClock.now().toISOString() });
}
