import type { createAnthropic } from "@ai-sdk/anthropic";
import type { ApiModel } from "../../../model/api-model.ts";
import type { Access } from "./access.ts";

/** A model as the AI SDK's providers offer it. */
type LanguageModel = ReturnType<ReturnType<typeof createAnthropic>>;
export type CallOptions = Parameters<LanguageModel["doGenerate"]>[0];
export type Generated = Awaited<ReturnType<LanguageModel["doGenerate"]>>;

/**
 * The providers are asked directly: `generateText` would add retries and JSON reading, which we have, and warnings on the user's
 * terminal. Each package is loaded with its first request.
 */
export async function languageModel(
  { provider, model }: ApiModel,
  { base_url, key, token }: Access,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const common = { baseURL: base_url, fetch };
  switch (provider) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...common, ...(token ? { authToken: token } : { apiKey: key ?? "" }) })(model);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...common, apiKey: key ?? "" })(model);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const named = { name: "openaiCompatible", supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...common, ...named, ...(key && { apiKey: key }) })(model);
    }
  }
}

/** OpenAI's strict mode refuses optional members, which our schemas have. Every answer is checked anyway. */
export const PROVIDER_OPTIONS = {
  openai: { strictJsonSchema: false, store: false },
  openaiCompatible: { strictJsonSchema: false },
};
