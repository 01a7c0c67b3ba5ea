import type { FileHandle } from "node:fs/promises";
import type { z } from "zod";
import { writeFully } from "./durable.ts";
import { MAX_LINE_BYTES, NEWLINE, parseLine } from "./json-lines.ts";

/**
 * Makes the file end in a newline and returns its length. Needs the task's lock. Keeps a last record that lacks only its
 * newline; cuts off anything else and passes its length to `dropped`.
 */
export async function mendTail<T>(
  file: FileHandle,
  schema: z.ZodType<T>,
  dropped: (bytes: number) => void,
): Promise<number> {
  const { size } = await file.stat();
  const whole = await endOfLastLine(file, size);
  if (whole === size) return size;
  if (await isRecord(file, { start: whole, end: size }, schema)) {
    writeFully(file.fd, Buffer.of(NEWLINE));
    await file.sync();
    return size + 1;
  }
  await file.truncate(whole);
  await file.sync();
  dropped(size - whole);
  return whole;
}

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const step = 65_536;
  for (let end = size; end > 0; end -= step) {
    const start = Math.max(0, end - step);
    const newline = (await readRange(file, start, end)).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
  }
  return 0;
}

async function isRecord<T>(file: FileHandle, tail: { start: number; end: number }, schema: z.ZodType<T>) {
  if (tail.end - tail.start > MAX_LINE_BYTES) return false;
  return parseLine(await readRange(file, tail.start, tail.end), schema) !== undefined;
}

async function readRange(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
