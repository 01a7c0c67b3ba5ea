import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isRecord, jsonIn } from "../../../model/json.ts";

/** Characters of one message. One that is longer is no message: an agent that never ends its line must not fill our memory. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** What is done with the parts of the stream that are not answers or requests. */
export interface WireReader {
  /** A notification about a session. Nothing more is read until it has been taken. */
  update(params: unknown): void | Promise<void>;
  /** Each line in each direction, for the raw log; `message` is undefined for a line that is none. */
  line(direction: "in" | "out", line: string, message?: unknown): void | Promise<void>;
}

/**
 * The messages of a process, for the protocol's SDK. It sees requests, and responses to what it has asked; updates go past it, in the
 * order of the stream, so that none comes after the response that ends it. Lines that are no messages are skipped.
 */
export function wireOf({ stdin, stdout }: { stdin: Writable; stdout: Readable }, reader: WireReader): Stream {
  const asked = new Set<unknown>();
  const readable = new ReadableStream<AnyMessage>({
    async start(controller) {
      try {
        for await (const line of linesOf(stdout)) {
          const message = jsonIn(line);
          await reader.line("in", line, message);
          if (!isRecord(message)) continue;
          if (isUpdate(message)) await reader.update(message.params);
          else if ("method" in message || asked.delete(message.id)) controller.enqueue(message as AnyMessage);
        }
      } catch {
        // The process was ended while we read.
      }
      controller.close();
    },
  });
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ("method" in message && "id" in message) asked.add(message.id);
      const line = JSON.stringify(message);
      await reader.line("out", line, message);
      await written(stdin, `${line}\n`);
    },
  });
  return { readable, writable };
}

function isUpdate({ method, id }: Record<string, unknown>): boolean {
  return method === "session/update" && id === undefined;
}

/** An agent that is gone is seen by its exit, not here. */
function written(stdin: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (!stdin.writable || stdin.write(text)) return resolve();
    const done = () => {
      stdin.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stdin.on("drain", done).on("close", done).on("error", done);
  });
}

/** Hears the lines of a stream that somebody else reads, too. The rest of one that is too long is dropped. */
export function lineHearer(hear: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let open = "";
  return (chunk) => {
    const [first = "", ...others] = decoder.write(chunk).split("\n");
    if (open.length < LONGEST_HEARD) open += first;
    for (const next of others) {
      hear(open);
      open = next;
    }
  };
}

/** Characters of a line of a log. */
const LONGEST_HEARD = 64 * 1024;

async function* linesOf(stdout: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    const [first = "", ...others] = decoder.write(chunk).split("\n");
    length += first.length;
    // The rest of a line that is too long is dropped as it comes.
    if (length <= LONGEST_LINE) parts.push(first);
    for (const next of others) {
      yield parts.join("");
      parts = [next];
      length = next.length;
    }
  }
  yield parts.join("") + decoder.end();
}
