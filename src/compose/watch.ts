import { systemClock } from "../connection/clock.ts";
import type { Clock } from "../connection/ports/clock.ts";
import { E8Error } from "../model/errors.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { LoopResult } from "../model/records.ts";
import { findTask, storeOf } from "./store.ts";

export interface WatchRequest {
  project: string;
  /** As `findTask` takes it. */
  id?: string | undefined;
  /** Replays a finished run with its own pauses, so many times faster; at once where absent. */
  speed?: number | undefined;
}

/**
 * The events of a task: what is stored, then what comes while another process runs it. Returns the result of the run that
 * was watched; undefined when it was cut off. Never touches the run.
 */
export async function* watchTask(
  { project, id, speed }: WatchRequest,
  { signal = AbortSignal.any([]), clock = systemClock }: { signal?: AbortSignal; clock?: Clock } = {},
): AsyncGenerator<EventEnvelope, LoopResult | undefined> {
  const store = storeOf(project);
  const watched = await findTask(project, id);
  const isLive = (await store.holder(watched)) !== undefined;
  let last: EventEnvelope | undefined;
  let result: LoopResult | undefined;
  for await (const envelope of store.events(watched, { follow: true, signal })) {
    if (speed !== undefined && !isLive && last) await clock.sleep(pauseBetween(last, envelope) / speed, signal);
    if (signal.aborted) return undefined;
    last = envelope;
    if (envelope.event.type === "run-start") result = undefined;
    if (envelope.event.type === "run-end") result = envelope.event.result;
    yield envelope;
  }
  if (!last && signal.aborted) return undefined;
  if (!last) throw new E8Error("events_missing", { id: watched });
  return result;
}

/** A replay shortens the nights that a run spent waiting. */
const LONGEST_PAUSE_MILLISECONDS = 60_000;

function pauseBetween(before: EventEnvelope, after: EventEnvelope): number {
  return Math.min(LONGEST_PAUSE_MILLISECONDS, Math.max(0, Date.parse(after.at) - Date.parse(before.at)));
}
