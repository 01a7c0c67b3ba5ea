import { expect, test } from "vitest";
import { page } from "./page.ts";
import { codex } from "./tried/codex.ts";

test("the page of tried agents says of times what was measured, and marks what is beyond the reach", () => {
  const seen = { date: "2026-01-01", node: "v20", platform: "linux x64" };
  const bench = { ...seen, e8: 1.13, bare: 0.84, anew: 1.25, least: 0.78, rounds: 3, load: 1, cores: 2 };

  const text = page([{ agent: codex, kept: { version: "1", cells: {}, bench } }], []);

  expect(text).toMatch(
    /\| 0\.84 s \(`codex exec`\) +\| \*\*1\.35 ×\*\* +\| 1\.25 s +\| 0\.90 × +\| 0\.78 s +\| 0\.35 s/,
  );
  expect(text).not.toMatch(/0\.4 s|0\.13 s/);
});
