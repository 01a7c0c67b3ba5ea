import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillRetryTemplate } from "../../../src/judgment/flow/retry-template.ts";
import { saying } from "../../support/saying.ts";

describe("[C30] the conformance template", () => {
  const template = "{{#if f}}F:{{#each f}}-{{this}};{{/each}}{{else}}none{{/if}}";
  test("lists the items, or says that there are none", () => {
    expect(fillRetryTemplate(template, { f: ["x", "y"] })).toBe("F:-x;-y;");
    expect(fillRetryTemplate(template, { f: [] })).toBe("none");
    expect(fillRetryTemplate(template, {})).toBe("none");
  });
  test("takes a hostile file name for the text it is", () => {
    expect(fillRetryTemplate(template, { f: ["$(touch pwned)", "{{f}}"] })).toBe("F:-$(touch pwned);-{{f}};");
  });
});

test.each([
  ["{{x}}", { x: "a" }, "a"],
  ["{{ x }}", { x: "a" }, "a"],
  ["{{{x}}}", { x: "<a>" }, "<a>"],
  ["{{a.b}}", { a: { b: 1 } }, "1"],
  ["{{a.b.c}}", { a: {} }, ""],
  ["{{missing}}", {}, ""],
  ["{{constructor}}", {}, ""],
  ["{{x.constructor}}", { x: {} }, ""],
  ["{{xs}}", { xs: ["a", "b"] }, "a, b"],
  ["{{xs.length}}", { xs: ["a", "b"] }, "2"],
  ["{{o}}", { o: { a: 1 } }, '{"a":1}'],
  ["{{x}}", { x: null }, ""],
  ["{{x}}", { x: 0 }, "0"],
  ["{{! a comment }}x", {}, "x"],
  ["{a} { {b} } }", {}, "{a} { {b} } }"],
  [
    "{{#each xs}}{{@index}}{{this.y}}{{#if @last}}.{{else}},{{/if}}{{/each}}",
    { xs: [{ y: "a" }, { y: "b" }] },
    "0a,1b.",
  ],
  ["{{#each xs}}{{y}}{{z}}{{/each}}", { xs: [{ y: 1 }], z: 2 }, "12"],
  ["{{#each xs}}[{{#each this}}{{this}}{{/each}}]{{/each}}", { xs: [["a", "b"], ["c"]] }, "[ab][c]"],
  ["{{#each xs}}x{{else}}nothing{{/each}}", { xs: [] }, "nothing"],
  ["{{#each xs}}x{{/each}}", {}, ""],
  ["{{#each x}}[{{this}}]{{/each}}", { x: "one" }, "[one]"],
  ["{{#if a}}{{#if b}}ab{{else}}a{{/if}}{{else}}-{{/if}}", { a: 1 }, "a"],
  ["{{#if a}}{{#if b}}ab{{else}}a{{/if}}{{else}}-{{/if}}", { b: 1 }, "-"],
  ["{{#if a.b}}y{{/if}}", { a: { b: "x" } }, "y"],
  ["一{{名前}}二", { 名前: "三" }, "一三二"],
])("%s with %j is %j", (template, values, expected) => {
  expect(fillRetryTemplate(template, values)).toBe(expected);
});

test("missing, null, false, 0, the empty text and the empty list are false; everything else is true", () => {
  const truth = (x: unknown) => fillRetryTemplate("{{#if x}}yes{{else}}no{{/if}}", { x });
  expect([undefined, null, false, 0, "", []].map(truth)).toEqual(Array(6).fill("no"));
  expect([true, 1, "0", "false", ["x"], {}].map(truth)).toEqual(Array(6).fill("yes"));
});

test.each([
  ["{{#if x}}a", "{{#if x}} is never closed"],
  ["a{{/if}}", "closes nothing"],
  ["{{#if x}}{{/each}}", "{{/if}} should"],
  ["{{#if x}}{{else}}{{else}}{{/if}}", "second {{else}}"],
  ["{{else}}", "belongs to no block"],
  ["{{#with x}}{{/with}}", "neither an if nor an each"],
  ["{{#if}}{{/if}}", "neither an if nor an each"],
  ["{{#if a b}}{{/if}}", "does not name a value"],
  ["a\n{{x", "{{ is never closed"],
  ["a\n\n{{a b}}", "is not a name"],
  ["{{}}", "is not a name"],
])("%j is wrong", (template, problem) => {
  expect(fillRetryTemplate(template, {})).toMatchObject({ problem: saying(problem) });
});

test("the author's text can be filled by another syntax without touching values", () => {
  const fill = (text: string) => text.replaceAll("{uv-a}", "{{x}}");
  expect(fillRetryTemplate("{uv-a} {{x}}", { x: "{uv-a}" }, fill)).toBe("{{x}} {uv-a}");
});

test("a value is inserted as it is, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string(), (x) => {
      expect(fillRetryTemplate("<{{x}}>", { x })).toBe(`<${x}>`);
      expect(fillRetryTemplate("{{#each xs}}<{{this}}>{{/each}}", { xs: [x, x] })).toBe(`<${x}><${x}>`);
    }),
  );
});
