import { z } from "zod";
import type { Reply } from "./reply.ts";
import type { MessagesRequest } from "./request.ts";

const ResponsesRequest = z.looseObject({
  model: z.string(),
  input: z.array(z.looseObject({ role: z.string().default("user"), content: z.unknown() })),
  stream: z.boolean().optional(),
  tools: z.undefined().optional().catch(undefined),
  tool_choice: z.undefined().optional().catch(undefined),
});

/** A request of OpenAI's Responses API, with its input as messages, too. */
export function fromResponses(body: unknown): MessagesRequest | undefined {
  const read = ResponsesRequest.safeParse(body).data;
  if (!read) return undefined;
  const messages = read.input.map(({ role, content }) => ({ role: role === "developer" ? "system" : role, content }));
  return { ...read, messages };
}

export function openAiResponse({ id, model, content, stop_reason, usage }: Reply): object {
  const refused = stop_reason === "refusal";
  const parts = texts(content).map((text) =>
    refused ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations: [] },
  );
  const isCut = stop_reason === "max_tokens";
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: seconds(),
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    error: null,
    model,
    output: [{ type: "message", id, status: "completed", role: "assistant", content: parts }],
    usage: {
      input_tokens: inputTokens(usage),
      input_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
      output_tokens: usage.output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens(usage) + usage.output_tokens,
    },
  };
}

const FINISH_REASONS: Readonly<Record<string, string>> = { max_tokens: "length", refusal: "content_filter" };

export function chatCompletion({ id, model, content, stop_reason, usage }: Reply): object {
  const message = { role: "assistant", content: texts(content).join("\n") };
  return {
    id: `chatcmpl_${id}`,
    object: "chat.completion",
    created: seconds(),
    model,
    choices: [{ index: 0, message, finish_reason: FINISH_REASONS[stop_reason] ?? "stop" }],
    usage: {
      prompt_tokens: inputTokens(usage),
      prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
      completion_tokens: usage.output_tokens,
      total_tokens: inputTokens(usage) + usage.output_tokens,
    },
  };
}

export function openAiError(type: string, message: string): object {
  return { error: { message, type, param: null, code: null } };
}

function texts(content: Reply["content"]): string[] {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

/** OpenAI counts cached tokens as input. */
function inputTokens(usage: Reply["usage"]): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
