import { describe, expect, test } from "vitest";
import { type Candidate, inOrder, priorityChanges } from "../../src/orchestrator/order.ts";
import { workflowOf } from "./support.ts";

const { prioritizer } = workflowOf();
if (!prioritizer) throw new Error("the workflow has a prioritizer");

function item(number: number, more: Partial<Candidate> = {}): Candidate {
  return { number, labels: [] as string[], created_at: `2026-01-${10 + number}T00:00:00Z`, ...more };
}

function numbers(items: readonly { number: number }[]): number[] {
  return items.map(({ number }) => number);
}

describe("issues come", () => {
  test("oldest first where nothing else is said", () => {
    expect(numbers(inOrder([item(3), item(1), item(2, { created_at: "2020-01-01T00:00:00Z" })]))).toEqual([2, 1, 3]);
  });

  test("by the words of their priority", () => {
    const words = ["low", undefined, "P0", "medium", "critical", "高", "P3", "sometime"];
    const items = words.map((priority, index) => item(index + 1, { priority }));

    expect(inOrder(items).map(({ priority }) => priority)).toEqual([
      "critical",
      "P0",
      "高",
      undefined,
      "medium",
      "sometime",
      "low",
      "P3",
    ]);
  });

  test("by the prioritizer's labels, the default in their midst, then by the priority of the phase", () => {
    const items = [
      item(1, { labels: ["P3"] }),
      item(2),
      item(3, { labels: ["bug", "p1"] }),
      item(4, { labels: ["P2"], phase_priority: -1 }),
    ];

    expect(numbers(inOrder(items, prioritizer))).toEqual([3, 4, 2, 1]);
    expect(numbers(inOrder(items, { agent: "p", labels: ["P1", "P2", "P3"] }))).toEqual([3, 4, 1, 2]);
  });
});

describe("what the prioritizer answers", () => {
  const issues = [item(1, { labels: ["bug", "P3"] }), item(2), item(3, { labels: ["P1"] })];

  test("becomes labels; an unknown one the default, and an issue that it does not name keeps its own", () => {
    const answer = [
      { issue: 1, priority: "p1" },
      { issue: 2, priority: "P9" },
      { issue: 99, priority: "P1" },
    ];

    expect(priorityChanges(prioritizer, answer, issues)).toEqual([
      { number: 1, change: { add: ["P1"], remove: ["P3"] } },
      { number: 2, change: { add: ["P2"], remove: [] } },
    ]);
  });

  test("changes nothing without a default where it cannot be used", () => {
    const strict = { agent: "p", labels: ["P1"] };

    for (const answer of [undefined, "P1", [{ issue: "1", priority: "P1" }], [{ issue: 2, priority: "x" }]])
      expect(priorityChanges(strict, answer, issues)).toEqual([]);
  });
});
