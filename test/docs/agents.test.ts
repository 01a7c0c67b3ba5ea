import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentSettings } from "../../src/compose/agent-settings.ts";
import { toolCallOf } from "../../src/connection/agents/claude/tools.ts";
import { loadStory } from "../../src/connection/agents/scripted/model/load-story.ts";
import { misfit } from "../../src/execution/flow/step-work.ts";
import { runAgent } from "../../src/index.ts";
import { toolPolicy } from "../../src/judgment/flow/tool-policy.ts";
import { CompletionType, laterNames } from "../../src/model/flow/agent-file.ts";
import { agentJson, CompletionLabelsJson } from "../../src/model/flow/agent-json.ts";
import { registryJson } from "../../src/model/flow/registry-json.ts";
import { intentsOf, type StepKind } from "../../src/model/flow/steps-registry.ts";
import { parserNames, runtimeVariables, stdinVariables, systemVariables } from "../../src/model/flow/variables.ts";
import { WorkflowJson } from "../../src/model/flow/workflow-json.ts";
import { loadFlow } from "../configuration/flow/support.ts";
import { scriptedSandbox } from "../support/sandbox.ts";
import { vocabulary } from "../support/schema-vocabulary.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const page = await readFile(join(ROOT, "docs/agents.md"), "utf8");
const reference = page.slice(page.indexOf("\n# Reference\n"));
const said = [...reference.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
const words = new Set(said.flatMap((code) => code.split(/[^A-Za-z0-9_$:-]+/)));

test.each([
  ["agent.json", agentJson(agentSettings.flow_access), 60],
  ["the labels of agent.json", CompletionLabelsJson, 2],
  ["steps_registry.json", registryJson(agentSettings.flow_access), 60],
  ["workflow.json", WorkflowJson, 30],
])("the reference names every key and every choice of %s", (_, schema, atLeast) => {
  const { keys, choices } = vocabulary(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));

  expect(keys.length).toBeGreaterThanOrEqual(atLeast);
  expect([...new Set([...keys, ...choices])].filter((word) => !words.has(word))).toEqual([]);
});

test.each([
  ["completion type of either generation", [...CompletionType.options, ...Object.values(laterNames)]],
  ["intent", Object.values(intentsOf).flat()],
  ["parser of extractParams", parserNames],
  ["variable of prompts", [...runtimeVariables, ...stdinVariables, ...systemVariables].map((name) => `uv-${name}`)],
])("the reference names every %s", (_, names) => {
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

test("the reference names every way in which a flow can fail, and no other", async () => {
  const files = (await readdir(join(ROOT, "src/execution"), { recursive: true })).filter((name) =>
    name.endsWith(".ts"),
  );
  const texts = await Promise.all(files.map((name) => readFile(join(ROOT, "src/execution", name), "utf8")));
  const codes = texts.flatMap((text) => text.match(/FAILED_[A-Z_]+/g) ?? []);

  expect(codes.length).toBeGreaterThan(4);
  expect(new Set(reference.match(/FAILED_[A-Z_]+/g))).toEqual(new Set(codes));
});

test("the page's first agent loads, and nothing is wrong with it", () => {
  const { definition, problems } = loadFlow(firstAgent(), "/project/.agent/notes");

  expect(problems).toEqual([]);
  expect(definition?.entryStep).toBe("initial.write");
  expect(Object.keys(definition?.registry.completionSteps ?? {})).toEqual(["closure.check"]);
  expect(definition?.retryPrompts["closure.check/todo-left"]?.text).toContain("{{#each places}}");
});

test("the answers of the page's story fit the schemas of the steps that give them", () => {
  const files = firstAgent();
  const { definition } = loadFlow(files, "/project/.agent/notes");
  const { scenes } = loadStory(files.get("story.yaml") ?? "", "story.yaml");

  expect(scenes).toHaveLength(3);
  for (const { who, turns } of scenes) {
    const resolved = definition?.schemas[who ?? ""];
    expect(resolved && "schema" in resolved && misfit(resolved.schema, turns.at(-1)?.answer)).toBeUndefined();
  }
});

test("the page's table of tool calls is what the tool policy decides", () => {
  const rows = [...reference.matchAll(/^\| `(.+?)` +\| (denied|allowed) +\| (denied|allowed) +\|$/gm)];
  const expected = rows.map(([, command, work, verification]) => [command, work, work, verification]);

  expect(rows.length).toBeGreaterThan(10);
  expect(expected.map(([command = ""]) => [command, ...kinds.map((kind) => decision(kind, command))])).toEqual(
    expected,
  );
});

const kinds = ["work", "closure", "verification"] as const;

function decision(kind: StepKind, command: string): string {
  return toolPolicy(kind)(toolCallOf("Bash", { command })) === undefined ? "allowed" : "denied";
}

test("the tools that the page keeps from verification steps are kept from them, and from no other", () => {
  const [, listed = ""] = /the file tools \(([^)]+)\)/.exec(reference) ?? [];
  const tools = [...listed.matchAll(/`(\w+)`/g)].map(([, tool = ""]) => tool);

  expect(tools).toContain("Write");
  expect(tools.filter((tool) => !toolPolicy("verification")(toolCallOf(tool, { file_path: "x" })))).toEqual([]);
  expect(tools.filter((tool) => toolPolicy("work")(toolCallOf(tool, { file_path: "x" })))).toEqual([]);
});

test("the page's story runs the page's agent to its end: refused once, with a reason, then done", async () => {
  const files = firstAgent();
  const box = await scriptedSandbox(loadStory(files.get("story.yaml") ?? "", "story.yaml"));
  const { project, env, write, read } = box;
  for (const [path, text] of files) await write(`.agent/notes/${path}`, text);

  const result = await runAgent("notes", { topic: "sourdough" }, { project, environment: env });

  expect(result).toMatchObject({ status: "completed", iterations_used: 4, error_message: null });
  expect(await read("NOTES.md")).toBe("# Sourdough\n\nFlour, water, salt.\n");
  const asked = await box.asked("initial.write");
  expect(asked.some(({ text }) => text.includes("- 3:Flour, water."))).toBe(true);
});

/** The files that the page spells out: a path on its own line, then a fenced block. */
function firstAgent(): Map<string, string> {
  const blocks = page.matchAll(/^`\.agent\/notes\/([^`]+)`\n\n```\w+\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, path = "", text = ""]) => [path, text]));
}

test("the reference names every variable of the environment that decides where the issues are", async () => {
  const files = ["create-tracker.ts", "github/token.ts"];
  const sources = await Promise.all(files.map((name) => readFile(join(ROOT, "src/connection/trackers", name), "utf8")));
  const variables = [...sources.join("").matchAll(/environment\.([A-Z0-9_]+)/g)].map(([, name = ""]) => name);

  expect(variables.length).toBeGreaterThanOrEqual(4);
  expect(variables.filter((name) => !words.has(name))).toEqual([]);
});
