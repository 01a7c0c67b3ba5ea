import { describe, expect, test } from "vitest";
import { readYaml } from "../../../src/configuration/task/read-yaml.ts";
import { E8Error } from "../../../src/model/errors.ts";
import { inEnglish } from "../../support/saying.ts";

const read = (text: string) => readYaml({ name: "task.yaml", text });

describe("what can be read", () => {
  test("block, folded, quoted and bare texts, lists in both styles, and comments", () => {
    const { data } = read(`# a comment
block: |
  one
  two
folded: >
  one
  two
single: 'it''s "so"'
double: "tab\\tend"
bare: 日本語 のテキスト  # after it
flow: [a, "b: c"]
list:
- x
`);

    expect(data).toEqual({
      block: "one\ntwo\n",
      folded: "one two\n",
      single: 'it\'s "so"',
      double: "tab\tend",
      bare: "日本語 のテキスト",
      flow: ["a", "b: c"],
      list: ["x"],
    });
  });

  test("anchors, aliases and merge keys, as PyYAML has them", () => {
    const { data } = read("a: &base {x: 1, y: 2}\nb:\n  <<: *base\n  y: 3\nc: *base\n");

    expect(data).toEqual({ a: { x: 1, y: 2 }, b: { x: 1, y: 3 }, c: { x: 1, y: 2 } });
  });

  test.each(["", "\n\n", "# only a comment\n", "---\n", "null\n"])("%j is an empty mapping", (text) => {
    expect(read(text).data).toEqual({});
  });

  test("a byte order mark and Windows line ends change nothing", () => {
    expect(read("\uFEFFtask: x\r\nnote: |\r\n  one\r\n  two\r\n").data).toEqual({ task: "x", note: "one\ntwo\n" });
  });

  test("a key named __proto__ is a key like any other", () => {
    expect(Object.keys(read("__proto__: {polluted: true}").data)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("what is refused, with its place and the line itself", () => {
  test.each([
    ["a: 1\n\tb: 2\n", "line 2, column 1: →b: 2", "spaces only"],
    ["a: |\n\ttext\n", "line 2, column 1: →text", "spaces only"],
    ["a: 1\nb: 2\na: 3\n", "line 3, column 1: a: 3", "twice"],
    ["task: Fix it: now\n", "line 1, column 7: task: Fix it: now", 'contains ": " needs quotes'],
    ["task: `npm test` passes\n", "line 1, column 7: task: `npm test` passes", "needs quotes"],
    ["task: {{name}}\n", "line 1, column 8: task: {{name}}", "needs quotes"],
    ["a: [1, 2\nb: 3\n", "line 2, column 1: b: 3", "end with a ]"],
    ["a: b\nc: 'open\nd: e\n", "line 2, column 4: c: 'open", "never closed"],
    ['a: "fine"\nc: "open\nd: e\n', 'line 2, column 4: c: "open', "never closed"],
    ["a:\n   b: 1\n  c: 2\n", "line 3, column 1:   c: 2", "same column"],
    ["a: 1\n---\nb: 2\n", "line 2, column 1: ---", "a file holds one"],
    ["a: *nowhere\n", "line 1, column 4: a: *nowhere", "no anchor &nowhere"],
    ["a: !env HOME\n", "line 1, column 4: a: !env HOME", "unresolved tag: !env"],
    ["- a\n- b\n", "line 1, column 1: - a", "it is a list"],
    ["just words\n", "line 1, column 1: just words", "it is a single value"],
  ])("%j", (text, place, problem) => {
    const error = refusal(text);

    expect(error.code).toBe("yaml_broken");
    expect(error.message).toContain("task.yaml is not valid YAML");
    expect(error.message).toContain(place);
    expect(error.message).toContain(problem);
  });

  test("a very long line is shown around the fault only", () => {
    const error = refusal(`a: [${"x, ".repeat(1000)}*nowhere]`);

    expect(error.message.length).toBeLessThan(400);
    expect(error.message).toMatch(/column 3005: …[x, ]*\*nowhere\]$/);
  });

  test("aliases that multiply beyond measure", () => {
    const levels = Array.from({ length: 9 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(9)}]`);

    expect(refusal(`l0: &l0 [x]\n${levels.join("\n")}`).message).toMatch(/excessive alias count.*line 2, column/s);
  });

  test.each(["[", "- ", "{a: ", "? "])("nesting without end, made of %j", (piece) => {
    expect(refusal(`a:\n  ${piece.repeat(20_000)}`).message).toContain("nested more than 50 levels deep");
  });

  test("more than a megabyte, counted in bytes", () => {
    expect(refusal(`a: ${"あ".repeat(400_000)}`).code).toBe("file_too_large");
    expect(read(`a: ${"a".repeat(400_000)}`).data.a).toHaveLength(400_000);
  });
});

describe("lines", () => {
  const file = read(`task: x
criteria:
  - one
  - type: command
    command: y
defaults: &d
  inner: 1
other: *d
`);

  test.each([
    [["task"], 1],
    [["criteria"], 2],
    [["criteria", 0], 3],
    [["criteria", 1, "command"], 5],
    [["other"], 8],
    [["other", "inner"], 7],
    [["criteria", 1, "missing"], 4],
    [["criteria", 9], 2],
    [["nowhere"], 1],
    [[], 1],
  ])("%j stands in line %i", (path, line) => {
    expect(file.lineOf(path)).toBe(line);
  });
});

function refusal(text: string): E8Error {
  try {
    read(text);
  } catch (error) {
    if (error instanceof E8Error) return inEnglish(error);
    throw error;
  }
  throw new Error("it was read");
}
