import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldLines, fieldsAtEnd } from "../../src/model/issue.ts";
import { issueBody, issueTask } from "../../src/orchestrator/issue-task.ts";

const FENCE = "```";

function read(body: string, more: Partial<Parameters<typeof issueTask>[0]> = {}) {
  return issueTask({ title: "Fix it", body, labels: [], blocked_by: [], ...more });
}

function told(body: string): string[] {
  return read(body).criteria.map((one) =>
    one.type === "command" ? `$ ${one.command}` : one.type === "semantic" ? one.text : "",
  );
}

describe("criteria are the items under their heading", () => {
  test.each([
    ["a heading", "## Acceptance criteria\n\n- a\n* b\n+ c\n1. d\n2) e", ["a", "b", "c", "d", "e"]],
    ["a Japanese heading", "### 完了条件：\n- あ\n- い", ["あ", "い"]],
    ["a bold line", "**Acceptance Criteria:**\n- a", ["a"]],
    ["a line", "Acceptance criteria:\n\n- a", ["a"]],
    ["boxes", "# Acceptance criteria\n- [ ] a\n- [x] b\n- [ ] [ ] c", ["a", "b", "[ ] c"]],
    ["long items", "# Acceptance criteria\n- a\n  goes on\nand on\n\n  and on\n- b", ["a goes on and on and on", "b"]],
    ["nested items", "# Acceptance criteria\n- a\n    - of a\n- b", ["a - of a", "b"]],
    ["a lower heading", "# Acceptance criteria\n## Must\n- a\n## May\n- b\n# Notes\n- c", ["a", "b"]],
    ["another heading after it", "**Acceptance criteria**\n- a\n###### Notes\n- b", ["a"]],
    ["prose between", "# Acceptance criteria\nAll of these:\n- a\n\nand that is all\n- b", ["a", "b"]],
    ["lines of Windows", "# Acceptance criteria\r\n- a\r\n- b\r\n", ["a", "b"]],
    ["two sections", "# Acceptance criteria\n- a\n# Other\n- x\n# 完了条件\n- b", ["a", "b"]],
    ["a hidden hint", "# Acceptance criteria\n<!-- one a line:\n- example\n-->\n- a", ["a"]],
    ["an example in a fence", `${FENCE}\n# Acceptance criteria\n- x\n${FENCE}\n- y`, []],
    ["no such heading", "# Steps\n- a\n- b", []],
  ])("%s", (_what, body, criteria) => {
    expect(told(body)).toEqual(criteria);
  });
});

describe("checks are the fenced blocks that say so", () => {
  test.each([
    ["anywhere", `Text\n${FENCE}check\nnpm test\n${FENCE}`, ["$ npm test"]],
    ["with a language", `${FENCE}sh check\nnpm test\n${FENCE}`, ["$ npm test"]],
    ["of tildes", "~~~ check\nnpm test\n~~~", ["$ npm test"]],
    ["with several lines", `${FENCE}check\ncd a\nnpm test\n${FENCE}`, ["$ cd a\nnpm test"]],
    [
      "in an item",
      `# 完了条件\n- it works\n  ${FENCE}check\n  npm test\n  ${FENCE}\n- b`,
      ["it works", "$ npm test", "b"],
    ],
    ["inside a longer fence", `${FENCE}\`md\n${FENCE}check\nx\n${FENCE}\n${FENCE}\``, []],
    ["without an end", `${FENCE}check\nnpm test`, ["$ npm test"]],
    ["but not empty ones", `${FENCE}check\n\n${FENCE}`, []],
    ["nor others", `${FENCE}checks\nx\n${FENCE}\n${FENCE}sh\nx\n${FENCE}`, []],
    ["nor in a comment", `<!--\n${FENCE}check\nx\n${FENCE}\n-->`, []],
  ])("%s", (_what, body, criteria) => {
    expect(told(body)).toEqual(criteria);
  });
});

test("the task is the title and what is left of the body, other blocks included", () => {
  const body = `It breaks.\n\n${FENCE}js\n- x\n${FENCE}\n\n## 完了条件\n\n- a\n\n## Notes\n\nend\n\nBase: main`;

  expect(read(body).task).toBe(`Fix it\n\nIt breaks.\n\n${FENCE}js\n- x\n${FENCE}\n\n## Notes\n\nend`);
});

test.each([
  ["Blocked by #3", [3]],
  ["It is blocked by #3, #4 and #5.", [3, 4, 5]],
  ["blocked by: #7", [7]],
  [`${FENCE}\nblocked by #9\n${FENCE}`, []],
  ["unblocked by #9", []],
])("%j says what must be done first", (body, numbers) => {
  expect(read(body).blocked_by).toEqual(numbers);
});

test.each([
  [{ priority: "low" }, "Priority: high", "low"],
  [{}, "Text\n\nPriority: high", "high"],
  [{ labels: ["bug", "priority: urgent"] }, "", "urgent"],
  [{ labels: ["P1"] }, "", "P1"],
  [{ labels: ["p10", "prioritized"] }, "", undefined],
])("the priority of %j with %j is %s", (more, body, priority) => {
  expect(read(body, more).priority).toBe(priority);
});

test("a base is read from the end of the body only: a line of a text is not a field", () => {
  expect(read("Text\n\nBase: release/2\nPriority: P1")).toMatchObject({ base: "release/2", priority: "P1" });
  expect(read("Base: a\n\nText").base).toBeUndefined();
  expect(read("Text\nBase: a").base).toBeUndefined();
});

describe("what was written is read again", () => {
  const line = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => text.replace(/\s+/g, " ").trim());
  const criterion = fc
    .oneof(line, fc.constantFrom("[ ] a", "- b", "# c", "```check", "<!-- d", "1. e", "Acceptance criteria", "Base: x"))
    .filter((text) => text !== "");
  const command = fc
    .oneof(fc.string({ minLength: 1 }), fc.constantFrom("npm test", "a\nb", "echo '```'", "~~~\nx\n~~~", "<!--"))
    .map((text) => text.replace(/\r\n?/g, "\n").trim())
    .filter((text) => text !== "");
  const hostile = fc
    .array(
      fc.oneof(fc.string(), fc.constantFrom("```", "~~~~ x", "<!--", "-->", "# 完了条件", "- a", "---", "  ```check")),
    )
    .map((lines) => lines.join("\n"));

  test("criteria and checks, after any text", () => {
    fc.assert(
      fc.property(hostile, fc.array(criterion), fc.array(command), (text, criteria, checks) => {
        const before = read(text).criteria;
        const written = read(issueBody(text, { criteria, checks })).criteria;

        expect(written).toEqual([
          ...before,
          ...criteria.map((one) => ({ type: "semantic", text: one })),
          ...checks.map((one) => ({ type: "command", command: one })),
        ]);
      }),
      { numRuns: 500 },
    );
  });

  test("fields, after any body", () => {
    const fields = fc.record({
      priority: fc.option(fc.constantFrom("high", "P1", "とても高い"), { nil: undefined }),
      base: fc.option(fc.constantFrom("main", "release/2"), { nil: undefined }),
      blocked_by: fc.array(fc.integer({ min: 1, max: 9999 })),
    });
    fc.assert(
      fc.property(hostile, fields, (text, given) => {
        const lines = fieldLines(given);
        fc.pre(lines.length > 0);
        const { fields: found, rest } = fieldsAtEnd([text.trimEnd(), lines.join("\n")].filter(Boolean).join("\n\n"));

        expect(found).toEqual(given);
        expect(rest.trimEnd()).toBe(text.replace(/\r\n?/g, "\n").trimEnd());
      }),
    );
  });

  test("anything at all is an issue", () => {
    fc.assert(fc.property(hostile, (text) => read(text).task.startsWith("Fix it")));
  });
});
