import { createReadStream } from "node:fs";

/** Reads a growing file line by line, each time from where it stopped before. */
export class Tail {
  readonly #path: string;
  #position = 0;
  /** The beginning of an unfinished line. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines since the last call. `isFinal`: the text after the last newline counts, too. */
  async *lines(isFinal: boolean): AsyncGenerator<string> {
    for await (const chunk of createReadStream(this.#path, { start: this.#position }) as AsyncIterable<Buffer>) {
      this.#position += chunk.length;
      const bytes = Buffer.concat([this.#rest, chunk]);
      const end = bytes.lastIndexOf("\n") + 1;
      this.#rest = bytes.subarray(end);
      yield* bytes.subarray(0, end).toString().split("\n").filter(Boolean);
    }
    if (isFinal && this.#rest.length > 0) yield this.#rest.toString();
  }
}
