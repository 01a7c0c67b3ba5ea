import { expect, test } from "vitest";
import { SessionUsage } from "../../../src/connection/agents/acp/usage.ts";

function usageOf(...said: object[]): SessionUsage {
  const usage = new SessionUsage();
  for (const one of said) usage.read(one);
  return usage;
}

const TOKENS = { usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 } };
const free = { sessionUpdate: "usage_update", used: 100, size: 1000, cost: { amount: 0, currency: "USD" } };

test("a cost of 0 for tokens that were used is a price that the agent does not know", () => {
  expect(usageOf(free, TOKENS).known(undefined)).toEqual({ tokens: 120, cost_usd: undefined });
  expect(usageOf(free, TOKENS).known({ input: 1_000_000, output: 0 }).cost_usd).toBeGreaterThan(0);
});

test("a cost of 0 where nothing was used is believed", () => {
  expect(usageOf(free).known(undefined).cost_usd).toBe(0);
});
