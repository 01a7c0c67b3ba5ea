import { StringDecoder } from "node:string_decoder";

/** Keeps the end of an output of any length, in bounded memory. */
export class OutputTail {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #cut = false;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > 2 * this.#limit) this.#trim();
  }

  /** Valid text, whatever the bytes. When it was cut, it begins at the start of a line if there is one. */
  text(): string {
    return this.bytes().toString("utf8");
  }

  bytes(): Buffer {
    this.#trim();
    const bytes = Buffer.concat(this.#chunks);
    return bytes.subarray(this.#cut ? firstWholeByte(bytes) : 0);
  }

  #trim(): void {
    if (this.#size <= this.#limit) return;
    const bytes = Buffer.concat(this.#chunks);
    const kept = Buffer.from(bytes.subarray(bytes.length - this.#limit));
    this.#chunks = [kept];
    this.#size = kept.length;
    this.#cut = true;
  }
}

const NEWLINE = 0x0a;

function firstWholeByte(bytes: Buffer): number {
  const newline = bytes.indexOf(NEWLINE);
  if (newline >= 0 && newline < bytes.length - 1) return newline + 1;
  let start = 0;
  while (start < 4 && isContinuation(bytes[start])) start += 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

/** Keeps an output up to its limit, and only the beginning and the end of a longer one, in bounded memory. */
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

  /** Valid text, whatever the bytes. A line says how much was left out. */
  text(): string {
    const tail = this.#tail.bytes();
    if (this.#total <= 2 * this.#half) return Buffer.concat([this.#head, tail]).toString("utf8");
    const leftOut = this.#total - this.#head.length - tail.length;
    return `${wholeCharacters(this.#head)}\n[… ${leftOut} bytes left out …]\n${tail.toString("utf8")}`;
  }
}

/** Drops the character that was cut in the middle. */
function wholeCharacters(bytes: Buffer): string {
  return new StringDecoder("utf8").write(bytes);
}
