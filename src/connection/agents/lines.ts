import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A line without end is handed out in pieces of this many characters. */
const LONGEST_LINE = 64 * 1024;

/** The stream's lines, without their ends, as fast as the reader takes them. A stream cut off in the middle just ends. */
export async function* linesOf(stream: Readable, seen: (chunk: Buffer) => void): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      seen(chunk);
      const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
      rest = lines.pop() ?? "";
      yield* lines;
      if (rest.length < LONGEST_LINE) continue;
      yield rest;
      rest = "";
    }
  } catch {
    // Its process was ended, or something else held the other end open.
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}
