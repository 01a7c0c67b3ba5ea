import { closest, distance } from "fastest-levenshtein";
import { type ApiModel, apiModelOf, PROVIDERS } from "../model/api-model.ts";

/** How a model that answers over an API is written. */
const SPELLINGS = "anthropic:<model>, openai:<model> or openai-compatible:<model>@<base url>";

/** What is wrong with a setting that names models. Undefined: nothing, or it names none. */
export function modelProblem(path: string, value: unknown): string | undefined {
  if (path === "prices") return Object.keys(value ?? {}).flatMap((name) => priceProblem(name) ?? [])[0];
  if (typeof value !== "string" || !/^(agent_model|claude_options\.model|models\.\w+)$/.test(path)) return undefined;
  const model = apiModelOf(value);
  if (!model) return unknownProvider(value);
  return spellingProblem(value, model) ?? executorProblem(path, model);
}

/** The Python endless8 wrote `anthropic:claude-sonnet-4-5` where it meant the model alone. */
export function withoutAnthropic(model: unknown): unknown {
  return typeof model === "string" ? model.replace(/^anthropic:/, "") : model;
}

function spellingProblem(value: string, { provider, model, base_url }: ApiModel): string | undefined {
  if (model === "") return `${value} names no model: write ${SPELLINGS}`;
  if (provider !== "openai-compatible") return undefined;
  if (base_url === undefined)
    return `${value} does not say which server: write openai-compatible:${model}@http://127.0.0.1:11434/v1`;
  return URL.canParse(base_url) ? undefined : `${base_url} is not an address`;
}

/** Files of the Python endless8 name Anthropic where they mean Claude Code; a key of ours must say what it means. */
function executorProblem(path: string, { provider, model }: ApiModel): string | undefined {
  const isExecutors = path === "models.executor" || (path === "claude_options.model" && provider !== "anthropic");
  if (!isExecutors) return undefined;
  const instead = provider === "anthropic" ? `write ${model}` : "name a model of Claude Code, or a program under agent";
  return `the executor needs tools, so it is Claude Code and cannot be asked over an API: ${instead}`;
}

/** Names with a colon are also Claude Code's (`…-v1:0`, `arn:…`) and those of local models (`qwen3:8b`). */
function unknownProvider(value: string): string | undefined {
  const [, written = ""] = /^([A-Za-z][A-Za-z_-]*):./.exec(value) ?? [];
  const prefix = written.toLowerCase().replaceAll("_", "-");
  if (prefix === "") return undefined;
  const near = PROVIDERS.includes(prefix as never) || isNear(prefix) ? closest(prefix, [...PROVIDERS]) : undefined;
  if (near) return `${written} is no provider: did you mean ${near}:${value.slice(written.length + 1)}?`;
  return OTHER_PROVIDERS.has(prefix) ? `${written} is no provider that is known here: write ${SPELLINGS}` : undefined;
}

function isNear(prefix: string): boolean {
  const best = closest(prefix, [...PROVIDERS]);
  return distance(prefix, best) <= Math.floor(best.length / 3);
}

/** Words that other programs put before a model and that are no model's name themselves. */
const OTHER_PROVIDERS = new Set([
  "azure",
  "bedrock",
  "compatible",
  "google",
  "google-gla",
  "google-vertex",
  "groq",
  "ollama",
  "openrouter",
  "vertex",
  "xai",
]);

function priceProblem(name: string): string | undefined {
  const model = apiModelOf(name);
  if (!model) return `${name} needs no price: only models asked over an API do (${SPELLINGS})`;
  return spellingProblem(name, model);
}
