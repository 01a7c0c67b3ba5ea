import fc from "fast-check";
import { expect, test } from "vitest";
import { E8Error } from "../../src/model/errors.ts";
import { fillTemplate } from "../../src/model/template.ts";
import { inEnglish } from "../support/saying.ts";

const fill = (text: string, values: Record<string, string>) => fillTemplate({ file: "prompts/judge.md", text }, values);

function refused(...given: Parameters<typeof fill>): string {
  try {
    return fill(...given);
  } catch (error) {
    return inEnglish(error as E8Error).message;
  }
}

test("placeholders are filled wherever they stand, each as often as it occurs", () => {
  expect(fill("{uv-task}: {uv-a_b.c-1}, {uv-task}", { task: "タスク", "a_b.c-1": "x" })).toBe("タスク: x, タスク");
});

test("names are words of any language: none of them reaches the model unfilled", () => {
  expect(fill("{uv-課題} {uv-größe_für}", { 課題: "x", größe_für: "y" })).toBe("x y");
  expect(refused("{uv-課題}", {})).toContain("{uv-課題}");
});

test("an empty text is a value", () => {
  expect(fill("[{uv-history}]", { history: "" })).toBe("[]");
});

test("a placeholder that nothing supplies is an error naming it and its file", () => {
  expect(() => fill("a {uv-summery}", { summary: "x" })).toThrowError(E8Error);
  expect(refused("a {uv-summery}", { summary: "x" })).toContain("prompts/judge.md asks for {uv-summery}");
});

test("what every object inherits supplies nothing", () => {
  expect(refused("{uv-constructor}", {})).toContain("{uv-constructor}");
});

test("other braces are left alone", () => {
  expect(fill('{"a": {b}} {{#if x}} {uv-}', {})).toBe('{"a": {b}} {{#if x}} {uv-}');
});

test("whatever a value contains is text: neither placeholders nor replacement patterns in it are expanded", () => {
  const treacherous = fc
    .array(fc.constantFrom("{uv-a}", "{uv-b}", "{uv-zzz}", "$&", "$1", "$$", "x"))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(treacherous, treacherous, (a, b) => {
      expect(fill("<{uv-a}|{uv-b}>", { a, b })).toBe(`<${a}|${b}>`);
    }),
  );
});
