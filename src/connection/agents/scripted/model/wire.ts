import type { ServerResponse } from "node:http";
import type { Block, Reply } from "./reply.ts";

type ServerEvent = { type: string } & Record<string, unknown>;

export function sendReply(response: ServerResponse, reply: Reply, stream: boolean): void {
  if (!stream) {
    sendJson(response, 200, reply);
    return;
  }
  openStream(response);
  response.end(events(reply).map(encode).join(""));
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  response.flushHeaders();
}

export function encode(event: ServerEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The first event of every stream; a stalled one ends with it. */
export function messageStart(reply: Reply): ServerEvent {
  const usage = { ...reply.usage, output_tokens: 1 };
  return { type: "message_start", message: { ...reply, content: [], stop_reason: null, usage } };
}

function events(reply: Reply): ServerEvent[] {
  return [
    messageStart(reply),
    { type: "ping" },
    ...reply.content.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: reply.stop_reason, stop_sequence: null },
      usage: { output_tokens: reply.usage.output_tokens },
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: Block, index: number): ServerEvent[] {
  const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const content = block.type === "text" ? block.text : JSON.stringify(block.input);
  return [
    { type: "content_block_start", index, content_block: empty },
    ...pieces(content).map((piece) => ({ type: "content_block_delta", index, delta: delta(block, piece) })),
    { type: "content_block_stop", index },
  ];
}

function delta(block: Block, piece: string): ServerEvent {
  return block.type === "text"
    ? { type: "text_delta", text: piece }
    : { type: "input_json_delta", partial_json: piece };
}

/** Cut between characters, never within one: a client may print each piece as it comes. */
function pieces(content: string): string[] {
  const characters = Array.from(content);
  return Array.from({ length: Math.ceil(characters.length / 40) }, (_, index) =>
    characters.slice(index * 40, index * 40 + 40).join(""),
  );
}
