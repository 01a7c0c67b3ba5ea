import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { Dialect } from "../../../src/connection/agents/scripted/model/dialects.ts";
import type { Block, Reply } from "../../../src/connection/agents/scripted/model/reply.ts";
import type { MessagesRequest } from "../../../src/connection/agents/scripted/model/request.ts";
import { openStream, sendJson } from "../../../src/connection/agents/scripted/model/wire.ts";
import { orVerbatim } from "./verbatim.ts";

const Call = z.looseObject({ id: z.string().optional(), name: z.string() });
const Part = z.looseObject({ text: z.string().optional(), functionCall: Call.optional() });
const Content = z.looseObject({ role: z.string().optional(), parts: z.array(Part).default([]) });
const GeminiRequest = z.looseObject({
  contents: z.array(Content),
  systemInstruction: Content.optional(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(Call).optional() })).optional(),
});

/** Google's generateContent, and its stream. */
export const gemini: Dialect = {
  read,
  send,
  error: orVerbatim((type, message) => {
    const [code, status] = CODES[type] ?? [500, "INTERNAL"];
    return { error: { code, message, status } };
  }),
};

const CODES: Readonly<Record<string, [number, string]>> = {
  invalid_request_error: [400, "INVALID_ARGUMENT"],
  authentication_error: [401, "UNAUTHENTICATED"],
  permission_error: [403, "PERMISSION_DENIED"],
  not_found_error: [404, "NOT_FOUND"],
  rate_limit_error: [429, "RESOURCE_EXHAUSTED"],
  overloaded_error: [503, "UNAVAILABLE"],
};

function read(body: unknown): MessagesRequest | undefined {
  const request = GeminiRequest.safeParse(body).data;
  if (!request) return undefined;
  const tools = (request.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const messages = request.contents.map(({ role, parts }) => ({
    role: role === "model" ? "assistant" : "user",
    content: parts.flatMap(asBlock),
  }));
  const system = (request.systemInstruction?.parts ?? []).flatMap(asBlock);
  // The path says whether it is streamed; the caller knows it.
  return { model: "gemini", system, messages, tools: tools.map(({ name }) => ({ name })) };
}

function asBlock({ text, functionCall }: z.infer<typeof Part>): object[] {
  if (functionCall) return [{ type: "tool_use", id: functionCall.id ?? "", name: functionCall.name }];
  return text === undefined ? [] : [{ type: "text", text }];
}

function send(response: ServerResponse, reply: Reply, stream: boolean): void {
  const whole = answerOf(reply);
  if (!stream) {
    sendJson(response, 200, whole);
    return;
  }
  openStream(response);
  response.end(`data: ${JSON.stringify(whole)}\n\n`);
}

function answerOf({ content, stop_reason, usage }: Reply): object {
  const promptTokenCount = usage.input_tokens + usage.cache_read_input_tokens;
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: content.map(asPart) },
        finishReason: stop_reason === "max_tokens" ? "MAX_TOKENS" : "STOP",
      },
    ],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount: usage.output_tokens,
      totalTokenCount: promptTokenCount + usage.output_tokens,
    },
    modelVersion: "gemini-2.5-flash",
  };
}

function asPart(block: Block): object {
  if (block.type === "text") return { text: block.text };
  return { functionCall: { id: block.id, name: block.name, args: block.input } };
}
