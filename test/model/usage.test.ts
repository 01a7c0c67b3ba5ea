import { expect, test } from "vitest";
import { type Spending, spentInAll } from "../../src/model/usage.ts";

const ENDING = { usage: { tokens: 30, cost_usd: 3, seconds: 300 }, timestamp: "2026-01-23T13:00:00.000Z" };

test("what a task has cost is the sum of its lines", () => {
  const lines = [line("12:00", 10), line("12:30", 20)];

  expect(spentInAll(lines, undefined)).toEqual({ tokens: 30, cost_usd: 3, seconds: 300 });
  expect(spentInAll(lines, ENDING)).toEqual({ tokens: 30, cost_usd: 3, seconds: 300 });
});

test("lines that were lost were spent all the same, as far as an ending has counted them", () => {
  expect(spentInAll([], ENDING)).toEqual(ENDING.usage);
  expect(spentInAll([line("12:30", 20)], ENDING)).toEqual(ENDING.usage);
  expect(spentInAll([line("14:00", 5)], ENDING)).toEqual({ tokens: 35, cost_usd: 3.5, seconds: 350 });
});

function line(time: string, tokens: number): Spending {
  const timestamp = `2026-01-23T${time}:00.000Z`;
  const spent = { tokens, cost_usd: tokens / 10, seconds: tokens * 10 };
  return { type: "spending", spender: "executor", iteration: 1, ...spent, timestamp };
}
