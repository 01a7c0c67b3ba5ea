import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { open } from "node:fs/promises";

/** Reads a growing file line by line, each time from where it stopped before. */
export class Tail {
  readonly #path: string;
  #position: number;
  /** The beginning of an unfinished line. */
  #rest: Buffer = Buffer.alloc(0);

  /** `isPast`: whether a line, and all before it, need not be read. Then the file is looked at from its end. */
  constructor(path: string, isPast?: (line: string) => boolean) {
    this.#path = path;
    this.#position = isPast ? startBefore(path, isPast) : 0;
  }

  /** The lines since the last call. `isFinal`: the text after the last newline counts, too. */
  async *lines(isFinal: boolean): AsyncGenerator<string> {
    for await (const chunk of this.#chunks()) {
      const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
      const end = bytes.lastIndexOf("\n") + 1;
      this.#rest = Buffer.from(bytes.subarray(end)); // a part would keep the whole
      yield* bytes.subarray(0, end).toString().split("\n").filter(Boolean);
    }
    if (isFinal && this.#rest.length > 0) yield this.#rest.toString();
  }

  /** What the file has grown by. Each takes as much memory as it has to say, and a look that finds nothing opens no file. */
  async *#chunks(): AsyncGenerator<Buffer> {
    if (this.#size() <= this.#position) return;
    const file = await open(this.#path);
    try {
      for (let length = this.#size() - this.#position; length > 0; length = this.#size() - this.#position) {
        const chunk = Buffer.allocUnsafe(Math.min(length, MOST_AT_ONCE));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, this.#position);
        if (bytesRead === 0) return;
        this.#position += bytesRead;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  /** Endless for a file that is missing: opening it says so. */
  #size(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  }
}

const MOST_AT_ONCE = 65_536;
const FIRST_LOOK = 65_536;

/** Where a line begins that is past, or the beginning of the file. */
function startBefore(path: string, isPast: (line: string) => boolean): number {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    for (let length = FIRST_LOOK; length < size; length *= 4) {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, size - length);
      const start = bytes.indexOf("\n") + 1;
      const end = bytes.indexOf("\n", start);
      if (start > 0 && end > 0 && isPast(bytes.toString("utf8", start, end))) return size - length + start;
    }
  } catch {
    // reading the whole file reports the reason
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return 0;
}
