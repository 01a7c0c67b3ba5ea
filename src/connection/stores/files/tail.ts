import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from "node:fs";

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
    if (this.#hasMore())
      for await (const chunk of createReadStream(this.#path, { start: this.#position }) as AsyncIterable<Buffer>) {
        this.#position += chunk.length;
        const bytes = Buffer.concat([this.#rest, chunk]);
        const end = bytes.lastIndexOf("\n") + 1;
        this.#rest = bytes.subarray(end);
        yield* bytes.subarray(0, end).toString().split("\n").filter(Boolean);
      }
    if (isFinal && this.#rest.length > 0) yield this.#rest.toString();
  }

  /** A stream for nothing costs more than all else that a reader does while nothing happens. */
  #hasMore(): boolean {
    return (statSync(this.#path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) > this.#position;
  }
}

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
