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

  /** Valid text whatever the bytes. Where something was cut off, it begins at a line start if there is one. */
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
