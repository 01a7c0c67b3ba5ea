import type { ApiModel, Provider } from "../../../model/api-model.ts";
import type { Environment } from "../../../model/environment.ts";

/** How a provider is reached, read from the environment of the run. */
export interface Access {
  base_url: string;
  key?: string;
  /** A bearer token, used instead of a key. */
  token?: string;
  /** What requests to AWS are signed with, used instead of a key. */
  signing?: AwsCredentials;
  region?: string;
  /** The variable that key, token or credentials come from. */
  source?: string;
}

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** The variables that may hold a provider's key, the first one that is set; the first one is named where none is. */
const KEY_VARIABLES = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  "openai-compatible": ["OPENAI_COMPATIBLE_API_KEY"],
  google: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
  azure: ["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
  bedrock: ["AWS_BEARER_TOKEN_BEDROCK"],
  openrouter: ["OPENROUTER_API_KEY"],
  ollama: ["OLLAMA_API_KEY"],
} as const satisfies Record<Provider, readonly [string, ...string[]]>;

/** These servers may need no key. */
const KEYLESS: readonly Provider[] = ["openai-compatible", "ollama"];

/** The variable that is to hold the key of a provider. */
export function keyVariable(provider: Provider): string {
  return KEY_VARIABLES[provider][0];
}

export function accessOf({ provider, base_url = "" }: ApiModel, environment: Environment): Access {
  const read = (name: string) => set(environment[name]);
  const source = KEY_VARIABLES[provider].find((name) => read(name) !== undefined);
  const key = source === undefined ? {} : { key: read(source) ?? "", source };
  switch (provider) {
    case "anthropic": {
      const token = source === undefined ? read("ANTHROPIC_AUTH_TOKEN") : undefined;
      const own = token === undefined ? key : { token, source: "ANTHROPIC_AUTH_TOKEN" };
      return { base_url: versioned(read("ANTHROPIC_BASE_URL") ?? "https://api.anthropic.com"), ...own };
    }
    case "openai":
      return { base_url: read("OPENAI_BASE_URL") ?? "https://api.openai.com/v1", ...key };
    case "openai-compatible":
      return { base_url: read("OPENAI_COMPATIBLE_BASE_URL") ?? base_url, ...key };
    case "google":
      return { base_url: versioned(read("GOOGLE_GEMINI_BASE_URL") ?? GOOGLE, "v1beta"), ...key };
    case "azure":
      return { base_url: versioned(azureEndpoint(read), "openai/v1"), ...key };
    case "bedrock":
      return bedrockAccess(read, key);
    case "openrouter":
      return { base_url: versioned(read("OPENROUTER_BASE_URL") ?? "https://openrouter.ai/api"), ...key };
    case "ollama":
      return { base_url: versioned(ollamaServer(read("OLLAMA_HOST"))), ...key };
  }
}

/** The variable that must be set before a model can be asked; undefined when nothing is missing. */
export function missingVariable(model: ApiModel, environment: Environment): string | undefined {
  const { base_url, key, token, signing, region } = accessOf(model, environment);
  const { provider } = model;
  if (provider === "azure" && base_url === "") return "AZURE_OPENAI_ENDPOINT";
  if (provider === "bedrock" && region === undefined) return "AWS_REGION";
  return key || token || signing || KEYLESS.includes(provider) ? undefined : keyVariable(provider);
}

type Read = (name: string) => string | undefined;

const GOOGLE = "https://generativelanguage.googleapis.com";

/** The resource's address; its name alone is enough. */
function azureEndpoint(read: Read): string {
  const name = read("AZURE_RESOURCE_NAME");
  return read("AZURE_OPENAI_ENDPOINT") ?? (name === undefined ? "" : `https://${name}.openai.azure.com`);
}

/** A key of Bedrock's own, else the credentials that AWS's programs use. */
function bedrockAccess(read: Read, key: Pick<Access, "key" | "source">): Access {
  const region = read("AWS_REGION") ?? read("AWS_DEFAULT_REGION");
  const [accessKeyId, secretAccessKey] = [read("AWS_ACCESS_KEY_ID"), read("AWS_SECRET_ACCESS_KEY")];
  const sessionToken = read("AWS_SESSION_TOKEN");
  const signs = key.key === undefined && accessKeyId !== undefined && secretAccessKey !== undefined;
  const usual = region === undefined ? "" : `https://bedrock-runtime.${region}.amazonaws.com`;
  return {
    base_url: read("AWS_ENDPOINT_URL_BEDROCK_RUNTIME") ?? usual,
    ...key,
    ...(region !== undefined && { region }),
    ...(signs && {
      signing: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
      source: "AWS_ACCESS_KEY_ID",
    }),
  };
}

const OLLAMA_PORT = "11434";

/** Ollama's programs also take a host, or a port, alone; and where a server listens everywhere, it is on this machine. */
function ollamaServer(host = `127.0.0.1:${OLLAMA_PORT}`): string {
  const address = /^https?:\/\//.test(host) ? host : `http://${host.startsWith(":") ? `127.0.0.1${host}` : host}`;
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  const hasPort = url.port !== "" || url.protocol === "https:" || /:80(\/|$)/.test(host);
  if (!hasPort) url.port = OLLAMA_PORT;
  return url.href;
}

function set(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

/** Users give the address with or without its version. */
function versioned(base: string, version = "v1"): string {
  const plain = base.replace(/\/+$/, "");
  return plain === "" || plain.endsWith(`/${version}`) ? plain : `${plain}/${version}`;
}
