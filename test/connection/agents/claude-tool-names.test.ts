import { describe, expect, test } from "vitest";
import { firstProgram, toolDetail, toolLabel } from "../../../src/connection/agents/claude/tools.ts";

describe("the program a command is about", () => {
  test.each([
    ["pytest -x", "pytest"],
    ["  npm test\n", "npm"],
    ["cd /a/b && npm test", "npm"],
    ["cd 'a b' && cd c; make", "make"],
    ["cd src\npytest", "pytest"],
    ["FOO=1 BAR='x y' cargo build", "cargo"],
    ["export A=1; go test ./...", "go"],
    ["A=1 && echo $A", "echo"],
    ["sudo -n apt-get update", "apt-get"],
    ["sudo env X=1 ./run.sh", "run.sh"],
    ["/usr/local/bin/python3 -m pytest", "python3"],
    ['"./my tool" --x', "my"],
    ["timeout 30s node x.js", "node"],
    ["timeout -k 5 30 node x.js", "node"],
    ["time nohup ./server &", "server"],
    ["# a comment\ngit status", "git"],
    ["(cd x && ls)", "ls"],
    ["! grep -q x y", "grep"],
    ["set -euo pipefail; jq . a.json", "jq"],
    ["ls|wc -l", "ls"],
    ["git>out", "git"],
    ["", ""],
    ["$(which node) x", ""],
    ["cd", "cd"],
  ])("%j: %s", (command, program) => {
    expect(firstProgram(command)).toBe(program);
  });
});

test("a tool is named with its program or skill, and plainly where there is none", () => {
  expect(toolLabel("Bash", { command: "pytest -q" })).toBe("Bash(pytest)");
  expect(toolLabel("Bash", {})).toBe("Bash");
  expect(toolLabel("Skill", { skill: "review" })).toBe("Skill(review)");
  expect(toolLabel("Read", { file_path: "a" })).toBe("Read");
});

test.each([
  [{ command: "first\nsecond", description: "d" }, "first"],
  [{ file_path: "src/a.ts", content: "long" }, "src/a.ts"],
  [{ pattern: "needle", path: "src" }, "needle"],
  [{ url: "https://example.com", prompt: "p" }, "https://example.com"],
  [{ amount: 3, anything: "else" }, "else"],
  [{ amount: 3 }, ""],
  [{ command: "x".repeat(300) }, `${"x".repeat(200)}…`],
])("of %j one line is shown", (input, detail) => {
  expect(toolDetail(input)).toBe(detail);
});
