import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("ARCHITECTURE.md stays short and its diagram shows the imports as they are", () => {
  expect(readFileSync(`${ROOT}ARCHITECTURE.md`, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(125);
  expect(() => execFileSync(process.execPath, ["scripts/diagram.mjs", "--check"], { cwd: ROOT })).not.toThrow();
});
