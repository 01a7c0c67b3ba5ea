import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault, type JsonFile, readJson } from "../../../src/configuration/flow/read/json-file.ts";
import { spelledPath } from "../../../src/configuration/flow/report.ts";
import { saying } from "../../support/saying.ts";

function read(text: string): JsonFile {
  const file = readJson("x.json", text);
  if (isFault(file)) throw new Error(JSON.stringify(file.problem));
  return file;
}

describe("JSON stays JSON", () => {
  test.each([
    ["a comment", '{\n  // no\n  "a": 1\n}', 2],
    ["a trailing comma", '{\n  "a": 1,\n}', 3],
    ["a trailing comma in a list", '{\n  "first": [\n    1,\n  ],\n  "second": [1, 2, 3]\n}', 4],
    ["a word near the beginning", '{ a: 1,\n  "second": [1, 2, 3]\n}', 1],
    ["single quotes", "{\n\n  'a': 1\n}", 3],
    ["a second document", "{}\n{}", 2],
    ["an end in the middle", '{\n  "a":', 2],
    ["YAML", "a: 1", 1],
    ["nothing", "", 1],
  ])("%s is refused in its line", (_, text, line) => {
    expect(readJson("x.json", text)).toMatchObject({
      line,
      problem: { code: "json_fault", params: { message: expect.any(String) } },
    });
  });

  test("what people write by habit is named", () => {
    expect(readJson("x", '{"a": 1,}')).toMatchObject({
      problem: saying("one too many"),
    });
    expect(readJson("x", "{ // x\n}")).toMatchObject({ problem: saying("no comments") });
  });

  test("nesting without end is refused, not followed", () => {
    expect(readJson("x", `${"[".repeat(5000)}${"]".repeat(5000)}`)).toMatchObject({
      problem: saying("100"),
    });
  });
});

describe("places", () => {
  test("a key is found in its line, a missing one in the nearest line around it", () => {
    const file = read('\uFEFF{\r\n\t"a": [\r\n\t\t{ "b.c": 1 },\r\n\t\t{ "ä\\"": 2 }\r\n\t]\r\n}');

    expect(file.lineOf(["a", 0, "b.c"])).toBe(3);
    expect(file.lineOf(["a", 1, 'ä"'])).toBe(4);
    expect(file.lineOf(["a", 1, "missing", "deeper"])).toBe(4);
    expect(file.lineOf(["missing"])).toBe(1);
  });

  test("a key that stands twice is told, with the second line", () => {
    expect(read('{"a": {\n"x": 1,\n"y": 2,\n"x": 3}}').duplicates).toEqual([{ path: ["a", "x"], line: 4 }]);
  });

  test("every value of any JSON has a place, and no valid JSON is refused", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const file = read(JSON.stringify(JSON.parse(text), null, 1));

        expect(file.data).toEqual(JSON.parse(text));
        expect(file.duplicates).toEqual([]);
      }),
    );
  });

  test("each member of an object stands in a line of its own when it is printed so", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minKeys: 1 }),
        (data) => {
          const file = read(JSON.stringify(data, null, 2));

          Object.keys(JSON.parse(JSON.stringify(data))).forEach((key, index) => {
            expect(file.lineOf([key])).toBe(index + 2);
          });
        },
      ),
    );
  });
});

test("paths are spelled as people write them", () => {
  expect(spelledPath(["steps", "initial.task", "allowedIntents", 2])).toBe('steps["initial.task"].allowedIntents[2]');
  expect(spelledPath([])).toBe("");
});
