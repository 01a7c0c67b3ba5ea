export const PROVIDERS = [
  "anthropic",
  "openai",
  "openai-compatible",
  "google",
  "azure",
  "bedrock",
  "openrouter",
  "ollama",
] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A model that is asked over its vendor's API instead of through Claude Code. */
export interface ApiModel {
  provider: Provider;
  model: string;
  /** The server of an OpenAI-compatible model. */
  base_url?: string;
}

/** Whether its server speaks OpenAI's chat completions, more or less. */
export function isCompatible(provider: Provider): boolean {
  return provider === "openai-compatible" || provider === "openrouter" || provider === "ollama";
}

/**
 * Reads `<provider>:<model>`, and `openai-compatible:<model>@<base url>`. Any other name, even with colons, is a model of Claude
 * Code.
 */
export function apiModelOf(name: string): ApiModel | undefined {
  const provider = PROVIDERS.find((one) => name.startsWith(`${one}:`));
  if (!provider) return undefined;
  const rest = name.slice(provider.length + 1);
  const at = provider === "openai-compatible" ? rest.search(LAST_ADDRESS) : -1;
  return at < 0 ? { provider, model: rest } : { provider, model: rest.slice(0, at), base_url: rest.slice(at + 1) };
}

/** The address follows the last `@http`: model names may contain `@`. */
const LAST_ADDRESS = /@https?:\/\/(?!.*@https?:\/\/)/;
