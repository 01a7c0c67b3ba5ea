import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { z } from "zod";
import type { EventEnvelope, RunEvent } from "../../../model/events.ts";
import type { TaskId } from "../../../model/task.ts";
import type { EventLog } from "../../ports/open-task.ts";
import { envelopeOf, isChatter, MOST_BYTES, storedEnvelope } from "../event-wire.ts";
import { writeFully } from "./durable.ts";
import type { Guard } from "./journal.ts";
import { endsInNewline, lastRecords, toLine } from "./json-lines.ts";
import { OWN_FILE } from "./task-paths.ts";

const LONGEST_LINE = 4 * 1024 * 1024;
/** Between two writes: what comes meanwhile is written together. */
const WRITE_MILLISECONDS = 50;

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
  /** When the last write began; what comes after a quiet time is written at once, because somebody may be watching. */
  #written = 0;
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
    const envelope = envelopeOf(this.#task_id, this.#seq, event);
    if (this.#bytes < this.#most_bytes || !isChatter(event)) this.#keep(toLine(storedEnvelope(envelope, this.#hidden)));
    return envelope;
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
    const wait = Math.max(0, this.#written + WRITE_MILLISECONDS - performance.now());
    this.#timer ??= setTimeout(() => this.#write(), wait).unref();
  }

  #write(): void {
    this.#timer = undefined;
    this.#written = performance.now();
    const lines = this.#lines.splice(0).join("");
    const file = this.#file;
    if (lines === "" || file === undefined) return;
    const write = this.#writing.then(this.#guard).then(() => writeFully(file, Buffer.from(lines)));
    this.#writing = write.catch(() => {}); // the next record reports a lost lock or a full disk
  }
}

/** Zero for a new file. The last line may be long: `run-start` contains the whole task. */
function lastNumber(path: string): number {
  const last = lastRecords(path, Numbered).next().value;
  if (last || !existsSync(path)) return last?.seq ?? 0;
  return lastRecords(path, Numbered, Buffer.allocUnsafe(LONGEST_LINE)).next().value?.seq ?? 0;
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, "a+", OWN_FILE);
  } catch {
    return undefined;
  }
}
