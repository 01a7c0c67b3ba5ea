import { expect, test } from "vitest";
import { splitDiff } from "../../../src/connection/workspace/file-diffs.ts";

const HEADER = "diff --git a/src/sum.js b/src/sum.js\n--- a/src/sum.js\n+++ b/src/sum.js\n@@ -0,0 +1,2 @@\n";

test.each(["\r", "\u2028", "\u2029"])("a line end in a file does not begin the diff of another file: %j", (end) => {
  const diff = `${HEADER}+/*${end}diff --git a/other.js b/other.js */\n+hidden();\n`;
  expect([...splitDiff(diff)]).toEqual([["src/sum.js", diff]]);
});

test("each file has its part", () => {
  const other = HEADER.replaceAll("src/sum.js", "b c.js");
  expect([...splitDiff(`${HEADER}+1\n+2\n${other}+3\n+4\n`).keys()]).toEqual(["src/sum.js", "b c.js"]);
});
