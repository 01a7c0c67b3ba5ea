import fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth } from "../../src/cli/render/columns.ts";
import { wrapped } from "../../src/cli/render/wrap.ts";

test("a line is broken between words, and goes on below where it began", () => {
  expect(wrapped("  2. no file under src imports moment", 24)).toEqual([
    "  2. no file under src",
    "    imports moment",
  ]);
  expect(wrapped("short enough", 24)).toEqual(["short enough"]);
});

test("facts that stand side by side stay whole", () => {
  expect(wrapped("iteration 1  2026-01-23 09:00:01  1 min 36 s  tokens 710", 34)).toEqual([
    "iteration 1  2026-01-23 09:00:01",
    "  1 min 36 s  tokens 710",
  ]);
});

test("Japanese is broken between letters, but not before what closes or behind what opens", () => {
  expect(wrapped("  網羅率を九十パーセントまで上げる（説明も書く）。", 24)).toEqual([
    "  網羅率を九十パーセント",
    "    まで上げる（説明も書",
    "    く）。",
  ]);
  expect(wrapped("あいうえおかきくけこ、さしすせそ", 20)).toEqual(["あいうえおかきくけ", "  こ、さしすせそ"]);
  expect(wrapped("あいうえおかきくけこ: さしすせそ", 20)).toEqual(["あいうえおかきくけ", "  こ: さしすせそ"]);
});

test("a word longer than a line stays whole, so that it can be copied", () => {
  const path = `/var/log/build/${"x".repeat(40)}.log`;
  expect(wrapped("records: .e8/tasks/2026-01-23T10-00-00", 36)).toEqual([
    "records:",
    "  .e8/tasks/2026-01-23T10-00-00",
  ]);
  expect(wrapped(`    see ${path} for more`, 30)).toEqual(["    see", `      ${path}`, "      for more"]);
});

test("colours take no room", () => {
  const green = (text: string) => `\u001b[32m${text}\u001b[39m`;
  expect(wrapped(`  ${green("✔ met")}  1. all tests pass`, 26)).toEqual([`  ${green("✔ met")}  1. all tests pass`]);
  expect(wrapped(`  ${green("✔ met")}  1. all the tests pass`, 26)).toEqual([
    `  ${green("✔ met")}  1. all the tests`,
    "    pass",
  ]);
});

test("nothing is lost, and only a single word is wider than the line", () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
    fc.constantFrom("日本語", "（説明）", "👩‍👩‍👧"),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 20, max: 90 }), (words, width) => {
      const line = words.join(" ");
      const lines = wrapped(line, width);
      expect(lines.join("").replace(/ /g, "")).toBe(line.replace(/ /g, ""));
      for (const one of lines)
        if (one.trim().includes(" ")) expect(displayWidth(one.trimEnd())).toBeLessThanOrEqual(width);
    }),
    { numRuns: 2000 },
  );
});
