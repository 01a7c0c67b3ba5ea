import { systemClock } from "../connection/clock.ts";
import type { Clock } from "../connection/ports/clock.ts";
import { Alarm } from "../connection/stores/alarm.ts";
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

/** The events of a task after a number, and all to come, over all its runs, until the signal aborts. */
export async function* followTask(
  project: string,
  { id, after, signal }: { id: string; after: number; signal: AbortSignal },
): AsyncGenerator<EventEnvelope, void> {
  const store = storeOf(project);
  const alarm = new Alarm();
  const leave = store.watch((changed) => (changed === id ? alarm.ring() : undefined));
  try {
    for (let last = after; !signal.aborted; await alarm.wait(LOOK_MILLISECONDS, signal)) {
      for await (const envelope of store.events(id, { follow: true, after: last, signal })) {
        last = envelope.seq;
        yield envelope;
        if (signal.aborted) return;
      }
    }
  } finally {
    leave();
  }
}

/** Nothing is lost where a store's news are. */
const LOOK_MILLISECONDS = 5_000;

/** A replay shortens the nights that a run spent waiting. */
const LONGEST_PAUSE_MILLISECONDS = 60_000;

function pauseBetween(before: EventEnvelope, after: EventEnvelope): number {
  return Math.min(LONGEST_PAUSE_MILLISECONDS, Math.max(0, Date.parse(after.at) - Date.parse(before.at)));
}
