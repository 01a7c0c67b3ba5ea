import { expect, test } from "vitest";
import { SessionUsage } from "../../../src/connection/agents/acp/usage.ts";

function usageOf(...said: object[]): SessionUsage {
  const usage = new SessionUsage();
  for (const one of said) usage.read(one);
  return usage;
}

const TOKENS = { usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 } };
const free = { sessionUpdate: "usage_update", used: 100, size: 1000, cost: { amount: 0, currency: "USD" } };

const NO_TOKENS = { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } };

test("a cost of 0 is a price that the agent does not know", () => {
  for (const usage of [usageOf(free, TOKENS), usageOf(TOKENS, free)]) {
    expect(usage.known(undefined)).toMatchObject({ tokens: 120, cost_usd: undefined });
    expect(usage.known({ input: 1_000_000, output: 0 }).cost_usd).toBeGreaterThan(0);
  }
  expect(usageOf(free).known(undefined)).toMatchObject({ tokens: undefined, cost_usd: undefined });
});

test("a count of 0 tokens is none, and does not replace one", () => {
  expect(usageOf(NO_TOKENS).known({ input: 1, output: 1 })).toMatchObject({ tokens: undefined, cost_usd: undefined });
  expect(usageOf(TOKENS, NO_TOKENS).known(undefined).tokens).toBe(120);
});

test("a price of 0 is the user's word", () => {
  expect(usageOf(TOKENS).known({ input: 0, output: 0 })).toMatchObject({ tokens: 120, cost_usd: 0 });
});
