import { expect, test } from "vitest";
import { FAILURE_GROUPS } from "../../../src/connection/stores/failure-groups.ts";
import { HistoryMemory } from "../../../src/connection/stores/history-memory.ts";
import { summary } from "../../support/stored.ts";

const iterations = (found: { iteration: number }[]) => found.map(({ iteration }) => iteration);

function remembering(capacity: number, ...results: ("success" | "failure" | "error")[]): HistoryMemory {
  const memory = new HistoryMemory(capacity);
  results.forEach((result, index) => {
    memory.add(summary(index + 1, { result }));
  });
  return memory;
}

test("an empty history has an empty context", () => {
  expect(new HistoryMemory(5).context(3)).toEqual({ latest: [], failures: [], failures_left_out: 0 });
});

test("the latest summaries come oldest first, and their failures are not repeated", () => {
  const memory = remembering(20, "failure", "success", "error", "failure", "success");
  const { latest, failures } = memory.context(2);
  expect(iterations(latest)).toEqual([4, 5]);
  expect(failures.map(({ first_iteration }) => first_iteration)).toEqual([1, 3]);
  expect(memory.context(20).failures).toEqual([]);
});

test("the same failure again is counted, from its first iteration to its last", () => {
  const memory = new HistoryMemory(1);
  for (const iteration of [1, 2, 3, 4]) {
    const again = { approach: "same", reason: iteration === 2 ? "other" : "same", result: "failure" } as const;
    memory.add(summary(iteration, again));
  }
  memory.add(summary(5));
  expect(memory.context(1).failures).toEqual([
    { approach: "same", reason: "same", count: 3, first_iteration: 1, last_iteration: 4 },
    { approach: "same", reason: "other", count: 1, first_iteration: 2, last_iteration: 2 },
  ]);
});

test("asking does not change what is remembered", () => {
  const memory = remembering(20, "failure", "failure", "failure");
  const first = memory.context(1);
  expect(memory.context(1)).toEqual(first);
});

test("texts of groups are cut to 300 characters, never through one", () => {
  const memory = new HistoryMemory(1);
  const exact = "😀".repeat(300);
  memory.add(summary(1, { approach: exact, reason: "😀".repeat(301), result: "failure" }));
  memory.add(summary(2));
  const [group] = memory.context(1).failures;
  expect(group).toMatchObject({ approach: exact, reason: `${"😀".repeat(299)}…` });
});

test("of more than 60 groups the 15 oldest and the 45 newest stay, and the rest is counted", () => {
  const memory = new HistoryMemory(20);
  for (let iteration = 1; iteration <= 71; iteration += 1) memory.add(summary(iteration, { result: "failure" }));
  const { failures, failures_left_out } = memory.context(1);
  const firsts = failures.map(({ first_iteration }) => first_iteration);
  expect(firsts).toHaveLength(FAILURE_GROUPS);
  expect(firsts.slice(0, 15)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  expect(firsts.slice(15)).toEqual(Array.from({ length: 45 }, (_, index) => index + 26));
  expect(failures_left_out).toBe(10);
});

test("a failure beyond the limit is recognised again and counts once", () => {
  const memory = new HistoryMemory(1);
  for (let iteration = 1; iteration <= 1000; iteration += 1)
    memory.add(summary(iteration, { approach: `way ${iteration % 100}`, reason: "no", result: "failure" }));
  const { failures, failures_left_out } = memory.context(1);
  expect(failures.length + failures_left_out).toBe(100);
  expect(failures.map(({ count }) => count)).toEqual(failures.map(({ first_iteration: n }) => (n === 100 ? 9 : 10)));
});

test("failures beyond the limit take little memory", () => {
  const memory = new HistoryMemory(20);
  for (let iteration = 1; iteration <= 100_000; iteration += 1)
    memory.add(summary(iteration, { reason: `${iteration} ${"x".repeat(280)}`, result: "failure" }));
  const { latest, failures, failures_left_out } = memory.context(20);
  expect(latest).toHaveLength(20);
  expect(failures).toHaveLength(FAILURE_GROUPS);
  expect(failures_left_out).toBe(100_000 - 20 - FAILURE_GROUPS);
});
