import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { Dialect } from "../../../src/connection/agents/scripted/model/dialects.ts";
import { openAiError } from "../../../src/connection/agents/scripted/model/openai.ts";
import type { Block, Reply } from "../../../src/connection/agents/scripted/model/reply.ts";
import type { MessagesRequest } from "../../../src/connection/agents/scripted/model/request.ts";
import { encode, openStream, sendJson } from "../../../src/connection/agents/scripted/model/wire.ts";
import { orVerbatim } from "./verbatim.ts";

const Item = z.looseObject({
  type: z.string().default("message"),
  role: z.string().nullish(),
  content: z.unknown().optional(),
  call_id: z.string().nullish(),
  name: z.string().nullish(),
});
const ResponsesRequest = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.array(Item),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
});

/** OpenAI's Responses, with tools, and as a stream. */
export const responses: Dialect = { read, send, error: orVerbatim(openAiError) };

function read(body: unknown): MessagesRequest | undefined {
  const request = ResponsesRequest.safeParse(body).data;
  if (!request) return undefined;
  const { model, instructions, stream = false } = request;
  const tools = (request.tools ?? []).map(({ name }) => ({ name: name ?? "" }));
  return { model, stream, system: instructions ?? "", messages: request.input.map(asMessage), tools };
}

function asMessage({ type, role, content, call_id, name }: z.infer<typeof Item>) {
  if (type === "function_call" || type === "custom_tool_call")
    return { role: "assistant", content: [{ type: "tool_use", id: call_id ?? "", name: name ?? "" }] };
  if (type !== "message") return { role: "user", content: [] };
  return { role: role === "developer" ? "system" : (role ?? "user"), content };
}

function send(response: ServerResponse, reply: Reply, stream: boolean): void {
  const id = `resp_${reply.id}`;
  const output = reply.content.map((block, index) => itemOf(block, `${reply.id}_${index}`));
  const whole = { id, object: "response", status: "completed", model: reply.model, output, usage: usageOf(reply) };
  if (!stream) {
    sendJson(response, 200, whole);
    return;
  }
  openStream(response);
  const created = { ...whole, status: "in_progress", output: [], usage: null };
  response.write(encode({ type: "response.created", response: created }));
  for (const [output_index, item] of output.entries()) {
    response.write(encode({ type: "response.output_item.added", output_index, item }));
    const text = textOf(reply.content[output_index]);
    if (text !== undefined)
      response.write(
        encode({ type: "response.output_text.delta", item_id: item.id, output_index, content_index: 0, delta: text }),
      );
    response.write(encode({ type: "response.output_item.done", output_index, item }));
  }
  response.end(encode({ type: "response.completed", response: whole }));
}

function textOf(block: Block | undefined): string | undefined {
  return block?.type === "text" ? block.text : undefined;
}

/** The tools that take a text instead of JSON: their input has one key, `input`. */
const CUSTOM_TOOLS = new Set(["apply_patch"]);

function itemOf(block: Block, id: string) {
  if (block.type === "text") {
    const content = [{ type: "output_text", text: block.text, annotations: [] }];
    return { id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content };
  }
  const { name, input } = block;
  const call = { id: `fc_${id}`, call_id: block.id, name, status: "completed" };
  if (CUSTOM_TOOLS.has(name)) return { ...call, type: "custom_tool_call", input: String(input.input) };
  return { ...call, type: "function_call", arguments: JSON.stringify(input) };
}

function usageOf({ usage }: Reply) {
  const input_tokens = usage.input_tokens + usage.cache_read_input_tokens;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + usage.output_tokens,
  };
}
