import fc from "fast-check";
import { expect, test } from "vitest";
import { fixture, loadFlow, told } from "./support.ts";

const NAMES = ["agent.json", "steps_registry.json", "schemas/steps.schema.json", "schemas/common.schema.json"];

/** Every place in a document, as a path. */
function paths(node: unknown, path: string[] = []): string[][] {
  if (typeof node !== "object" || node === null) return [path];
  return [path, ...Object.entries(node).flatMap(([key, value]) => paths(value, [...path, key]))];
}

function changed(text: string, choose: number, value: unknown): string {
  const data = JSON.parse(text);
  const places = paths(data).slice(1);
  const path = places[choose % places.length] ?? [];
  const parent = path.slice(0, -1).reduce((node, step) => node[step], data);
  const key = path.at(-1) ?? "";
  if (value === undefined) delete parent[key];
  else parent[key] = value;
  return JSON.stringify(data, null, 2);
}

test("whatever one value of a definition is replaced by, it is read or refused with a reason, and never thrown", () => {
  const value = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), fc.nat(), value, (name, choose, replacement) => {
      const files = fixture("release-checker");
      files.set(name, changed(files.get(name) ?? "", choose, replacement));
      const { definition, problems } = loadFlow(files, "/x/release-checker");

      expect(definition === undefined).toBe(problems.some(({ severity }) => severity === "error"));
      for (const { message, why, fix } of problems.map(told)) expect([message, why, fix]).not.toContain("");
    }),
    { numRuns: 150 },
  );
});

test("any text in any file is refused, not thrown", () => {
  const names = [...fixture("release-checker").keys()];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ unit: "binary" }), (name, text) => {
      const { problems } = loadFlow(fixture("release-checker").set(name, text), "/x/release-checker");

      if (name.endsWith(".json")) expect(problems.some(({ severity }) => severity === "error")).toBe(true);
    }),
    { numRuns: 50 },
  );
});
