import { describe, expect, test } from "vitest";
import { schemaResolver } from "../../../src/configuration/flow/schema/resolve.ts";
import { saying } from "../../support/saying.ts";

function resolve(schema: string, file: object, others: Record<string, object> = {}) {
  const files = new Map(
    Object.entries({ "s.json": file, ...others }).map(([name, data]) => [`schemas/${name}`, JSON.stringify(data)]),
  );
  return schemaResolver(files, "schemas")({ file: "s.json", schema });
}

const text = { type: "string" };
const closed = (properties: object) => ({ type: "object", properties, additionalProperties: false });

describe("a reference", () => {
  test("by bare name and by pointer leads to the same", () => {
    const file = { definitions: { "initial.task": { type: "object", properties: { a: text } } } };

    expect(resolve("initial.task", file)).toEqual(resolve("#/definitions/initial.task", file));
    expect(resolve("initial.task", file)).toEqual({ schema: closed({ a: text }) });
  });

  test("by bare name is looked up in definitions, then $defs, then at the top", () => {
    const number = { type: "number" };
    const truth = { type: "boolean" };

    expect(resolve("x", { definitions: { x: text }, $defs: { x: number }, x: truth })).toEqual({ schema: text });
    expect(resolve("x", { $defs: { x: number }, x: truth })).toEqual({ schema: number });
    expect(resolve("x", { x: truth })).toEqual({ schema: truth });
  });

  test.each(["##/x", "#/a//b", "#x", "#/a~2b", "#/"])("%s is malformed", (pointer) => {
    expect(resolve(pointer, { x: text })).toEqual({ problem: saying(`${pointer} is a malformed JSON pointer`) });
  });

  test("with escapes is understood", () => {
    const file = { definitions: { "a/b~c d": text, "50%": text } };

    expect(resolve("#/definitions/a~1b~0c%20d", file)).toEqual({ schema: text });
    expect(resolve("a/b~c d", file)).toEqual({ schema: text });
    expect(resolve("50%", file)).toEqual({ schema: text });
  });

  test.each([
    ["to nothing in the file", "#/definitions/y", "leads nowhere in schemas/s.json"],
    ["to an unknown name", "y", "has no y in definitions"],
  ])("%s is a problem that says so", (_, schema, said) => {
    expect(resolve(schema, { definitions: {} })).toEqual({ problem: saying(said) });
  });

  test("to the prototype of an object leads nowhere", () => {
    expect(resolve("constructor", { definitions: {} })).toHaveProperty("problem");
    expect(resolve("#/definitions/__proto__", { definitions: {} })).toHaveProperty("problem");
  });

  test("to a file that is missing or broken is a problem that names it", () => {
    const reference = { file: "x.json", schema: "a" };
    expect(schemaResolver(new Map(), "schemas")(reference)).toEqual({
      problem: saying("schemas/x.json does not exist"),
    });
    expect(schemaResolver(new Map([["schemas/x.json", "{,}"]]), "schemas")(reference)).toEqual({
      problem: saying("schemas/x.json is not valid JSON"),
    });
  });

  test("to the network is refused", () => {
    expect(resolve("x", { x: { $ref: "https://example.org/x.json" } })).toEqual({
      problem: saying("network"),
    });
  });
});

describe("$ref", () => {
  test("used twice resolves twice", () => {
    const file = {
      definitions: {
        r: text,
        x: { type: "object", properties: { a: { $ref: "#/definitions/r" }, b: { $ref: "#/definitions/r" } } },
      },
    };

    expect(resolve("x", file)).toEqual({ schema: closed({ a: text, b: text }) });
  });

  test("leads into other files and from there on, beside them and up", () => {
    const others = {
      "common/a.json": { a: { $ref: "../b.json#/$defs/b" } },
      "b.json": { $defs: { b: { $ref: "#/c" } }, c: text },
    };

    expect(resolve("x", { x: { $ref: "common/a.json#/a" } }, others)).toEqual({ schema: text });
  });

  test("works in lists, unions and nested properties", () => {
    const file = {
      r: text,
      x: { type: "array", items: { anyOf: [{ $ref: "#/r" }, { type: "object", properties: { a: { $ref: "#/r" } } }] } },
    };

    expect(resolve("x", file)).toEqual({ schema: { type: "array", items: { anyOf: [text, closed({ a: text })] } } });
  });

  test("that comes back to itself is a cycle, and is named", () => {
    const file = {
      definitions: {
        a: { $ref: "#/definitions/b" },
        b: { type: "object", properties: { a: { $ref: "#/definitions/a" } } },
      },
    };

    expect(resolve("a", file)).toEqual({
      problem: saying(
        "schemas/s.json#/definitions/a → schemas/s.json#/definitions/b → schemas/s.json#/definitions/a is a cycle",
      ),
    });
  });

  test("is data where it stands among values", () => {
    const file = { x: { type: "object", default: { $ref: "#/nowhere" }, properties: { $ref: text } } };

    expect(resolve("x", file)).toEqual({ schema: { ...closed({ $ref: text }), default: { $ref: "#/nowhere" } } });
  });
});

test("a $ref that is not a text is reported", () => {
  expect(resolve("x", { x: { $ref: 3 } })).toEqual({ problem: saying("$ref 3") });
});

describe("allOf", () => {
  const action = (...values: string[]) => ({
    type: "object",
    required: ["action"],
    properties: { action: { enum: values } },
  });
  const base = {
    type: "object",
    required: ["stepId"],
    properties: { stepId: text, next_action: action("next", "closing") },
  };

  test("is merged: the derived property wins, required is the union, objects are closed", () => {
    const file = {
      base,
      x: {
        allOf: [{ $ref: "#/base" }],
        required: ["stepId", "next_action"],
        properties: { next_action: action("closing") },
      },
    };

    expect(resolve("x", file)).toEqual({
      schema: {
        type: "object",
        required: ["stepId", "next_action"],
        properties: { stepId: text, next_action: { ...action("closing"), additionalProperties: false } },
        additionalProperties: false,
      },
    });
  });

  test("of several bases: the later one wins over the earlier", () => {
    const file = { x: { allOf: [{ properties: { a: text } }, { properties: { a: { type: "number" } } }] } };

    expect(resolve("x", file)).toMatchObject({ schema: { properties: { a: { type: "number" } } } });
  });
});

describe("objects", () => {
  test("that say whether they are open keep what they say", () => {
    const file = {
      x: {
        type: "object",
        properties: {
          a: { type: "object", additionalProperties: true },
          b: { type: "object", additionalProperties: text },
        },
      },
    };

    expect(resolve("x", file)).toEqual({
      schema: closed({
        a: { type: "object", additionalProperties: true },
        b: { type: "object", additionalProperties: text },
      }),
    });
  });

  test("named like a keyword are closed, too, and the dialect is not part of the result", () => {
    const file = {
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "x",
      type: "object",
      properties: { properties: { type: "object", properties: {} } },
    };

    expect(resolve("#", file)).toEqual({ schema: closed({ properties: closed({}) }) });
  });
});
