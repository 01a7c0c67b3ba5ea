import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A line without end is handed out in pieces of this many characters. */
const LONGEST_LINE = 64 * 1024;
/** Of lines that come at once. More could not be followed, and each event costs time. */
const MOST_ALONE = 64;

/**
 * The stream's lines, without their ends, as fast as the reader takes them: one by one, or, of very many that come at once, the first
 * ones so and the others together. A stream cut off in the middle just ends.
 */
export async function* textsOf(stream: Readable, seen: (chunk: Buffer) => void): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      seen(chunk);
      const text = rest + decoder.write(chunk);
      const end = text.lastIndexOf("\n") + 1;
      yield* textsIn(text.slice(0, end));
      rest = text.slice(end);
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

/** Whole lines, each with its end. */
function* textsIn(lines: string): Generator<string> {
  let start = 0;
  for (let count = 0; start < lines.length; count += 1) {
    const end = count < MOST_ALONE ? lines.indexOf("\n", start) : lines.length - 1;
    yield lines.slice(start, end).replace(/\r(?=\n|$)/g, "");
    start = end + 1;
  }
}
