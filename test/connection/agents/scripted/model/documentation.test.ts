import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import * as builders from "../../../../../src/connection/agents/scripted/model/builders.ts";
import { loadStory } from "../../../../../src/connection/agents/scripted/model/load-story.ts";
import { Story } from "../../../../../src/connection/agents/scripted/model/story.ts";
import { ExecutionResult, JudgmentResult, ReviewerResult, SummarizerResult } from "../../../../../src/model/roles.ts";
import { vocabulary } from "../../../../support/schema-vocabulary.ts";

const page = await readFile(new URL("../../../../../docs/scripted-model.md", import.meta.url), "utf8");

test("the page has a row for every key of a story, and names every choice", () => {
  const { keys, choices } = vocabulary(z.toJSONSchema(Story));
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const described = rows.flatMap((row) =>
    [...(row.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1]),
  );

  expect([...new Set(described)].sort()).toEqual([...new Set(keys)].sort());
  expect(choices).toContain("stall");
  for (const choice of choices) expect(page).toContain(`\`${choice}\``);
});

test("the page's story is the same in YAML and in TypeScript", () => {
  const typescript = example("ts").replace("const greeting =", "return");
  const tell = new Function(...Object.keys(builders), typescript) as (...words: unknown[]) => unknown;

  expect(tell(...Object.values(builders))).toEqual(loadStory(example("yaml"), "story.yaml"));
});

test("the answers of the page's story are ones that endless8 takes", () => {
  const { scenes } = loadStory(example("yaml"), "story.yaml");
  const schemas = [ExecutionResult, SummarizerResult, JudgmentResult, ReviewerResult];

  expect(scenes).toHaveLength(schemas.length);
  for (const [index, schema] of schemas.entries()) {
    expect(schema.safeParse(scenes[index]?.turns.at(-1)?.answer).success).toBe(true);
  }
});

function example(language: string): string {
  return page.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
}
