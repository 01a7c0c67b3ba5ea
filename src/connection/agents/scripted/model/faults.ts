import type { ServerResponse } from "node:http";
import type { Dialect } from "./dialects.ts";
import type { Reply } from "./reply.ts";
import type { Fault } from "./story.ts";
import { encode, messageStart, openStream, sendJson } from "./wire.ts";

/** Where a fault is played. `reply` is empty, for streams that begin well. */
interface FaultScene {
  response: ServerResponse;
  reply: Reply;
  stream: boolean;
  dialect: Dialect;
}

export function sendFault(fault: Fault, scene: FaultScene): void {
  if (fault.kind === undefined) sendError(scene.response, fault, scene.dialect);
  else kinds[fault.kind](scene, fault);
}

export function sendError(response: ServerResponse, fault: Fault, dialect: Dialect): void {
  const { status, type, message } = errorOf(fault);
  for (const [name, value] of headers(fault)) response.setHeader(name, value);
  sendJson(response, status, dialect.error(type, message));
}

/** A fault without a kind as the Messages API words it. */
export function errorOf(fault: Fault): { status: number; type: string; message: string } {
  const status = fault.status ?? (headers(fault).length > 0 ? 429 : 500);
  const [type, usual] = errors[status] ?? (status < 500 ? errors[400] : errors[500]) ?? ["api_error", "Error"];
  return { status, type, message: fault.message ?? usual };
}

const page = "<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n";

const kinds: Record<NonNullable<Fault["kind"]>, (scene: FaultScene, fault: Fault) => void> = {
  malformed: ({ response, stream }) => {
    const type = stream ? "text/event-stream; charset=utf-8" : "application/json";
    const body = '{"type":"message_start","message":{"id":';
    response.writeHead(200, { "content-type": type }).end(stream ? `event: message_start\ndata: ${body}\n\n` : body);
  },
  // Never ended here: the client gives up, or the server closes.
  stall: (scene) => beginStream(scene),
  disconnect: (scene) => {
    beginStream(scene);
    setImmediate(() => scene.response.destroy());
  },
  empty: ({ response, stream }) => {
    response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" }).end();
  },
  html: ({ response }, fault) => {
    response.writeHead(fault.status ?? 200, { "content-type": "text/html; charset=utf-8" }).end(fault.message ?? page);
  },
};

function beginStream({ response, reply, stream }: FaultScene): void {
  if (!stream) return;
  openStream(response);
  response.write(encode(messageStart(reply)));
}

function headers(fault: Fault): [string, string][] {
  const reset = resetOf(fault);
  const limit: [string, string][] =
    reset === undefined
      ? []
      : [
          ["anthropic-ratelimit-unified-status", "rejected"],
          ["anthropic-ratelimit-unified-reset", String(reset)],
          ["anthropic-ratelimit-unified-representative-claim", "five_hour"],
        ];
  return fault.retry_after === undefined ? limit : [["retry-after", String(fault.retry_after)], ...limit];
}

/** Epoch seconds at which a used-up limit resets. */
export function resetOf(fault: Fault): number | undefined {
  if (fault.resets_in !== undefined) return Math.floor(Date.now() / 1000) + fault.resets_in;
  return fault.resets_at;
}

const errors: Record<number, [type: string, message: string]> = {
  400: ["invalid_request_error", "Invalid request"],
  401: ["authentication_error", "invalid x-api-key"],
  402: ["billing_error", "There is a problem with billing"],
  403: ["permission_error", "Your API key lacks permission for this resource"],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed the rate limit"],
  500: ["api_error", "Internal server error"],
  504: ["timeout_error", "The request timed out"],
  529: ["overloaded_error", "Overloaded"],
};
