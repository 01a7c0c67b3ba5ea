import type { Price } from "../../../model/configuration.ts";
import { isRecord } from "../../../model/json.ts";
import { costOf, NO_TOKENS, spentTokens, type Tokens } from "../api/tokens.ts";

/** What is known of an answer's cost. Undefined: the agent has not said. */
export interface KnownUsage {
  tokens: number | undefined;
  cost_usd: number | undefined;
  /** The cost comes from the tokens. */
  is_priced: boolean;
}

/** Collects what an agent says of one session, in the places where agents say it. */
export class SessionUsage {
  #tokens: Tokens | undefined;
  #cost: number | undefined;

  /**
   * Reads any message of the session. Later counts replace earlier ones: they are of the whole session. One of 0 says nothing: an agent
   * that does not know its tokens or its price says so, too, and no model answers for nothing.
   */
  read(said: unknown): void {
    const tokens = tokensIn(said);
    if (tokens && Object.values(tokens).some(Boolean)) this.#tokens = tokens;
    this.#cost = costIn(said) || this.#cost;
  }

  /** What the session has cost so far, where the agent says it. */
  get cost(): number {
    return this.#cost ?? 0;
  }

  /** The tokens of the session, where the agent says them. */
  get tokens(): Tokens | undefined {
    return this.#tokens;
  }

  known(price: Price | undefined): KnownUsage {
    const tokens = this.#tokens;
    const priced = price && tokens ? costOf(tokens, price) : undefined;
    const told = this.#cost;
    return { tokens: tokens && spentTokens(tokens), cost_usd: told ?? priced, is_priced: told === undefined };
  }
}

/** Only dollars can be held against a budget. */
function costIn(said: unknown): number | undefined {
  if (!isRecord(said) || !isRecord(said.cost)) return undefined;
  const { amount, currency } = said.cost;
  return typeof amount === "number" && amount >= 0 && String(currency).toUpperCase() === "USD" ? amount : undefined;
}

/** The first counts in a response or its `_meta`, however they are spelled. */
function tokensIn(said: unknown, depth = 0): Tokens | undefined {
  if (!isRecord(said) || depth > DEEPEST) return undefined;
  const here = countsIn(said);
  if (here) return here;
  for (const key of PLACES) {
    const found = tokensIn(said[key], depth + 1);
    if (found) return found;
  }
  return undefined;
}

const DEEPEST = 4;
/** Where responses keep counts; any other part of a response may hold numbers of the work itself. */
const PLACES = ["usage", "_meta", "quota", "token_count", "tokenCount", "tokens", "codex", "gemini", "total", "last"];

function countsIn(said: Record<string, unknown>): Tokens | undefined {
  const number = (...names: string[]) =>
    names.map((name) => said[name]).find((value) => typeof value === "number" && value >= 0) as number | undefined;
  const input = number("inputTokens", "input_tokens", "promptTokens", "prompt_tokens", "promptTokenCount");
  const output = number(
    "outputTokens",
    "output_tokens",
    "completionTokens",
    "completion_tokens",
    "candidatesTokenCount",
  );
  if (input === undefined || output === undefined) return undefined;
  const cache_read = number("cachedReadTokens", "cached_read_tokens", "cachedInputTokens", "cached_input_tokens") ?? 0;
  const cache_write = number("cachedWriteTokens", "cached_write_tokens") ?? 0;
  const thought = number("thoughtTokens", "thought_tokens") ?? 0;
  const total = number("totalTokens", "total_tokens");
  // Some count what a cache held as input, others beside it; their sum tells.
  const isApart = total !== undefined ? total >= input + output + cache_read + cache_write : cache_read > input;
  const fresh = isApart ? input : Math.max(0, input - cache_read);
  const isThoughtApart =
    total !== undefined && total >= input + output + thought + (isApart ? cache_read + cache_write : 0);
  return { ...NO_TOKENS, input: fresh, cache_read, cache_write, output: output + (isThoughtApart ? thought : 0) };
}
