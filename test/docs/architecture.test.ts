import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Without the diagram, which grows with the layers. */
const LONGEST = 90;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("ARCHITECTURE.md stays short and its diagram shows the imports as they are", () => {
  const text = readFileSync(`${ROOT}ARCHITECTURE.md`, "utf8");
  const written = text.replace(/<!-- diagram -->[\s\S]*<!-- \/diagram -->/, "");
  expect(written.trimEnd().split("\n").length).toBeLessThanOrEqual(LONGEST);
  expect(text).toMatch(/^```mermaid\nflowchart LR\n[\s\S]*\["judgment"\]/m);
  expect(() => execFileSync(process.execPath, ["scripts/diagram.mjs", "--check"], { cwd: ROOT })).not.toThrow();
});
