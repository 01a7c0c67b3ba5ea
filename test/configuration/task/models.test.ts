import { describe, expect, test } from "vitest";
import { reviewersOf } from "../../../src/model/configuration.ts";
import { MINIMAL, resolved, thrown, type Written } from "./support.ts";

const all = (model: string) => ({ intake: model, executor: model, summarizer: model, judge: model });
const others = (model: string) => ({ intake: model, summarizer: model, judge: model });

function models({ task = "", ...rest }: Written) {
  return resolved({ ...rest, task: MINIMAL + task }).configuration.models;
}

describe("within one layer", () => {
  test("claude_options.model is the executor's, agent_model that of the roles around it", () => {
    expect(models({ task: "claude_options: {model: opus}" })).toEqual({ executor: "opus", ...others("sonnet") });
    expect(models({ task: "claude_options: {model: opus}\nagent_model: haiku" })).toEqual({
      executor: "opus",
      ...others("haiku"),
    });
  });

  test("agent_model alone is for all roles", () => {
    expect(models({ task: "agent_model: haiku" })).toEqual(all("haiku"));
  });

  test("models.<role> decides for that role only", () => {
    expect(
      models({ task: "models: {executor: a, judge: b}\nclaude_options: {model: opus}\nagent_model: haiku" }),
    ).toEqual({ intake: "haiku", executor: "a", summarizer: "haiku", judge: "b" });
  });
});

describe("across layers", () => {
  test("a general key of a higher layer beats the role's own key of a lower one", () => {
    const project = "models: {executor: low-executor, judge: low-judge}";

    expect(models({ task: "claude_options: {model: high}", project }).executor).toBe("high");
    expect(models({ task: "agent_model: high", project }).judge).toBe("high");
  });

  test("agent_model never displaces a model chosen for the executor, however low", () => {
    const task = "agent_model: high";

    expect(models({ task, project: "claude_options: {model: low}" })).toEqual({ executor: "low", ...others("high") });
    expect(models({ task, project: "models: {executor: low}" }).executor).toBe("low");
  });

  test("roles that the higher layer does not mention keep the lower layer's models", () => {
    expect(models({ task: "models: {judge: high}", project: "models: {intake: low}\nagent_model: mid" })).toEqual({
      intake: "low",
      executor: "mid",
      summarizer: "mid",
      judge: "high",
    });
  });

  test("--model beats everything, for all roles", () => {
    const task = "models: {intake: a, executor: b, summarizer: none, judge: d}";

    expect(models({ flags: { model: "opus" }, task })).toEqual(all("opus"));
  });

  test("ENDLESS8_DEFAULT_MODEL is for roles that have no model yet", () => {
    const environment = { ENDLESS8_DEFAULT_MODEL: "env" };

    expect(models({ environment })).toEqual(all("env"));
    expect(models({ environment, project: "claude_options: {model: opus}" })).toEqual({
      executor: "opus",
      ...others("env"),
    });
    expect(models({ environment, project: "agent_model: haiku" })).toEqual(all("haiku"));
  });
});

describe("a command agent's summarizer", () => {
  const task = "agent: {command: ./agent}\n";

  test("has no model, and a default model does not change that", () => {
    expect(models({ task }).summarizer).toBe("none");
    expect(models({ task, environment: { ENDLESS8_DEFAULT_MODEL: "env" } })).toEqual({
      ...all("env"),
      summarizer: "none",
    });
  });

  test.each([
    [{ task: `${task}agent_model: haiku` }],
    [{ task: `${task}models: {summarizer: haiku}` }],
    [{ task, project: "agent_model: haiku" }],
    [{ task, flags: { model: "haiku" } }],
  ])("has the one it is given: %j", (written) => {
    expect(models(written).summarizer).toBe("haiku");
  });
});

test("the provider that Python task files name is dropped", () => {
  expect(models({ task: "agent_model: anthropic:claude-sonnet-4-5" })).toEqual(all("claude-sonnet-4-5"));
});

test("each role's source is the line that decided it", () => {
  const { sources } = resolved({
    task: `${MINIMAL}claude_options: {model: opus}\nmodels:\n  judge: haiku`,
    project: "agent_model: x",
  });

  expect(sources).toMatchObject({
    "models.executor": "task.yaml:3",
    "models.judge": "task.yaml:5",
    "models.intake": "endless8.yaml:1",
  });
  expect(sources).not.toHaveProperty("agent_model");
  expect(sources).not.toHaveProperty("claude_options.model");
});

test("only the summarizer can do without a model", () => {
  expect(models({ task: "models: {summarizer: none}" }).summarizer).toBe("none");
  expect(thrown(() => models({ task: "agent_model: none" })).code).toBe("configuration_invalid");
  expect(thrown(() => models({ flags: { model: "none" } })).code).toBe("flag_invalid");
});

describe("reviewers", () => {
  const reviewers = (written: Parameters<typeof resolved>[0]) => resolved(written).configuration.reviewers;

  test.each([
    ["reviewers: [a, openai:b]", ["a", "openai:b"]],
    ["reviewers: a", ["a"]],
    ["models: {reviewer: a}", ["a"]],
    ["models: {reviewer: [a, b]}", ["a", "b"]],
    ["models: {judge: j}", ["j"]],
    ["agent_model: m", ["m"]],
    ["agent_model: m\nmodels: {judge: j}", ["j"]],
    ["", ["sonnet"]],
  ])("%j: those that are named, else the judge's model", (line, expected) => {
    expect(reviewers({ task: `${MINIMAL}${line}` })).toEqual(expected);
  });

  test("come from the highest layer that names any", () => {
    const project = "reviewers: [low]";
    expect(reviewers({ task: MINIMAL, project })).toEqual(["low"]);
    expect(reviewers({ task: `${MINIMAL}models: {reviewer: high}`, project })).toEqual(["high"]);
    expect(reviewers({ task: `${MINIMAL}models: {judge: j}`, project })).toEqual(["low"]);
    expect(reviewers({ task: MINIMAL, project, flags: { reviewer: ["x", "y"] } })).toEqual(["x", "y"]);
    expect(reviewers({ task: MINIMAL, project, flags: { model: "opus" } })).toEqual(["opus"]);
    expect(reviewers({ task: MINIMAL, flags: { judgeModel: "openai:j" } })).toEqual(["openai:j"]);
  });

  test("are none where a program works and checks alone decide, unless one is named or the judge is over an API", () => {
    const task = "task: t\ncriteria: {type: command, command: x}\nagent: {command: z}\n";
    expect(reviewers({ task })).toEqual([]);
    expect(reviewers({ task: `${task}reviewers: [r]` })).toEqual(["r"]);
    expect(reviewers({ task: `${task}models: {judge: "openai:j"}` })).toEqual(["openai:j"]);
    expect(reviewers({ task: `${MINIMAL}agent: {command: z}` })).toEqual(["sonnet"]);
  });

  test("--no-review turns them off, and --reviewer on again", () => {
    const { configuration } = resolved({ task: MINIMAL, flags: { review: false } });
    expect(reviewersOf(configuration)).toEqual([]);
    expect(
      reviewersOf(resolved({ task: `${MINIMAL}review: false`, flags: { reviewer: ["r"] } }).configuration),
    ).toEqual(["r"]);
    expect(reviewersOf(resolved({ task: `${MINIMAL}review: false` }).configuration)).toEqual([]);
  });

  test("have models like other roles: an unknown provider is found", () => {
    expect(thrown(() => resolved({ task: `${MINIMAL}reviewers: [a, "openay:x"]` })).code).toBe("configuration_invalid");
    expect(thrown(() => resolved({ task: MINIMAL, flags: { reviewer: ["none"] } })).code).toBe("flag_invalid");
  });
});
