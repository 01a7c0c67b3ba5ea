import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { z } from "zod";
import { NEWLINE, parseLine } from "./json-lines.ts";

/** One for all files: a thousand of its size would be garbage to collect. */
const shared = Buffer.allocUnsafe(65_536);

interface LastRecords<T> {
  /** The last one first. To be used up before the next call. */
  records: Generator<T>;
  /** Whether these are all that the file has. */
  isWhole: boolean;
}

/**
 * The records at a file's end, as far as they stand whole in its last bytes.
 * Synchronous, which is several times faster for a thousand small files.
 */
export function lastRecords<T>(path: string, schema: z.ZodType<T>, room: Buffer = shared): LastRecords<T> {
  const tail = readTail(path, room);
  return { records: backwards(tail, schema), isWhole: tail.isWhole };
}

interface Tail {
  bytes: Buffer;
  isWhole: boolean;
}

function* backwards<T>({ bytes, isWhole }: Tail, schema: z.ZodType<T>): Generator<T> {
  let end = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  while (end > 0) {
    const newline = bytes.lastIndexOf(NEWLINE, end - 1);
    if (newline < 0 && !isWhole) return;
    const record = parseLine(bytes.subarray(newline + 1, end), schema);
    if (record !== undefined) yield record;
    end = Math.max(0, newline);
  }
}

function readTail(path: string, room: Buffer): Tail {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const length = Math.min(size, room.length);
    return { bytes: room.subarray(0, readSync(file, room, 0, length, size - length)), isWhole: length === size };
  } catch {
    return { bytes: room.subarray(0, 0), isWhole: false }; // whoever reads the whole file meets the reason
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
