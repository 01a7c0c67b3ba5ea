import { describe, expect, test } from "vitest";
import { apiModelOf } from "../../../src/model/api-model.ts";
import { changed, MINIMAL, resolved, thrown, type Written } from "./support.ts";

function models({ task = "", ...rest }: Written) {
  return resolved({ ...rest, task: MINIMAL + task }).configuration.models;
}

describe("a model over an API", () => {
  test.each([
    ["anthropic:claude-sonnet-4-5", { provider: "anthropic", model: "claude-sonnet-4-5" }],
    ["openai:gpt-5", { provider: "openai", model: "gpt-5" }],
    ["openai:ft:gpt-5:org::id@http://x", { provider: "openai", model: "ft:gpt-5:org::id@http://x" }],
    [
      "openai-compatible:qwen3:8b@http://127.0.0.1:11434/v1",
      { provider: "openai-compatible", model: "qwen3:8b", base_url: "http://127.0.0.1:11434/v1" },
    ],
    [
      "openai-compatible:org/model@v2@https://user@host.example/v1",
      { provider: "openai-compatible", model: "org/model@v2", base_url: "https://user@host.example/v1" },
    ],
    [
      "openai-compatible:odd@http://name@http://127.0.0.1:1/v1",
      { provider: "openai-compatible", model: "odd@http://name", base_url: "http://127.0.0.1:1/v1" },
    ],
  ])("%s is understood", (name, model) => {
    expect(apiModelOf(name)).toEqual(model);
  });

  test.each(["intake", "summarizer", "judge"])("may be the %s's", (role) => {
    expect(models({ task: `models: {${role}: "openai:gpt-5"}` })).toMatchObject({ [role]: "openai:gpt-5" });
  });

  test("is the judge's alone with --judge-model, which beats --model", () => {
    expect(models({ flags: { model: "opus", judgeModel: "openai:gpt-5" } })).toEqual({
      intake: "opus",
      executor: "opus",
      summarizer: "opus",
      judge: "openai:gpt-5",
    });
  });

  test("can be changed when a task is resumed", () => {
    const { configuration } = resolved({ task: MINIMAL });

    expect(changed(configuration, { judgeModel: "openai:gpt-5" }).models.judge).toBe("openai:gpt-5");
    expect(changed(configuration, { model: "anthropic:claude-opus-4-8" }).models.judge).toBe("claude-opus-4-8");
  });

  test("named for several roles does not apply to the executor", () => {
    const roles = { intake: "openai:gpt-5", summarizer: "openai:gpt-5", judge: "openai:gpt-5" };

    expect(models({ task: "agent_model: openai:gpt-5" })).toEqual({ ...roles, executor: "sonnet" });
    expect(models({ task: "agent_model: openai:gpt-5", project: "agent_model: opus" }).executor).toBe("opus");
    expect(models({ environment: { ENDLESS8_DEFAULT_MODEL: "openai:gpt-5" } })).toEqual({
      ...roles,
      executor: "sonnet",
    });
  });
});

describe("what the Python endless8 wrote means Claude Code:", () => {
  test.each<[string, Written]>([
    ["agent_model", { task: "agent_model: anthropic:opus" }],
    ["ENDLESS8_DEFAULT_MODEL", { environment: { ENDLESS8_DEFAULT_MODEL: "anthropic:opus" } }],
    ["--model", { flags: { model: "anthropic:opus" } }],
  ])("%s", (_, written) => {
    expect(models(written)).toEqual({ intake: "opus", executor: "opus", summarizer: "opus", judge: "opus" });
  });

  test("claude_options.model", () => {
    expect(models({ task: "claude_options: {model: anthropic:opus}" }).executor).toBe("opus");
  });
});

test.each([
  "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc",
  "claude-sonnet-4-5@20250929",
  "qwen3:8b",
  "gpt-oss:20b",
  "deepseek-r1:7b",
  "opus[1m]",
])("%s is Claude Code's own, for every role", (name) => {
  expect(models({ task: `models: {judge: "${name}", executor: "${name}"}` })).toMatchObject({
    judge: name,
    executor: name,
  });
});

const PRICE = "{input: 1, output: 2}";

test.each([
  `agent: codex\nprices: {default: ${PRICE}}`,
  `agent: {codex: {mode: agent}}\nprices: {gpt-6: ${PRICE}}`,
  `agents: [claude, {agent: codex, model: gpt-6}]\nprices: {gpt-6: ${PRICE}}`,
  `escalate_to: {agent: codex, model: gpt-6}\nprices: {gpt-6: ${PRICE}}`,
  `prices: {"qwen3:8b": ${PRICE}}`, // a local model of Claude Code
  `agent: {command: my-agent}\nprices: {gpt-6: ${PRICE}}`, // a step may have an agent of its own
])("a price for an agent's model: %s", (written) => {
  const price = { input: 1, output: 2 };
  for (const { configuration } of [
    resolved({ task: MINIMAL + written }),
    resolved({ task: MINIMAL, project: written }),
  ])
    expect(Object.values(configuration.prices)).toEqual([price]);
});

describe("is refused, with the line and what to write instead:", () => {
  test.each([
    [
      "models: {judge: 'opanai:gpt-5'}",
      /task\.yaml:3 models\.judge: there is no provider opanai: did you mean openai:gpt-5\?/,
    ],
    ["models: {judge: 'OpenAI:gpt-5'}", /did you mean openai:gpt-5\?/],
    ["models: {judge: 'antropic:opus'}", /did you mean anthropic:opus\?/],
    ["models: {judge: 'openai_compat:x@http://h/v1'}", /did you mean openai-compatible:x@http:\/\/h\/v1\?/],
    ["models: {judge: 'groq:llama'}", /the provider groq is not supported.*openai-compatible:<model>@<base url>/],
    ["models: {judge: 'goggle:gemini'}", /did you mean google:gemini\?/],
    ["models: {judge: 'google:'}", /google:/],
    ["models: {judge: 'openai:'}", /names no model/],
    ["models: {judge: 'openai-compatible:qwen3'}", /does not say which server.*openai-compatible:qwen3@http/],
    ["models: {judge: 'openai-compatible:qwen3@http://'}", /http:\/\/ is not an address/],
    ["models: {executor: 'anthropic:opus'}", /models\.executor: the executor needs tools.*: write opus/],
    ["models: {executor: 'openai:gpt-5'}", /the executor needs tools.*name a model of Claude Code/],
    ["claude_options: {model: 'openai:gpt-5'}", /claude_options\.model: the executor needs tools/],
    ["agent_model: 'opanai:gpt-5'", /agent_model: .*did you mean/],
    ["prices: {'opanai:gpt-5': {input: 1, output: 2}}", /prices: .*did you mean openai:gpt-5\?/],
    ["prices: {'openai:': {input: 1, output: 2}}", /prices: .*names no model/],
    ["prices: {'openai:gpt-5': {input: -1, output: 2}}", /prices.*input.*-1/],
  ])("%s", (task, message) => {
    const error = thrown(() => models({ task }));

    expect(error.code).toBe("configuration_invalid");
    expect(error.message).toMatch(message);
  });

  test("flags and variables", () => {
    expect(thrown(() => models({ flags: { model: "openai:gpt-5" } })).message).toMatch(/--model: the executor needs/);
    expect(thrown(() => models({ flags: { judgeModel: "opanai:gpt" } })).message).toMatch(
      /--judge-model: .*did you mean/,
    );
    expect(thrown(() => models({ environment: { ENDLESS8_DEFAULT_MODEL: "opanai:gpt" } })).message).toMatch(
      /ENDLESS8_DEFAULT_MODEL: .*did you mean/,
    );
  });
});
