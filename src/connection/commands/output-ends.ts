import { StringDecoder } from "node:string_decoder";
import { OutputTail } from "./output-tail.ts";

/** Keeps an output whole up to its limit, and of a longer one the beginning and the end, in bounded memory. */
export class OutputEnds {
  readonly #half: number;
  readonly #tail: OutputTail;
  #head = Buffer.alloc(0);
  #total = 0;

  constructor(limitBytes: number) {
    this.#half = Math.floor(limitBytes / 2);
    this.#tail = new OutputTail(this.#half);
  }

  add(chunk: Buffer): void {
    const room = this.#half - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    if (chunk.length > room) this.#tail.add(chunk.subarray(room));
    this.#total += chunk.length;
  }

  /** Valid text whatever the bytes. Where something is left out, a line says how much. */
  text(): string {
    const tail = this.#tail.bytes();
    if (this.#total <= 2 * this.#half) return Buffer.concat([this.#head, tail]).toString("utf8");
    const leftOut = this.#total - this.#head.length - tail.length;
    return `${wholeCharacters(this.#head)}\n[… ${leftOut} bytes left out …]\n${tail.toString("utf8")}`;
  }
}

/** Without the character that the cut went through. */
function wholeCharacters(bytes: Buffer): string {
  return new StringDecoder("utf8").write(bytes);
}
