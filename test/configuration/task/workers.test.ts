import { describe, expect, test } from "vitest";
import { agentSettings } from "../../../src/compose/agent-settings.ts";
import { withFlags } from "../../../src/configuration/task/layers.ts";
import { configurationsOf } from "../../../src/connection/agents/registry.ts";
import { MINIMAL, resolved, thrown } from "./support.ts";

const LIST = "agents: [claude, {command: ./b}]\n";

describe("several agents", () => {
  test("the first one is preferred, the others are its fallbacks, and each says where it was named", () => {
    const { configuration, sources } = resolved({ task: MINIMAL + LIST });
    expect(configuration).toMatchObject({ agent: "claude", fallbacks: [{ agent: { command: "./b" }, model: null }] });
    expect(sources).toMatchObject({ agent: "task.yaml:3", fallbacks: "task.yaml:3" });
  });

  test("on the command line replace those of the file, and one alone has no fallbacks", () => {
    const two = resolved({ task: MINIMAL + LIST, flags: { agent: ["command:./c", "claude"] } }).configuration;
    const one = resolved({ task: MINIMAL + LIST, flags: { agent: ["command:./c"] } }).configuration;

    expect(two).toMatchObject({ agent: { command: "./c" }, fallbacks: [{ agent: "claude", model: null }] });
    expect(one).toMatchObject({ agent: { command: "./c" }, fallbacks: [] });
  });

  test("an agent of the task replaces the list of the project", () => {
    const { configuration } = resolved({ task: `${MINIMAL}agent: {command: ./c}\n`, project: LIST });
    expect(configuration).toMatchObject({ agent: { command: "./c" }, fallbacks: [] });
  });

  test("one in a mapping without a model has its own", () => {
    const agents = "agents: [{agent: codex}, {agent: {command: ./b}}]\nescalate_to: {agent: gemini}\n";
    expect(resolved({ task: MINIMAL + agents }).configuration).toMatchObject({
      agent: "codex",
      fallbacks: [{ agent: { command: "./b" }, model: null }],
      escalate_to: { agent: "gemini", model: null },
      models: { executor: "default" },
    });
  });

  test("a model beside the first one is the executor's; that of another one is its own", () => {
    const agents = "agents: [{agent: claude, model: haiku}, {agent: claude, model: opus}, claude, claude]\n";
    const { configuration } = resolved({ task: MINIMAL + agents });
    expect(configuration.models.executor).toBe("haiku");
    expect(configuration.fallbacks).toEqual([
      { agent: "claude", model: "opus" },
      { agent: "claude", model: null },
    ]);
  });

  test("a resumed run takes other agents", () => {
    const { configuration } = resolved({ task: MINIMAL + LIST });
    const changed = withFlags(configuration, { agent: ["claude", "scripted:b.yaml"] }, agentSettings);
    expect(changed).toMatchObject({ agent: "claude", fallbacks: [{ agent: { scripted: "b.yaml" }, model: null }] });
  });

  test.each([
    ["agent: claude\nagents: [claude]\n", "`agents` is there, too"],
    ["agents: []\n", "agents"],
    ["agents: [{agent: claude, model: 'openai:gpt-5'}]\n", "agents"],
    ["agents: [cloude]\n", "agents[0]"],
    ["escalate_to: 'openai:gpt-5'\n", "escalate_to"],
  ])("%s is refused", (yaml, said) => {
    const error = thrown(() => resolved({ task: MINIMAL + yaml }));
    expect(error.code).toBe("configuration_invalid");
    expect(error.message).toContain(said);
  });
});

describe("the models of one agent", () => {
  test("are not handed to another one; a model over an API answers beside any of them", () => {
    const models = "models: {executor: haiku, judge: ['openai:gpt-5', opus], summarizer: none}\n";
    const { configuration } = resolved({ task: MINIMAL + models + LIST });
    const [preferred, fallback] = configurationsOf(configuration);

    expect(preferred).toMatchObject({ models: { executor: "haiku" }, judges: ["openai:gpt-5", "opus"] });
    expect(fallback).toMatchObject({
      agent: { command: "./b" },
      models: { executor: "sonnet", judge: "openai:gpt-5", summarizer: "none" },
      judges: ["openai:gpt-5", "sonnet"],
    });
  });

  test("are left to an agent that chooses its model itself, unless it is named", () => {
    const models = "models: {executor: haiku, judge: ['openai:gpt-5', opus]}\n";
    const list = "agents: [claude, codex, {agent: gemini, model: pro}]\nescalate_to: opencode\n";
    const { configuration } = resolved({ task: MINIMAL + models + list });

    expect(configurationsOf(configuration).map((one) => [one.models.executor, ...one.judges])).toEqual([
      ["haiku", "openai:gpt-5", "opus"],
      ["default", "openai:gpt-5", "default"],
      ["pro", "openai:gpt-5", "pro"],
      ["default", "openai:gpt-5", "default"],
    ]);
  });

  test.each([
    ["[{command: ./b}, codex, claude]", "", ["default", "none", ["default"]]],
    ["[{command: ./b}, {agent: codex, model: big}]", "", ["big", "none", ["big"]]],
    ["[{command: ./b}, codex]", "models: {judge: [small, 'openai:gpt-5']}\n", ["small", "none", ["small"]]],
    ["[{command: ./b}, claude, codex]", "", ["sonnet", "none", ["sonnet"]]],
    ["[{command: ./b}, {command: ./c}]", "", ["sonnet", "none", ["sonnet"]]],
  ])("in the roles are those of the first one that answers them: agents %s, %s", (agents, models, expected) => {
    const { configuration } = resolved({ task: `${MINIMAL}agents: ${agents}\n${models}` });
    const { judge, summarizer } = configuration.models;
    expect([judge, summarizer, configuration.reviewers]).toEqual(expected);
  });

  test("in the roles change when a resumed task gets another agent that answers them", () => {
    const { configuration } = resolved({ task: `${MINIMAL}agents: [{command: ./b}, codex]\n` });
    const judgeWith = (agent: string[]) => withFlags(configuration, { agent }, agentSettings).models.judge;

    expect(judgeWith(["command:./c", "codex"])).toBe("default");
    expect(judgeWith(["command:./b"])).toBe("sonnet");
  });

  test("are not those of the agent that a resumed task gets in its place", () => {
    const { configuration } = resolved({ task: `${MINIMAL}models: {judge: ['openai:gpt-5', opus]}\n` });
    const changed = withFlags(configuration, { agent: ["codex"] }, agentSettings);
    expect(changed).toMatchObject({ agent: "codex", judges: ["openai:gpt-5", "default"] });
  });
});

describe("escalate_to", () => {
  test.each<[string, object]>([
    ["opus", { agent: null, model: "opus" }],
    ["qwen3:8b", { agent: null, model: "qwen3:8b" }],
    ["claude", { agent: "claude", model: null }],
    ["command:./strong", { agent: { command: "./strong" }, model: null }],
    ["codex@gpt-6", { agent: "codex", model: "gpt-6" }],
    ["claude-sonnet-4-5@20250929", { agent: null, model: "claude-sonnet-4-5@20250929" }],
  ])("--escalate-to %s", (escalateTo, expected) => {
    const { configuration, sources } = resolved({ task: MINIMAL, flags: { escalateTo } });
    expect(configuration.escalate_to).toEqual(expected);
    expect(sources.escalate_to).toBe("flag --escalate-to");
  });

  test.each<[string, object | null]>([
    ["opus", { agent: null, model: "opus" }],
    ["{command: ./strong}", { agent: { command: "./strong" }, model: null }],
    ["{agent: claude, model: opus}", { agent: "claude", model: "opus" }],
    ["null", null],
  ])("escalate_to: %s", (written, expected) => {
    const task = `${MINIMAL}escalate_to: ${written}\n`;
    expect(resolved({ task, project: "escalate_to: haiku\n" }).configuration.escalate_to).toEqual(expected);
  });
});
