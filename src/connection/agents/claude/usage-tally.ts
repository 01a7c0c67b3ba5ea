import type { ModelUsage, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Price } from "../../../model/configuration.ts";
import { costOf, spentTokens, type Tokens } from "../api/tokens.ts";

/** Token counts as the API words them; any may be missing. */
interface WireUsage {
  input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens?: number | null;
}

interface Counted {
  input: number;
  cacheCreation: number;
  output: number;
}

const NOTHING: Counted = { input: 0, cacheCreation: 0, output: 0 };

/**
 * Adds up tokens while they are spent. The same API message is told of many times, once for every block and again in
 * the raw stream, with counts that only grow: it counts once, with its highest.
 */
export class UsageTally {
  readonly #messages = new Map<string, Counted>();
  /** The message each conversation is in: the main one, and those of subagents. */
  readonly #current = new Map<string | null, string>();
  #total = 0;
  #taken = 0;

  begin(conversation: string | null, id: string, usage: WireUsage | undefined): void {
    this.#current.set(conversation, id);
    this.count(id, usage);
  }

  grow(conversation: string | null, usage: WireUsage | undefined): void {
    const id = this.#current.get(conversation);
    if (id !== undefined) this.count(id, usage);
  }

  count(id: string, usage: WireUsage | undefined): void {
    const before = this.#messages.get(id) ?? NOTHING;
    const now: Counted = {
      input: Math.max(before.input, usage?.input_tokens ?? 0),
      cacheCreation: Math.max(before.cacheCreation, usage?.cache_creation_input_tokens ?? 0),
      output: Math.max(before.output, usage?.output_tokens ?? 0),
    };
    this.#messages.set(id, now);
    this.#total += sum(now) - sum(before);
  }

  get total(): number {
    return this.#total;
  }

  /** What has come since the last taking. */
  take(): number {
    const fresh = this.#total - this.#taken;
    this.#taken = this.#total;
    return fresh;
  }
}

function sum({ input, cacheCreation, output }: Counted): number {
  return input + cacheCreation + output;
}

export interface ResultSpending {
  tokens: number;
  cost_usd: number;
  /** Models whose price neither Claude Code nor the configuration knows. */
  unpriced: string[];
}

/** What Claude Code itself says it has spent, subagents and all, since it was started. */
export function resultSpending(result: SDKResultMessage, prices: Readonly<Record<string, Price>>): ResultSpending {
  const models = Object.entries(result.modelUsage ?? {});
  const guessed = models.filter(([, { costBasis }]) => costBasis === "unknown");
  const unpriced = guessed.map(([model]) => model).filter((model) => !Object.hasOwn(prices, model));
  const tokens = models.reduce((total, [, usage]) => total + spentTokens(tokensIn(usage)), 0);
  // For a model that it does not know, such as a local one, Claude Code charges the price of its own.
  const costs = models.map(([model, usage]) =>
    usage.costBasis === "unknown" ? costOf(tokensIn(usage), prices[model]) : usage.costUSD,
  );
  const cost_usd = guessed.length > 0 ? costs.reduce((total, cost) => total + cost, 0) : (result.total_cost_usd ?? 0);
  return { tokens, cost_usd, unpriced };
}

function tokensIn(usage: ModelUsage): Tokens {
  const { inputTokens, cacheCreationInputTokens, cacheReadInputTokens, outputTokens } = usage;
  return {
    input: inputTokens ?? 0,
    cache_write: cacheCreationInputTokens ?? 0,
    cache_read: cacheReadInputTokens ?? 0,
    output: outputTokens ?? 0,
  };
}
