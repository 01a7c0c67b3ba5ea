import { appendFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { E8Error } from "../../../../model/errors.ts";
import type { MessagesRequest } from "./request.ts";
import type { Cue, Missing } from "./stage.ts";

/** A request for a reply, as it came. Keys and tokens are never kept. */
export interface RecordedRequest {
  time: string;
  /** The asker, by role or step; null without a marker line. */
  who: string | null;
  /** The scene that answered, counted from 0; null when none did. */
  scene: number | null;
  /** What the story lacks, when no scene answered. */
  problem?: string;
  headers: Record<string, string>;
  credential: "api_key" | "token" | "none";
  body: MessagesRequest;
}

export function record(request: IncomingMessage, body: MessagesRequest, cue: Cue | Missing): RecordedRequest {
  return {
    time: new Date().toISOString(),
    who: cue.who,
    ...("missing" in cue ? { scene: null, problem: cue.missing } : { scene: cue.scene }),
    headers: keptHeaders(request),
    credential: credential(request),
    body,
  };
}

export type RequestLog = (recorded: RecordedRequest) => void;

/** Appends each request to the file as one JSON line. Throws at once when the file cannot be written. */
export function requestLog(path: string | undefined): RequestLog {
  if (path === undefined) return () => {};
  append(path, "");
  return (recorded) => append(path, `${JSON.stringify(recorded)}\n`);
}

function append(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw new E8Error("write_failed", { path, problem: (error as Error).message }, { cause: error });
  }
}

function keptHeaders(request: IncomingMessage): Record<string, string> {
  const names = ["user-agent", "anthropic-version", "anthropic-beta", "x-app"];
  return Object.fromEntries(
    names.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
  );
}

function credential(request: IncomingMessage): RecordedRequest["credential"] {
  if (request.headers["x-api-key"]) return "api_key";
  return request.headers.authorization ? "token" : "none";
}
