import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type ApiAgentOptions, createApiAgent } from "../../../src/connection/agents/api/api-agent.ts";
import type { Agent } from "../../../src/connection/ports/agent.ts";
import type { Assignment } from "../../../src/model/agent.ts";
import type { Provider } from "../../../src/model/api-model.ts";
import { teller } from "../../../src/texts/tell.ts";
import { assign } from "./support.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface Vendor {
  url: string;
  requests: Received[];
  /** Requests that wait for an answer, by number. */
  open: Set<number>;
}

export type Respond = (response: ServerResponse, request: Received, number: number) => void;

/** A vendor's server on loopback. It never answers unless told how. */
export async function vendor(respond: Respond = () => {}): Promise<Vendor> {
  const requests: Received[] = [];
  const open = new Set<number>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const received = { path: request.url ?? "", headers: request.headers, body: JSON.parse(body) };
    const number = requests.push(received);
    open.add(number);
    response.once("close", () => open.delete(number));
    respond(response, received, number);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, open };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

type Answer = (text: string, more?: { stop?: string }) => object;

const ofResponses: Answer = (said, { stop } = {}) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: stop ? "incomplete" : "completed",
  incomplete_details: stop ? { reason: stop } : null,
  model: "m",
  output: [
    { type: "message", id: "m1", role: "assistant", content: [{ type: "output_text", text: said, annotations: [] }] },
  ],
  usage: {
    input_tokens: 1100,
    input_tokens_details: { cached_tokens: 1000 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
  },
});

const ofChat: Answer = (said, { stop = "stop" } = {}) => ({
  id: "c1",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: said }, finish_reason: stop }],
  usage: { prompt_tokens: 100, completion_tokens: 20 },
});

/** An answer with this text, as each vendor words it. */
export const answers: Record<Provider, Answer> = {
  anthropic: (said, { stop = "end_turn" } = {}) => ({
    type: "message",
    id: "msg_1",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: said }],
    stop_reason: stop,
    usage: { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 7, cache_read_input_tokens: 1000 },
  }),
  openai: ofResponses,
  azure: ofResponses,
  "openai-compatible": ofChat,
  openrouter: ofChat,
  ollama: ofChat,
  google: (said, { stop = "STOP" } = {}) => ({
    candidates: [{ index: 0, content: { role: "model", parts: [{ text: said }] }, finishReason: stop }],
    usageMetadata: {
      promptTokenCount: 1100,
      cachedContentTokenCount: 1000,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 5,
      totalTokenCount: 1120,
    },
  }),
  bedrock: (said, { stop = "end_turn" } = {}) => ({
    output: { message: { role: "assistant", content: [{ text: said }] } },
    stopReason: stop,
    usage: { inputTokens: 100, outputTokens: 20, totalTokens: 1120, cacheReadInputTokens: 1000 },
    metrics: { latencyMs: 1 },
  }),
};

export const KEYS = {
  ANTHROPIC_API_KEY: "sk-ant-secret-key",
  OPENAI_API_KEY: "sk-openai-secret-key",
  OPENAI_COMPATIBLE_API_KEY: "compatible-secret-key",
  GEMINI_API_KEY: "gemini-secret-key",
  AZURE_OPENAI_API_KEY: "azure-secret-key",
  AWS_BEARER_TOKEN_BEDROCK: "bedrock-secret-key",
  AWS_REGION: "eu-west-1",
  OPENROUTER_API_KEY: "sk-or-secret-key",
  OLLAMA_API_KEY: "ollama-secret-key",
};

/** The variable of each provider's key. */
export const KEY_OF: Record<Provider, keyof typeof KEYS> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
  google: "GEMINI_API_KEY",
  azure: "AZURE_OPENAI_API_KEY",
  bedrock: "AWS_BEARER_TOKEN_BEDROCK",
  openrouter: "OPENROUTER_API_KEY",
  ollama: "OLLAMA_API_KEY",
};

/** An agent whose judge is a model of this provider behind this address. */
export function judgeAt(url: string, provider: Provider, options: Partial<ApiAgentOptions> = {}): Agent {
  const spelling = spellingOf(provider, url);
  return createApiAgent({
    models: { intake: spelling, executor: spelling, summarizer: spelling, judge: spelling, reviewer: spelling },
    prices: {},
    has_cost_budget: false,
    tell: teller("en"),
    environment: { ...KEYS, ...addressesAt(url) },
    timeout_seconds: 100,
    silence_seconds: 60,
    ...options,
  });
}

/** The variables that lead every provider to this address. */
export function addressesAt(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: `${url}/v1`,
    GOOGLE_GEMINI_BASE_URL: url,
    AZURE_OPENAI_ENDPOINT: url,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
    OPENROUTER_BASE_URL: `${url}/api/v1`,
    OLLAMA_HOST: url,
  };
}

const SPELLINGS: Record<Exclude<Provider, "openai-compatible">, string> = {
  anthropic: "anthropic:claude-sonnet-4-5",
  openai: "openai:gpt-5",
  google: "google:gemini-2.5-flash",
  azure: "azure:my-deployment",
  bedrock: "bedrock:eu.amazon.nova-pro-v1:0",
  openrouter: "openrouter:qwen/qwen3-32b",
  ollama: "ollama:qwen3:8b",
};

export function spellingOf(provider: Provider, url: string): string {
  return provider === "openai-compatible" ? `openai-compatible:qwen3:8b@${url}/v1` : SPELLINGS[provider];
}

export function question(given: Partial<Assignment> = {}): Assignment {
  return assign({ role: "judge", ...given });
}
