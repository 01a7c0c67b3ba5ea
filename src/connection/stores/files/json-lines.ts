import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import type { z } from "zod";
import { notice } from "../../../model/notices.ts";
import type { ReportNotice } from "../../ports/task-store.ts";
import { storedJson } from "../stored-json.ts";
import { errorCode, readFault } from "./faults.ts";

/** Reports only the first time: a run reads the same file many times. */
export function once(report: ReportNotice): ReportNotice {
  let said = false;
  return (news) => {
    if (said) return;
    said = true;
    report(news);
  };
}

/**
 * Reads a file of records, one a line, in constant memory and without a lock: another process may be appending to it.
 * Skips lines without a record and reports them at the end. A missing file has no records.
 * A last line without its newline counts when it is complete JSON.
 */
export async function* readRecords<T>(path: string, schema: z.ZodType<T>, report: ReportNotice): AsyncGenerator<T> {
  let unreadable = 0;
  try {
    for await (const { bytes, ended } of readLines(path)) {
      const record = bytes && parseLine(bytes, schema);
      if (record !== undefined) yield record;
      else if (ended && !isBlank(bytes)) unreadable += 1;
    }
  } finally {
    if (unreadable > 0) report(notice("unreadable_lines", { file: path, lines: unreadable }));
  }
}

/** All of them. `Array.fromAsync` came with Node 22. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** One record as it is stored, with its newline. */
export function toLine(record: object): string {
  return `${storedJson(record)}\n`;
}

/** The record of a line, or undefined when the line holds none. */
export function parseLine<T>(bytes: Uint8Array, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(utf8.decode(bytes))).data;
  } catch {
    return undefined;
  }
}

export const NEWLINE = 0x0a;

/** DuckDB cannot read a file with a line of 32 MB. Our lines are far shorter. */
export const MAX_LINE_BYTES = 32_000_000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

interface Line {
  /** Undefined when the line is too long. */
  bytes: Uint8Array | undefined;
  /** False for the text after the last newline. */
  ended: boolean;
}

async function* readLines(path: string): AsyncGenerator<Line> {
  const line = new GrowingLine();
  for await (const chunk of readChunks(path)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end));
      yield { bytes: line.take(), ended: true };
      start = end + 1;
    }
    line.add(chunk.subarray(start));
  }
  yield { bytes: line.take(), ended: false };
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw readFault(error, path);
  }
}

class GrowingLine {
  #parts: Uint8Array[] = [];
  #length = 0;

  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > MAX_LINE_BYTES) this.#parts = [];
    else this.#parts.push(part);
  }

  take(): Uint8Array | undefined {
    const whole = this.#length > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return whole;
  }
}

function isBlank(bytes: Uint8Array | undefined): boolean {
  return bytes?.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) ?? false;
}

/** Shared by all files, which saves a thousand allocations. */
const shared = Buffer.allocUnsafe(65_536);

/**
 * The last records of a file, newest first, as many as fit into `room`. Synchronous, which is several times faster for a
 * thousand small files. Consume it before the next call.
 */
export function* lastRecords<T>(path: string, schema: z.ZodType<T>, room: Buffer = shared): Generator<T> {
  const { bytes, isWhole } = readTail(path, room);
  let end = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  while (end > 0) {
    const newline = bytes.lastIndexOf(NEWLINE, end - 1);
    if (newline < 0 && !isWhole) return;
    const record = parseLine(bytes.subarray(newline + 1, end), schema);
    if (record !== undefined) yield record;
    end = Math.max(0, newline);
  }
}

function readTail(path: string, room: Buffer): { bytes: Buffer; isWhole: boolean } {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const length = Math.min(size, room.length);
    return { bytes: room.subarray(0, readSync(file, room, 0, length, size - length)), isWhole: length === size };
  } catch {
    return { bytes: room.subarray(0, 0), isWhole: false }; // reading the whole file reports the reason
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether the file's last line is complete. */
export function endsInNewline(file: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}
