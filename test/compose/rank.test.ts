import { expect, test } from "vitest";
import { rankOf } from "../../src/compose/fleet/submit.ts";

const at = (time: string) => new Date(`2026-01-23T${time}:00Z`);

test("a more urgent task overtakes those of the last hour, and every task has its turn in the end", () => {
  const normal = rankOf("normal", at("12:00"));
  expect(rankOf("high", at("12:50"))).toBeLessThan(normal);
  expect(rankOf("high", at("13:10"))).toBeGreaterThan(normal);
  expect(rankOf("normal", at("12:10"))).toBeGreaterThan(normal);
  expect(rankOf("critical", at("23:00"))).toBeGreaterThan(normal);
});
