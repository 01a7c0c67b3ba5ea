import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { Dialect } from "../../../src/connection/agents/scripted/model/dialects.ts";
import { chatCompletion, openAiError } from "../../../src/connection/agents/scripted/model/openai.ts";
import type { Reply } from "../../../src/connection/agents/scripted/model/reply.ts";
import type { MessagesRequest } from "../../../src/connection/agents/scripted/model/request.ts";
import { openStream, sendJson } from "../../../src/connection/agents/scripted/model/wire.ts";
import { orVerbatim } from "./verbatim.ts";

const Call = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) });
const Message = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z.array(Call).optional(),
});
const Tool = z.looseObject({ function: z.looseObject({ name: z.string() }).optional() });
const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message),
  stream: z.boolean().optional(),
  tools: z.array(Tool).optional(),
});

/** OpenAI's chat completions, which most other vendors' servers speak, too: with tools, and as a stream. */
export const chat: Dialect = { read, send, error: orVerbatim(openAiError) };

function read(body: unknown): MessagesRequest | undefined {
  const request = ChatRequest.safeParse(body).data;
  if (!request) return undefined;
  const { model, stream = false } = request;
  const tools = (request.tools ?? []).map((tool) => ({ name: tool.function?.name ?? "" }));
  return { model, stream, tools, messages: request.messages.map(asMessage) };
}

function asMessage({ role, content, tool_calls = [] }: z.infer<typeof Message>) {
  const calls = tool_calls.map((call) => ({ type: "tool_use", id: call.id, name: call.function.name }));
  const texts = typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : [];
  return { role, content: [...texts, ...calls] };
}

function send(response: ServerResponse, reply: Reply, stream: boolean): void {
  if (!stream) {
    sendJson(response, 200, chatCompletion(reply));
    return;
  }
  const head = { id: `chatcmpl_${reply.id}`, object: "chat.completion.chunk", created: 1, model: reply.model };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    write(response, { ...head, choices: [{ index: 0, delta, finish_reason }] });
  openStream(response);
  chunk({ role: "assistant", content: "" });
  for (const block of reply.content) if (block.type === "text") chunk({ content: block.text });
  const calls = reply.content.filter((block) => block.type === "tool_use");
  for (const [index, { id, name, input }] of calls.entries())
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: JSON.stringify(input) } }] });
  chunk({}, calls.length > 0 ? "tool_calls" : reply.stop_reason === "max_tokens" ? "length" : "stop");
  write(response, { ...head, choices: [], usage: usageOf(reply) });
  response.end("data: [DONE]\n\n");
}

function write(response: ServerResponse, event: object): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`);
}

function usageOf({ usage }: Reply) {
  const prompt_tokens = usage.input_tokens + usage.cache_read_input_tokens;
  const { output_tokens: completion_tokens } = usage;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
