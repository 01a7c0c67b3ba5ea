import type { EventEnvelope } from "../../../model/events.ts";
import { HistoryRecord } from "../../../model/records.ts";
import type { EventRequest } from "../../ports/task-store.ts";
import { Alarm } from "../alarm.ts";
import { envelopeIn, lineFacts } from "../event-wire.ts";
import { errorCode, readFault } from "./faults.ts";
import { lastRecords, readRecords } from "./json-lines.ts";
import { holding } from "./lock.ts";
import { onChange } from "./on-change.ts";
import { Tail } from "./tail.ts";
import { taskPaths } from "./task-paths.ts";

/** How often a reader looks where the file system does not tell of changes. */
const POLL_MILLISECONDS = 100;
/** Otherwise it looks by itself, too: a run that was killed leaves no change behind. */
const LOOK_MILLISECONDS = 2_000;

/** The stored events of a task, and with `follow` those to come. Lines of a later version are skipped. */
export async function* readEvents(
  directory: string,
  { follow = false, signal, ...asked }: EventRequest = {},
): AsyncGenerator<EventEnvelope> {
  const paths = taskPaths(directory);
  const stored = new StoredEvents(paths, asked);
  const isHeld = holding(paths.lock);
  const alarm = new Alarm();
  const leave = follow ? onChange(directory, ["events.jsonl", "lock"], alarm.ring) : undefined;
  try {
    for (;;) {
      // Checked before the file is read, so that the last lines of a run are not missed.
      const isLive = follow && !signal?.aborted && (await isHeld());
      yield* stored.sinceLast(!isLive);
      if (!isLive) return;
      await alarm.wait(leave ? LOOK_MILLISECONDS : POLL_MILLISECONDS, signal);
    }
  } finally {
    leave?.();
  }
}

type Asked = Pick<EventRequest, "after" | "types">;

class StoredEvents {
  readonly #path: string;
  readonly #asked: Asked;
  readonly #tail: Tail;
  readonly #records: RecordsByTime;

  constructor({ events, history }: { events: string; history: string }, asked: Asked) {
    this.#path = events;
    this.#asked = asked;
    this.#tail = new Tail(events, asked.after ? placeAfter(asked.after) : undefined);
    this.#records = new RecordsByTime(history);
  }

  async *sinceLast(isFinal: boolean): AsyncGenerator<EventEnvelope> {
    for await (const line of readable(this.#tail.lines(isFinal), this.#path)) {
      if (!this.#isAsked(lineFacts(line))) continue;
      const envelope = await envelopeIn(line, (type, time) => this.#records.find(type, time));
      if (envelope && this.#isAsked({ seq: envelope.seq, type: envelope.event.type })) yield envelope;
    }
  }

  /** What is not known of a line does not speak against it. */
  #isAsked({ seq, type }: ReturnType<typeof lineFacts>): boolean {
    const { after = 0, types } = this.#asked;
    return (seq ?? after + 1) > after && (type === undefined || (types?.some((one) => one === type) ?? true));
  }
}

/** Whether a reader of the events after this one may begin with the given line. */
function placeAfter(after: number): (line: string) => boolean {
  return (line) => (lineFacts(line).seq ?? Number.POSITIVE_INFINITY) <= after;
}

async function* readable(lines: AsyncGenerator<string>, path: string): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw readFault(error, path);
  }
}

/** The history's records. A reader that follows a run looks at the file's end; the whole of it is read only for older records. */
class RecordsByTime {
  readonly #path: string;
  #known = new Map<string, HistoryRecord>();

  constructor(path: string) {
    this.#path = path;
  }

  async find(type: HistoryRecord["type"], time: string): Promise<HistoryRecord | undefined> {
    const key = `${type} ${time}`;
    if (!this.#known.has(key))
      for (const record of lastRecords(this.#path, HistoryRecord)) {
        const isNew = !this.#known.has(keyOf(record));
        this.#known.set(keyOf(record), record);
        if (!isNew || keyOf(record) === key) break;
      }
    if (!this.#known.has(key))
      for await (const record of readRecords(this.#path, HistoryRecord, () => {}))
        this.#known.set(keyOf(record), record);
    return this.#known.get(key);
  }
}

function keyOf({ type, timestamp }: HistoryRecord): string {
  return `${type} ${timestamp}`;
}
