import { expect, test } from "vitest";
import { blocks, displayWidth, fitted, fittedTable } from "../../src/cli/render/columns.ts";
import { printable, steady } from "../../src/cli/render/lines.ts";
import { progressLines } from "../../src/cli/render/progress.ts";
import { en } from "../../src/texts/en/catalogue.ts";

test.each([
  ["plain", 5],
  ["日本語", 6],
  ["ｱｲｳ", 3],
  ["ガ", 2],
  ["ｶﾞ", 2],
  ["ﾊﾟｰ", 3],
  ["✔✘·→…", 5],
  ["é", 1],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["🇯🇵", 2],
  ["❤️", 2],
  ["𠮷", 2],
  ["한글", 4],
  ["", 0],
])("%j takes %i columns of a terminal", (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test("a text is cut between letters, never within one, and never wider than asked", () => {
  expect(fitted("日本語のテキスト", 7)).toBe("日本語…");
  expect(fitted("日本語のテキスト", 8)).toBe("日本語…");
  expect(fitted("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5)).toBe("👩‍👩‍👧👩‍👩‍👧…");
  expect(fitted(" two\n lines ", 20)).toBe("two lines");
});

test("nothing in a text can steer the terminal", () => {
  expect(printable("\u001b[2J\u001b[31mred\u001b[0m\u0007\r\n\tnext\u009b")).toBe("red\n\tnext");
  expect(printable("\u001b]8;;http://x\u0007link\u001b]8;;\u001b\\ end")).toBe("link end");
});

test("of a finished line only our own colours steer the terminal, and JSON in it stays the same data", () => {
  const ours = new Set(["\u001b[31m", "\u001b[39m"]);
  expect(steady("\u001b[31mred\u001b[39m\u001b[8m hidden\u001b[2J\u001b]2;title\u0007\r\n\tnext", ours)).toBe(
    "\u001b[31mred\u001b[39m hidden\n\tnext",
  );
  const data = { text: "a\u001b[2J\u007f\u0085\u009b2J\u2028" };
  const written = steady(JSON.stringify(data, null, 2), ours);
  expect(written).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(JSON.parse(written)).toEqual(data);
});

test("the names of tools and steps do not steer the live view's log", () => {
  const style = { texts: en, paint: (_: string, text: string) => text, verbose: true, debug: false };
  const odd = "odd\u001b[2J\r\nname";
  const step = { step_id: odd, name: odd, kind: "work", iteration: 1, number: 1, of: 2, is_retry: false } as const;
  expect(progressLines({ type: "step-start", ...step }, style)).toEqual([expect.stringContaining("odd name")]);
  expect(progressLines({ type: "tool-call", role: "executor", tool: odd, detail: "" }, style)).toEqual([
    "    → odd name",
  ]);
});

test("the widest columns give way first, and only as far as they must", () => {
  const rows = [
    ["id", "text", "長い"],
    ["1", "x".repeat(50), "語".repeat(40)],
  ];
  const lines = fittedTable(rows, 40) ?? [];
  expect(Math.max(...lines.map(displayWidth))).toBe(40);
  expect(lines[1]).toMatch(/^1 {3}x+… {2}語+…$/);
  expect(fittedTable([["a"], ["b".repeat(30)]], 40)).toEqual(["a", "b".repeat(30)]);
});

test("a table too wide for the terminal becomes blocks", () => {
  const columns = ["id", "名前", "text", "more"];
  const rows = [["2026-01-23T10-00-00", "日本語の名前です", "x".repeat(50), "y"]];

  expect(fittedTable([columns, ...rows], 34)).toBeUndefined();
  expect(fittedTable([columns, ...rows], 50)).toBeDefined();
  expect(blocks(columns, rows, 24)).toEqual([
    ["id    2026-01-23T10-00-…", "名前  日本語の名前です", `text  ${"x".repeat(17)}…`, "more  y"],
  ]);
});
