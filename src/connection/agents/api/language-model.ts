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
  { base_url, key, token, signing, region }: Access,
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
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ ...common, apiKey: key ?? "" })(model);
    }
    // Its own package only adds addresses of older versions to OpenAI's.
    case "azure": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const headers = { "api-key": key ?? "" };
      return createOpenAI({ ...common, apiKey: "", headers, fetch: withoutAuthorization(fetch) })(model);
    }
    case "bedrock": {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      const own = signing ? { credentialProvider: async () => signing } : {};
      return createAmazonBedrock({ ...common, ...own, apiKey: key ?? "", ...(region && { region }) })(model);
    }
    case "openrouter":
    case "ollama":
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const named = { name: "openaiCompatible", supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...common, ...named, ...(key && { apiKey: key }) })(model);
    }
  }
}

/** Azure's key has a header of its own. */
function withoutAuthorization(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete("authorization");
    return fetch(input, { ...init, headers });
  };
}

/** OpenAI's strict mode refuses optional members, which our schemas have. Every answer is checked anyway. */
export const PROVIDER_OPTIONS = {
  openai: { strictJsonSchema: false, store: false },
  openaiCompatible: { strictJsonSchema: false },
};
