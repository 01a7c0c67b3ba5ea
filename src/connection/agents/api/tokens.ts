import { z } from "zod";
import type { Price } from "../../../model/configuration.ts";
import { jsonIn } from "../../../model/json.ts";
import type { Generated } from "./language-model.ts";

/** Input that is new, input written to a cache, input read from one, and output. */
export interface Tokens {
  input: number;
  cache_write: number;
  cache_read: number;
  output: number;
}

export const NO_TOKENS: Tokens = { input: 0, cache_write: 0, cache_read: 0, output: 0 };

export function tokensOf({ usage: { inputTokens, outputTokens } }: Generated): Tokens {
  const { total = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const input = inputTokens.noCache ?? Math.max(0, total - cacheRead - cacheWrite);
  return { input, cache_write: cacheWrite, cache_read: cacheRead, output: outputTokens.total ?? 0 };
}

const count = z.number().min(0).default(0).catch(0);
const Counts = z.looseObject({
  input_tokens: count,
  prompt_tokens: count,
  output_tokens: count,
  completion_tokens: count,
});
const Body = z.looseObject({ usage: Counts });

/** The tokens that an unusable answer reports. */
export function tokensIn(body: string): Tokens {
  const usage = Body.safeParse(jsonIn(body)).data?.usage;
  if (!usage) return NO_TOKENS;
  const { input_tokens, prompt_tokens, output_tokens, completion_tokens } = usage;
  return { ...NO_TOKENS, input: input_tokens || prompt_tokens, output: output_tokens || completion_tokens };
}

export function addTokens(left: Tokens, right: Tokens): Tokens {
  return {
    input: left.input + right.input,
    cache_write: left.cache_write + right.cache_write,
    cache_read: left.cache_read + right.cache_read,
    output: left.output + right.output,
  };
}

/** Spent tokens are all but cache reads, as with Claude Code. */
export function spentTokens({ input, cache_write, output }: Tokens): number {
  return input + cache_write + output;
}

/** Cached input is charged in full: the estimate may be too high, never too low. */
export function costOf(tokens: Tokens, price: Price | undefined): number {
  if (!price) return 0;
  const input = tokens.input + tokens.cache_write + tokens.cache_read;
  return (input * price.input + tokens.output * price.output) / 1_000_000;
}
