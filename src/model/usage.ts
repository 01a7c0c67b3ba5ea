import { z } from "zod";

/** Amounts that an agent may not report. */
export const UnknownAmount = z.enum(["tokens", "cost"]);
export type UnknownAmount = z.infer<typeof UnknownAmount>;

/** What was spent. Tokens are input, cache writes and output; cache reads are not counted. */
export const Usage = z.object({
  tokens: z.number().min(0).default(0),
  cost_usd: z.number().min(0).default(0),
  seconds: z.number().min(0).default(0),
  /** What the agent did not say, in part or at all: the amount is the part that is known. */
  unknown: z.array(UnknownAmount).optional(),
});
export type Usage = z.infer<typeof Usage>;

export const NOTHING_SPENT: Usage = { tokens: 0, cost_usd: 0, seconds: 0 };

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    tokens: left.tokens + right.tokens,
    cost_usd: left.cost_usd + right.cost_usd,
    seconds: left.seconds + right.seconds,
    ...unknownIn(left, right),
  };
}

function unknownIn(...usages: readonly Pick<Usage, "unknown">[]): Pick<Usage, "unknown"> {
  const unknown = UnknownAmount.options.filter((amount) => usages.some((usage) => usage.unknown?.includes(amount)));
  return unknown.length > 0 ? { unknown } : {};
}

export const Spender = z.enum(["intake", "executor", "summarizer", "judge", "reviewer", "checks", "waiting"]);
export type Spender = z.infer<typeof Spender>;

/** One line of the ledger: the usage since the line before. Their sum is the cost of the task. */
export const Spending = Usage.extend({
  type: z.literal("spending"),
  spender: Spender,
  iteration: z.int().min(0),
  timestamp: z.string(),
});
export type Spending = z.infer<typeof Spending>;

/** The cost of a task. Lost lines count as far as the last ending includes them, so that no budget is spent twice. */
export function spentInAll(
  spending: readonly Spending[],
  ending: { usage: Usage; timestamp: string } | null | undefined,
): Usage {
  const { usage, timestamp } = ending ?? { usage: NOTHING_SPENT, timestamp: "" };
  const all = spending.reduce<Usage>(addUsage, NOTHING_SPENT);
  const since = spending.filter((one) => one.timestamp > timestamp).reduce<Usage>(addUsage, usage);
  return {
    tokens: Math.max(all.tokens, since.tokens),
    cost_usd: Math.max(all.cost_usd, since.cost_usd),
    seconds: Math.max(all.seconds, since.seconds),
    ...unknownIn(all, since),
  };
}
