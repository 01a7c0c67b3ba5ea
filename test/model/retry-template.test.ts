import { expect, test } from "vitest";
import { parseRetryTemplate, retryTemplateNames } from "../../src/model/retry-template.ts";
import { saying } from "../support/saying.ts";

function namesIn(template: string): [string, number][] {
  const parsed = parseRetryTemplate(template);
  return "nodes" in parsed ? [...retryTemplateNames(parsed.nodes)] : [];
}

test("the names a template uses are listed once, without those that belong to items", () => {
  const template = "{{a.b}}{{#if c}}{{d}}{{else}}{{a}}{{/if}}{{#each e}}{{this}}{{f}}{{@index}}{{else}}{{g}}{{/each}}";
  expect(namesIn(template).map(([name]) => name)).toEqual(["a", "c", "d", "e", "g"]);
});

test("each name comes with the line where it is used first", () => {
  expect(namesIn("one\n{{a}}\n{{#if b}}\n{{a}}{{c}}\n{{/if}}")).toEqual([
    ["a", 2],
    ["b", 3],
    ["c", 4],
  ]);
});

test.each([
  ["a\n{{x", 2, "{{ is never closed"],
  ["a\n\n{{a b}}", 3, "{{a b}} is not a name"],
  ["a\n{{#if x}}\nb\n", 2, "{{#if x}} is never closed"],
  ["{{#if x}}\n{{/each}}", 2, "{{/each}} stands where {{/if}} should"],
])("%j is wrong in line %i", (template, line, english) => {
  expect(parseRetryTemplate(template)).toEqual({ line, problem: saying(english) });
});
