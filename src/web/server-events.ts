import { setImmediate as turn } from "node:timers/promises";
import { type Redact, redacted } from "../model/redaction.ts";

/** One message of a stream of server-sent events. */
export interface ServerEvent {
  id?: number;
  event?: string;
  data: unknown;
}

const HEARTBEAT_MILLISECONDS = 15_000;
/** What comes at once goes out at once: a flood must not cost a write and a wake-up each. */
const MOST_AT_ONCE = 500;

/** A response that goes on until its reader or the server leaves. What a slow reader has not taken yet is not read either. */
export function eventStream(
  produce: (signal: AbortSignal) => AsyncGenerator<ServerEvent>,
  { closing, redact }: { closing: AbortSignal; redact: Redact },
): Response {
  const leaving = new AbortController();
  const signal = AbortSignal.any([closing, leaving.signal]);
  const chunks = batches(discreet(produce(signal), redact), signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const step = await chunks.next().catch(() => ({ done: true, value: undefined }) as const);
        if (step.done) controller.close();
        else controller.enqueue(encoder.encode(step.value));
      },
      cancel: () => leaving.abort(),
    },
    { highWaterMark: 0 },
  );
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  };
  return new Response(body, { headers });
}

async function* discreet(events: AsyncGenerator<ServerEvent>, redact: Redact): AsyncGenerator<ServerEvent> {
  for await (const event of events) yield { ...event, data: redacted(event.data, redact) };
}

/** How soon a page asks again after a lost connection. */
const RETRY = "retry: 1000\n\n";
/** An event of its own: a page is not told of comments, and would take a dead connection for a quiet one. */
const HERE = "event: here\ndata: 1\n\n";

async function* batches(events: AsyncGenerator<ServerEvent>, signal: AbortSignal): AsyncGenerator<string> {
  yield RETRY;
  let next = events.next();
  try {
    while (!signal.aborted) {
      const first = await orHeartbeat(next, signal);
      if (first === undefined) {
        if (!signal.aborted) yield HERE;
        continue;
      }
      if (first.done) return;
      const texts = [textOf(first.value)];
      next = events.next();
      for (let more = await ready(next); more && !more.done && texts.length < MOST_AT_ONCE; more = await ready(next)) {
        texts.push(textOf(more.value));
        next = events.next();
      }
      yield texts.join("");
    }
  } finally {
    await events.return(undefined);
  }
}

/** Undefined when it is time for a sign of life, or to leave. */
function orHeartbeat<T>(next: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      resolve(undefined);
    };
    const timer = setTimeout(leave, HEARTBEAT_MILLISECONDS).unref();
    signal.addEventListener("abort", leave, { once: true });
    next.then(resolve, reject).finally(leave);
  });
}

/** The next one if it is there already. */
async function ready<T>(next: Promise<T>): Promise<T | undefined> {
  return Promise.race([next, turn(undefined)]);
}

function textOf({ id, event, data }: ServerEvent): string {
  const lines = [...(id === undefined ? [] : [`id: ${id}`]), ...(event === undefined ? [] : [`event: ${event}`])];
  return [...lines, `data: ${JSON.stringify(data)}`, "", ""].join("\n");
}
