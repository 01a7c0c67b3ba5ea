import type { SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";

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

/** What Claude Code itself says it has spent, subagents and all, since it was started. */
export function resultSpending(result: SDKResultMessage): { tokens: number; cost_usd: number } {
  const models = Object.values(result.modelUsage ?? {});
  const tokens = models.reduce(
    (total, one) => total + (one.inputTokens ?? 0) + (one.cacheCreationInputTokens ?? 0) + (one.outputTokens ?? 0),
    0,
  );
  return { tokens, cost_usd: result.total_cost_usd ?? 0 };
}
