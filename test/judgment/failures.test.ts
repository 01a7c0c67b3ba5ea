import { describe, expect, test } from "vitest";
import { backoffSeconds, consequenceOf, PATIENCE_HOURS } from "../../src/judgment/failures.ts";
import type { FailureCode } from "../../src/model/agent.ts";

describe("what follows from a failed answer", () => {
  test.each<{ consequence: string; codes: FailureCode[] }>([
    { consequence: "fatal", codes: ["authentication", "billing", "configuration"] },
    { consequence: "wait", codes: ["rate_limit", "usage_limit", "overloaded", "server", "network"] },
    { consequence: "again", codes: ["malformed"] },
    {
      consequence: "record",
      codes: [
        "schema_resolution",
        "silent",
        "timeout",
        "turn_limit",
        "budget",
        "context_overflow",
        "refused",
        "crashed",
      ],
    },
  ])("$consequence: $codes", ({ consequence, codes }) => {
    const such = Object.entries(consequenceOf).filter(([, one]) => one === consequence);
    expect(such.map(([code]) => code).sort()).toEqual([...codes].sort());
  });
});

describe("waiting", () => {
  test("doubles from two seconds to five minutes and stays there", () => {
    expect([1, 2, 3, 7, 8, 9, 50, 5000].map(backoffSeconds)).toEqual([2, 4, 8, 128, 256, 300, 300, 300]);
  });

  test("lasts six hours at most", () => {
    expect(PATIENCE_HOURS).toBe(6);
  });
});
