import { closest, distance } from "fastest-levenshtein";
import { type ApiModel, apiModelOf, PROVIDERS } from "../../model/api-model.ts";
import type { Statement } from "../../model/statement.ts";

/** How a model that answers over an API is written. */
const SPELLINGS = "anthropic:<model>, openai:<model> or openai-compatible:<model>@<base url>";
const SPELLINGS_JA = SPELLINGS.replace(" or ", "、または ").replace(", ", "、");

/** What is wrong with a setting that names models. Undefined: nothing, or it names none. */
export function modelProblem(path: string, value: unknown): Statement | undefined {
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

function spellingProblem(value: string, { provider, model, base_url }: ApiModel): Statement | undefined {
  if (model === "")
    return {
      en: `${value} names no model: write ${SPELLINGS}`,
      ja: `${value} にはモデル名がありません。${SPELLINGS_JA} と書いてください`,
    };
  if (provider !== "openai-compatible") return undefined;
  const example = `openai-compatible:${model}@http://127.0.0.1:11434/v1`;
  if (base_url === undefined)
    return {
      en: `${value} does not say which server: write ${example}`,
      ja: `${value} にはサーバーがありません。${example} のように書いてください`,
    };
  if (URL.canParse(base_url)) return undefined;
  return { en: `${base_url} is not an address`, ja: `${base_url} はアドレスではありません` };
}

/** Files of the Python endless8 name Anthropic where they mean Claude Code; a key of ours must say what it means. */
function executorProblem(path: string, { provider, model }: ApiModel): Statement | undefined {
  const isExecutors = path === "models.executor" || (path === "claude_options.model" && provider !== "anthropic");
  if (!isExecutors) return undefined;
  const isAnthropic = provider === "anthropic";
  const instead = isAnthropic ? `write ${model}` : "name a model of Claude Code, or a program under agent";
  const insteadJa = isAnthropic
    ? `${model} と書いてください`
    : "Claude Code のモデル、または agent にプログラムを指定してください";
  return {
    en: `the executor needs tools, so it is Claude Code and cannot be asked over an API: ${instead}`,
    ja: `実行エージェントはツールを使う Claude Code であり、API では呼べません。${insteadJa}`,
  };
}

/** Names with a colon are also Claude Code's (`…-v1:0`, `arn:…`) and those of local models (`qwen3:8b`). */
function unknownProvider(value: string): Statement | undefined {
  const [, written = ""] = /^([A-Za-z][A-Za-z_-]*):./.exec(value) ?? [];
  const prefix = written.toLowerCase().replaceAll("_", "-");
  if (prefix === "") return undefined;
  if (isNear(prefix)) {
    const meant = `${closest(prefix, [...PROVIDERS])}:${value.slice(written.length + 1)}`;
    return {
      en: `${written} is no provider: did you mean ${meant}?`,
      ja: `${written} というプロバイダーはありません。${meant} ではありませんか？`,
    };
  }
  if (!OTHER_PROVIDERS.has(prefix)) return undefined;
  return {
    en: `${written} is no provider that is known here: write ${SPELLINGS}`,
    ja: `${written} というプロバイダーは使えません。${SPELLINGS_JA} と書いてください`,
  };
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

function priceProblem(name: string): Statement | undefined {
  const model = apiModelOf(name);
  if (model) return spellingProblem(name, model);
  return {
    en: `${name} needs no price: only models asked over an API do (${SPELLINGS})`,
    ja: `${name} に料金は要りません。料金が要るのは API で呼ぶモデル（${SPELLINGS_JA}）だけです`,
  };
}
