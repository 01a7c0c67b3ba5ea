import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { TaskFile } from "../../src/model/configuration.ts";
import { CommandCriterion } from "../../src/model/criterion.ts";

test("docs/task-file.md names every key that a task file may have", async () => {
  const file = await readFile(new URL("../../docs/task-file.md", import.meta.url), "utf8");
  const page = file.replace(/^```[\s\S]*?^```$/gm, "");
  const words = new Set([...page.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) => code.split(/[^a-z_.]+/)));

  const keys = [...keysOf(TaskFile), ...keysOf(CommandCriterion)];

  expect(keys.length).toBeGreaterThan(40);
  expect(keys.filter((key) => !words.has(key) && !words.has(lastPart(key)))).toEqual([]);
});

interface Properties {
  properties?: Record<string, Properties>;
}

function keysOf(schema: z.ZodType): string[] {
  const walk = ({ properties = {} }: Properties, prefix: string): string[] =>
    Object.entries(properties).flatMap(([key, value]) =>
      value.properties ? walk(value, `${prefix}${key}.`) : [prefix + key],
    );
  return walk(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Properties, "");
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}
