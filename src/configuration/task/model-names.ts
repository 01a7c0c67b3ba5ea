import { closest, distance } from "fastest-levenshtein";
import { type ApiModel, apiModelOf, PROVIDERS } from "../../model/api-model.ts";
import { message, type Statement } from "../../model/message.ts";

/** What is wrong with a setting that names models; undefined when nothing is, or when it names none. */
export function modelProblem(path: string, value: unknown): Statement | undefined {
  if (path === "prices") return Object.keys(value ?? {}).flatMap((name) => priceProblem(name) ?? [])[0];
  if (path === "agents" || path === "escalate_to") return workerProblem(value);
  if (Array.isArray(value)) return value.flatMap((one) => modelProblem(path, one) ?? [])[0];
  if (typeof value !== "string" || !/^(agent_model|claude_options\.model|models\.\w+|reviewers)$/.test(path))
    return undefined;
  const model = apiModelOf(value);
  if (!model) return unknownProvider(value);
  return spellingProblem(value, model) ?? executorProblem(path, model);
}

/** The models of workers, which no API can be. */
function workerProblem(value: unknown): Statement | undefined {
  const models = [value]
    .flat()
    .map((one: unknown) => (typeof one === "object" && one !== null && "model" in one ? one.model : one));
  return models.flatMap((one) => modelProblem("models.executor", one) ?? [])[0];
}

/** The Python endless8 wrote `anthropic:claude-sonnet-4-5` for Claude Code with that model. */
export function withoutAnthropic(model: unknown): unknown {
  return typeof model === "string" ? model.replace(/^anthropic:/, "") : model;
}

function spellingProblem(value: string, { provider, model, base_url }: ApiModel): Statement | undefined {
  if (model === "") return message("model_unnamed", { value });
  if (provider !== "openai-compatible") return undefined;
  if (base_url === undefined) return message("model_server_missing", { value, model });
  return URL.canParse(base_url) ? undefined : message("address_invalid", { address: base_url });
}

/** Keys of the Python endless8 may name Anthropic and mean Claude Code; our own keys may not. */
function executorProblem(path: string, { provider, model }: ApiModel): Statement | undefined {
  const isExecutors = path === "models.executor" || (path === "claude_options.model" && provider !== "anthropic");
  if (!isExecutors) return undefined;
  return message("executor_over_api", provider === "anthropic" ? { instead: model } : {});
}

/** Claude Code's models (`…-v1:0`, `arn:…`) and local ones (`qwen3:8b`) may have a colon in their names, too. */
function unknownProvider(value: string): Statement | undefined {
  const [, written = ""] = /^([A-Za-z][A-Za-z_-]*):./.exec(value) ?? [];
  const prefix = written.toLowerCase().replaceAll("_", "-");
  if (prefix === "") return undefined;
  if (isNear(prefix)) {
    const meant = `${closest(prefix, [...PROVIDERS])}:${value.slice(written.length + 1)}`;
    return message("provider_misspelled", { provider: written, meant });
  }
  return OTHER_PROVIDERS.has(prefix) ? message("provider_unknown", { provider: written }) : undefined;
}

function isNear(prefix: string): boolean {
  const best = closest(prefix, [...PROVIDERS]);
  return distance(prefix, best) <= Math.floor(best.length / 3);
}

/** Prefixes by which other programs name a provider, and which are not names of models. */
const OTHER_PROVIDERS = new Set(["compatible", "google-gla", "google-vertex", "groq", "vertex", "xai"]);

/** Every agent has models of its own, under names that only it knows. */
function priceProblem(name: string): Statement | undefined {
  const model = apiModelOf(name);
  return model ? spellingProblem(name, model) : unknownProvider(name);
}
