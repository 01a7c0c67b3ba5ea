import type { ApiModel, Provider } from "../../../model/api-model.ts";
import type { Environment } from "../../../model/environment.ts";

/** How a provider is reached, read from the environment of the run. */
export interface Access {
  base_url: string;
  key?: string;
  /** A bearer token, used instead of a key. */
  token?: string;
}

/** The variable that holds a provider's key; an OpenAI-compatible server may need none. */
export const KEY_VARIABLES = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
} as const satisfies Record<Provider, string>;

export function accessOf({ provider, base_url = "" }: ApiModel, environment: Environment): Access {
  const key = set(environment[KEY_VARIABLES[provider]]);
  switch (provider) {
    case "anthropic": {
      const base = set(environment.ANTHROPIC_BASE_URL) ?? "https://api.anthropic.com";
      const token = key === undefined ? set(environment.ANTHROPIC_AUTH_TOKEN) : undefined;
      return { base_url: versioned(base), ...(key && { key }), ...(token && { token }) };
    }
    case "openai":
      return { base_url: set(environment.OPENAI_BASE_URL) ?? "https://api.openai.com/v1", ...(key && { key }) };
    case "openai-compatible":
      return { base_url: set(environment.OPENAI_COMPATIBLE_BASE_URL) ?? base_url, ...(key && { key }) };
  }
}

/** The variable that must be set before a model can be asked; undefined when nothing is missing. */
export function missingKey(model: ApiModel, environment: Environment): string | undefined {
  const { key, token } = accessOf(model, environment);
  return key || token || model.provider === "openai-compatible" ? undefined : KEY_VARIABLES[model.provider];
}

function set(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

/** Claude Code's users give the address without its version. */
function versioned(base: string): string {
  const plain = base.replace(/\/+$/, "");
  return plain.endsWith("/v1") ? plain : `${plain}/v1`;
}
