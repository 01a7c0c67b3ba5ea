import { expect, test } from "vitest";
import { liveRows } from "../../../src/cli/live/backlog-screen.ts";
import type { BacklogLine } from "../../../src/cli/live/backlog-state.ts";
import { en } from "../../../src/texts/en/catalogue.ts";

function line(issue: number, more: Partial<BacklogLine> = {}): BacklogLine {
  const spent = { iteration: 1, met: 0, criteria: 2, tokens: 1234, cost_usd: 0.5 };
  return { issue, title: `Issue ${issue}`, doing: "execute", ...spent, ...more };
}

test("the columns stand under their names; those that no run has a value for are left out", () => {
  const waiting = line(12, { doing: "queue", met: 2, iteration: 3, cost_usd: 0, title: "A long one ".repeat(20) });

  expect(liveRows([line(1), waiting], en, { columns: 80, rows: 24 })).toEqual([
    "",
    "issue  now               iteration  criteria  tokens      title",
    "#1     working           1          0/2       1.2k $0.50  Issue 1",
    expect.stringMatching(/^#12 {4}waiting to merge {2}3 {10}2\/2 {7}1\.2k {8}A long one .*…$/),
  ]);
});

test("with a workflow the phase is shown, and a run that waits for its model says until when", () => {
  const until = new Date(2026, 0, 23, 10, 5).getTime();

  const [, , row] = liveRows([line(1, { phase: "review", waits_until: until })], en, { columns: 100, rows: 24 });

  expect(row).toMatch(/^#1 {5}review {2}until 10:05/);
});

test("no more lines than the terminal can hold, however many runs there are, and none wider than it is", () => {
  const lines = Array.from({ length: 40 }, (_, index) => line(index + 1));

  const rows = liveRows(lines, en, { columns: 30, rows: 10 });

  expect(rows).toHaveLength(9);
  expect(rows.at(-1)).toBe("… 34 more");
  for (const row of rows) expect(row.length).toBeLessThan(30);
});
