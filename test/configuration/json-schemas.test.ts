import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { agentSettings } from "../../src/compose/agent-settings.ts";
import { jsonSchemas, taskJsonSchema } from "../../src/configuration/json-schemas.ts";
import { type Starter, starterFile } from "../../src/configuration/task/starter-file.ts";
import { TaskFile } from "../../src/model/configuration.ts";
import { teller } from "../../src/texts/tell.ts";

const tell = teller("en");

const ROOT = new URL("../../", import.meta.url);
const isTask = new Ajv({ allErrors: true, formats: { uri: true } }).compile(taskJsonSchema(tell, agentSettings));

test.each(Object.entries(jsonSchemas(tell, agentSettings)))(
  "schemas/%s is what the program itself reads by; else run scripts/json-schemas.mjs",
  (name, schema) => {
    const shipped = readFileSync(new URL(`schemas/${name}`, ROOT), "utf8");

    expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(schema)));
    expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", additionalProperties: false });
  },
);

test("every key of a task file is in the schema, with a description for editors", () => {
  const { properties } = taskJsonSchema(tell, agentSettings) as {
    properties: Record<string, { description?: string }>;
  };

  expect(Object.keys(properties).sort()).toEqual(Object.keys(TaskFile.shape).sort());
  for (const [key, value] of Object.entries(properties)) expect(value.description, key).toMatch(/\.$/);
});

test.each([
  ["a sentence and a check", { task: "x", criteria: ["y", { type: "command", command: "true", hidden: true }] }, true],
  ["one criterion without a list", { task: "x", criteria: "y" }, true],
  ["tokens with a unit", { task: "x", criteria: "y", budget: { tokens: "1.5M" } }, true],
  ["tokens in words", { task: "x", criteria: "y", budget: { tokens: "lots" } }, false],
  ["no criteria", { task: "x" }, false],
  ["a misspelt key", { task: "x", criteria: ["y"], max_iteration: 3 }, false],
  ["a misspelt key of a group", { task: "x", criteria: ["y"], budget: { cost: 3 } }, false],
  ["too many iterations", { task: "x", criteria: ["y"], max_iterations: 1001 }, false],
])("the schema tells %s", (_, task, isValid) => {
  expect(isTask(task)).toBe(isValid);
});

const STARTERS: Partial<Starter>[] = [
  {},
  { task: "Zeile: eins\n\n- zwei # drei", criteria: ["yes", "null", "a: b", "# c", "{uv-task}"] },
  { checks: ['test "$(cat a)" = "b: c"', "true"], cost_usd: 2.5, iterations: 100 },
];

test.each(["en", "ja"].flatMap((language) => STARTERS.map((starter) => ({ language, starter }))))(
  "a starter file in $language holds what was said and fits the schema: $starter",
  ({ language, starter }) => {
    const template = readFileSync(new URL(`templates/task/${language}.yaml.template`, ROOT), "utf8");
    const said = {
      file: "t.yaml",
      schema: "x.json",
      task: "t",
      criteria: ["c"],
      checks: [],
      iterations: 3,
      ...starter,
    };

    const text = starterFile({ file: language, text: template }, said);

    const read = parse(text);
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=x.json");
    expect(isTask(read), JSON.stringify(isTask.errors)).toBe(true);
    expect(TaskFile.parse(read)).toMatchObject({ task: said.task, max_iterations: said.iterations });
    expect(read.criteria).toEqual([...said.criteria, ...said.checks.map((command) => ({ type: "command", command }))]);
    expect(read.budget?.cost_usd).toBe(said.cost_usd);
  },
);

test.each(["en", "ja"])("what the %s starter has in comments can be uncommented", (language) => {
  const template = readFileSync(new URL(`templates/task/${language}.yaml.template`, ROOT), "utf8");
  const said = { file: "t", schema: "s", task: "t", criteria: ["c"], checks: [], iterations: 3 };

  const text = starterFile({ file: language, text: template }, said).replace(
    /^# ((?: {2}|[a-z_]+:(?: [\w.]|$)).*)$/gm,
    "$1",
  );

  const read = parse(text.replace(/^yaml-language-server.*$/m, ""));
  expect(isTask(read), JSON.stringify(isTask.errors)).toBe(true);
  expect(read).toMatchObject({
    criteria: ["c", { hidden: true }, { type: "unchanged" }],
    budget: { minutes: 60 },
    models: { judge: "sonnet" },
  });
});
