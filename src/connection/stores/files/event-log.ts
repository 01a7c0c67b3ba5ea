import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { EventEnvelope, type RunEvent, WIRE_VERSION } from "../../../model/events.ts";
import { publicEvent } from "../../../model/hidden.ts";
import { isRecord, jsonIn } from "../../../model/json.ts";
import { type Evaluation, HistoryRecord } from "../../../model/records.ts";
import type { TaskId } from "../../../model/task.ts";
import type { EventLog } from "../../ports/task-store.ts";
import { writeFully } from "./durable.ts";
import { errorCode, readFault } from "./faults.ts";
import type { Guard } from "./journal.ts";
import { endsInNewline, lastRecords, readRecords, toLine } from "./json-lines.ts";
import { readLock } from "./lock.ts";
import { Tail } from "./tail.ts";
import { taskPaths } from "./task-paths.ts";

/** A larger file no longer stores what agents say and do, only the run's progress. */
const MOST_BYTES = 32 * 1024 * 1024;
const LONGEST_TEXT = 2_000;
const LONGEST_LINE = 4 * 1024 * 1024;
const WRITE_MILLISECONDS = 50;
const POLL_MILLISECONDS = 100;

const Numbered = z.object({ seq: z.int().min(1) });

interface EventLogOptions {
  task_id: TaskId;
  guard: Guard;
  /** The numbers of the hidden checks. */
  hidden?: ReadonlySet<number>;
  most_bytes?: number;
}

/** Appends the event wire to a file. Never throws: a run does not depend on its events. */
export class FileEventLog implements EventLog {
  readonly #task_id: TaskId;
  readonly #guard: Guard;
  readonly #most_bytes: number;
  readonly #hidden: ReadonlySet<number>;
  readonly #file: number | undefined;
  #seq: number;
  #bytes: number;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, { task_id, guard, hidden = new Set(), most_bytes = MOST_BYTES }: EventLogOptions) {
    this.#task_id = task_id;
    this.#guard = guard;
    this.#most_bytes = most_bytes;
    this.#hidden = hidden;
    this.#seq = lastNumber(path);
    this.#file = opened(path);
    this.#bytes = this.#file === undefined ? 0 : fstatSync(this.#file).size;
    if (this.#file !== undefined && !endsInNewline(this.#file, this.#bytes)) this.#lines.push("\n");
  }

  async append(event: RunEvent): Promise<EventEnvelope> {
    this.#seq += 1;
    const envelope = { v: WIRE_VERSION, task_id: this.#task_id, seq: this.#seq, at: new Date().toISOString(), event };
    if (this.#bytes < this.#most_bytes || !CHATTER.has(event.type))
      this.#keep(toLine({ ...envelope, event: bounded(publicEvent(event, this.#hidden)) }));
    return envelope as EventEnvelope;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #keep(line: string): void {
    this.#lines.push(line);
    this.#bytes += Buffer.byteLength(line);
    this.#timer ??= setTimeout(() => this.#write(), WRITE_MILLISECONDS).unref();
  }

  #write(): void {
    this.#timer = undefined;
    const lines = this.#lines.splice(0).join("");
    const file = this.#file;
    if (lines === "" || file === undefined) return;
    const write = this.#writing.then(this.#guard).then(() => writeFully(file, Buffer.from(lines)));
    this.#writing = write.catch(() => {}); // the next record reports a lost lock or a full disk
  }
}

/** Events that a very long run leaves out. */
const CHATTER: ReadonlySet<RunEvent["type"]> = new Set(["text", "tool-call", "usage", "spent"]);

/** Zero for a new file. The last line may be long: `run-start` contains the whole task. */
function lastNumber(path: string): number {
  const last = lastRecords(path, Numbered).next().value;
  if (last || !existsSync(path)) return last?.seq ?? 0;
  return lastRecords(path, Numbered, Buffer.allocUnsafe(LONGEST_LINE)).next().value?.seq ?? 0;
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, "a+");
  } catch {
    return undefined;
  }
}

/** The stored form of an event: records become references to the history, long texts are cut. */
function bounded(event: RunEvent): object {
  switch (event.type) {
    case "text":
    case "note":
      return event.text.length <= LONGEST_TEXT
        ? event
        : { ...event, text: wholeCharacters(event.text.slice(0, LONGEST_TEXT)), cut_from: event.text.length };
    case "summary":
      return { type: event.type, record: event.summary.timestamp };
    case "judgment":
      return { type: event.type, record: event.judgment.timestamp };
    case "run-end":
      return { type: event.type, record: event.result.timestamp, ...(event.thrown && { thrown: event.thrown }) };
    case "check-end":
      return { ...event, evaluation: shortened(event.evaluation) };
    case "run-start":
      return { ...event, evaluations: event.evaluations.map(shortened) };
    default:
      return event;
  }
}

function shortened(evaluation: Evaluation): Evaluation {
  const { evidence } = evaluation;
  if (evidence.length <= LONGEST_TEXT) return evaluation;
  return { ...evaluation, evidence: wholeCharacters(evidence.slice(-LONGEST_TEXT)), is_cut: true };
}

/** Drops half a surrogate pair at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

export interface Following {
  follow?: boolean;
  signal?: AbortSignal;
}

/** The stored events of a task, and with `follow` those to come. Lines of a later version are skipped. */
export async function* readEvents(
  directory: string,
  { follow = false, signal }: Following = {},
): AsyncGenerator<EventEnvelope> {
  const paths = taskPaths(directory);
  const tail = new Tail(paths.events);
  const records = new RecordsByTime(paths.history);
  for (;;) {
    // Checked before the file is read, so that the last lines of a run are not missed.
    const isLive = follow && !signal?.aborted && (await readLock(paths.lock)) !== undefined;
    for await (const line of readable(tail.lines(!isLive), paths.events)) {
      const envelope = await envelopeIn(line, records);
      if (envelope) yield envelope;
    }
    if (!isLive) return;
    await pause(POLL_MILLISECONDS, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

async function* readable(lines: AsyncGenerator<string>, path: string): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw readFault(error, path);
  }
}

async function envelopeIn(line: string, records: RecordsByTime): Promise<EventEnvelope | undefined> {
  const stored = jsonIn(line);
  if (!isRecord(stored) || !isRecord(stored.event)) return undefined;
  const { event } = stored;
  const whole = typeof event.record === "string" ? await withRecord(event, event.record, records) : event;
  return EventEnvelope.safeParse({ ...stored, event: whole }).data;
}

const RECORD_OF: Readonly<Record<string, { type: HistoryRecord["type"]; key: string }>> = {
  summary: { type: "summary", key: "summary" },
  judgment: { type: "judgment", key: "judgment" },
  "run-end": { type: "final_result", key: "result" },
};

async function withRecord(event: Record<string, unknown>, time: string, records: RecordsByTime): Promise<object> {
  const { type, key } = RECORD_OF[String(event.type)] ?? {};
  return type === undefined || key === undefined ? event : { ...event, [key]: await records.find(type, time) };
}

/** The history's records. Reads the file again only for an unknown record. */
class RecordsByTime {
  readonly #path: string;
  #known = new Map<string, HistoryRecord>();

  constructor(path: string) {
    this.#path = path;
  }

  async find(type: HistoryRecord["type"], time: string): Promise<HistoryRecord | undefined> {
    const key = `${type} ${time}`;
    if (!this.#known.has(key))
      for await (const record of readRecords(this.#path, HistoryRecord, () => {}))
        this.#known.set(`${record.type} ${record.timestamp}`, record);
    return this.#known.get(key);
  }
}
