import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentSettings } from "../../src/compose/agent-settings.ts";
import { settingsSchemas } from "../../src/configuration/task/agent-settings.ts";
import { CommandCriterion, UnchangedCriterion } from "../../src/model/criterion.ts";

test("docs/task-file.md names every key that a task file may have", async () => {
  const file = await readFile(new URL("../../docs/task-file.md", import.meta.url), "utf8");
  const page = file.replace(/^```[\s\S]*?^```$/gm, "");
  const named = new Set([...page.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));

  const keys = [
    ...keysOf(settingsSchemas(agentSettings).task),
    ...keysOf(CommandCriterion),
    ...keysOf(UnchangedCriterion),
  ];

  expect(keys.length).toBeGreaterThan(40);
  expect(keys.filter((key) => !named.has(key) && !isInGroup(key, named))).toEqual([]);
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

/** `a.b.c` where `a.b` stands, and `{…, c, …}` tells what is in it. */
function isInGroup(key: string, named: ReadonlySet<string>): boolean {
  const dot = key.lastIndexOf(".");
  const members = [...named]
    .filter((code) => /^\{[a-z_, ]+\}$/.test(code))
    .map((code) => code.slice(1, -1).split(", "));
  return dot > 0 && named.has(key.slice(0, dot)) && members.some((group) => group.includes(key.slice(dot + 1)));
}
