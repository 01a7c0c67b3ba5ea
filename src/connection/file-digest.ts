import { createHash, type Hash } from "node:crypto";
import { readSync } from "node:fs";

const CHUNK_BYTES = 256 * 1024;

/** Of the file's first bytes, to be carried on with what is appended to them. */
export function digestOf(file: number, length: number): Hash {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, length));
  for (let position = 0; position < length; ) {
    const read = readSync(file, chunk, 0, Math.min(chunk.length, length - position), position);
    if (read === 0) break;
    hash.update(chunk.subarray(0, read));
    position += read;
  }
  return hash;
}

export function isSame(one: Hash, other: Hash): boolean {
  return one.copy().digest("hex") === other.copy().digest("hex");
}
