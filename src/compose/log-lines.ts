import type { RawLine, RawLogRequest, TaskStore } from "../connection/ports/task-store.ts";
import { E8Error } from "../model/errors.ts";
import type { EventEnvelope, Phase, RunEvent } from "../model/events.ts";
import type { Spender } from "../model/usage.ts";
import { storeOf } from "./store.ts";

/** What an agent said or did: a line of its raw stream, or a stored event. */
export type LogLine = RawLine | EventLine;

interface EventLine {
  iteration: number;
  role: Spender;
  envelope: EventEnvelope;
}

/** The raw logs of a task; where none were kept, its stored events as far as they are about agents. */
export async function* logLines({
  project,
  id,
  ...request
}: RawLogRequest & { project: string; id: string }): AsyncGenerator<LogLine> {
  const store = storeOf(project);
  const { configuration } = await store.read(id);
  if (!configuration.logging.raw_log) return yield* eventLines(store, id, request);
  try {
    yield* store.rawLog(id, request);
  } catch (error) {
    if (!(error instanceof E8Error && NOT_KEPT.includes(error.code))) throw error;
    yield* eventLines(store, id, request, error);
  }
}

/** A task that was resumed with raw logs has none of its earlier iterations. */
const NOT_KEPT: readonly E8Error["code"][] = ["raw_log_empty", "iteration_not_logged"];

async function* eventLines(
  store: TaskStore,
  id: string,
  { iteration, follow }: RawLogRequest,
  missing: E8Error = new E8Error("raw_log_off", { id }),
): AsyncGenerator<EventLine> {
  const known = new Set<number>();
  for await (const line of placed(store.events(id, { follow }))) {
    known.add(line.iteration);
    if (iteration === undefined || iteration === line.iteration) yield line;
  }
  if (known.size === 0) throw missing;
  if (iteration !== undefined && !known.has(iteration))
    throw new E8Error("iteration_not_logged", { id, iteration, known: [...known].join(", ") });
}

/** Events about agents, each with its iteration and the role that it belongs to. */
async function* placed(envelopes: AsyncIterable<EventEnvelope>): AsyncGenerator<EventLine> {
  let place: Omit<EventLine, "envelope"> = { iteration: 0, role: "intake" };
  for await (const envelope of envelopes) {
    const { event } = envelope;
    if (event.type === "phase-start") place = { iteration: event.iteration, role: ROLES[event.phase] };
    if (SHOWN.has(event.type)) yield { ...place, ...("role" in event && { role: event.role }), envelope };
  }
}

const ROLES: Record<Phase, Spender> = {
  intake: "intake",
  execute: "executor",
  summarize: "summarizer",
  check: "checks",
  judge: "judge",
  prove: "checks",
  setup: "checks",
  review: "reviewer",
  queue: "checks",
  land: "checks",
};

const SHOWN: ReadonlySet<RunEvent["type"]> = new Set([
  ...(["intake", "text", "tool-call", "tool-denied", "api-retry", "waiting", "summary", "judgment"] as const),
]);
