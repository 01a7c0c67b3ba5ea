import { describe, expect, test } from "vitest";
import { definitionOf, miniWith, testCases } from "./support.ts";

const COMPLETION = ["runner", "completion"];

describe("a completion", () => {
  testCases("agent", [
    ["no completion", COMPLETION, undefined, "AGENT_COMPLETION_MISSING", "runner"],
    ["an unknown completion type", [...COMPLETION, "type"], "stepmachine", "AGENT_COMPLETION_TYPE"],
    [
      "a budget without a number",
      COMPLETION,
      { type: "iterationBudget" },
      "AGENT_COMPLETION_CONFIG",
      "runner.completion.config.maxIterations",
    ],
    [
      "a budget of nothing",
      COMPLETION,
      { type: "iterationBudget", config: { maxIterations: 0 } },
      "AGENT_VALUE_INVALID",
      "runner.completion.config.maxIterations",
    ],
    [
      "a keyword completion without a keyword",
      COMPLETION,
      { type: "keywordSignal" },
      "AGENT_COMPLETION_CONFIG",
      "runner.completion.config.completionKeyword",
    ],
    [
      "a structured completion without a type",
      COMPLETION,
      { type: "structuredSignal" },
      "AGENT_COMPLETION_CONFIG",
      "runner.completion.config.signalType",
    ],
    [
      "required fields that are a number",
      COMPLETION,
      { type: "structuredSignal", config: { signalType: "x", requiredFields: 3 } },
      "AGENT_VALUE_INVALID",
      "runner.completion.config.requiredFields",
    ],
    [
      "a handler that is not there",
      COMPLETION,
      { type: "custom", config: { handlerPath: "./done.mjs" } },
      "AGENT_HANDLER_MISSING",
      "runner.completion.config.handlerPath",
    ],
    [
      "a resource that nobody can watch",
      COMPLETION,
      { type: "externalState", config: { resourceType: "moon" } },
      "AGENT_VALUE_INVALID",
      "runner.completion.config.resourceType",
    ],
    [
      "a resource that no parameter names",
      COMPLETION,
      { type: "externalState", config: { resourceType: "pr" } },
      "AGENT_COMPLETION_RESOURCE",
      "runner.completion.config",
    ],
    [
      "a fault in a nested composite",
      COMPLETION,
      {
        type: "composite",
        config: {
          operator: "and",
          conditions: [
            { type: "composite", config: { operator: "or", conditions: [{ type: "iterationBudget", config: {} }] } },
          ],
        },
      },
      "AGENT_COMPLETION_CONFIG",
      "runner.completion.config.conditions[0].config.conditions[0].config.maxIterations",
    ],
    [
      "an unknown key in a nested composite",
      COMPLETION,
      { type: "composite", config: { operator: "and", conditions: [{ type: "checkBudget", confg: {} }] } },
      "AGENT_UNKNOWN_KEY",
      "runner.completion.config.conditions[0].confg",
    ],
    [
      "a composite of nothing",
      COMPLETION,
      { type: "composite", config: { operator: "and", conditions: [] } },
      "AGENT_VALUE_INVALID",
      "runner.completion.config.conditions",
    ],
    [
      "a config key of another type",
      COMPLETION,
      { type: "iterationBudget", config: { maxIterations: 3, signalType: "x" } },
      "AGENT_COMPLETION_UNUSED",
      "runner.completion.config.signalType",
    ],
  ]);

  test("may fix the file or command that it watches instead of asking for it", () => {
    const file = miniWith("agent", COMPLETION, {
      type: "externalState",
      config: { resourceType: "file", path: "done.txt" },
    });
    const command = miniWith("agent", COMPLETION, {
      type: "externalState",
      config: { resourceType: "command", command: "true" },
    });

    expect(definitionOf(file).agent.runner.completion.config).toEqual({ resourceType: "file", path: "done.txt" });
    expect(definitionOf(command).agent.runner.completion.config).toEqual({ resourceType: "command", command: "true" });
  });

  test.each([
    ["issue", "issue"],
    ["github-issue", "issue"],
    ["github_issue", "issue"],
    ["PR", "pr"],
    ["github-pr", "pr"],
    ["github_pr", "pr"],
    ["pull-request", "pr"],
    ["pull_request", "pr"],
  ])("%s is read as %s, whoever looks at it later", (resourceType, read) => {
    const config = { resourceType, issueParam: "issue" };
    const files = miniWith("agent", COMPLETION, { type: "externalState", config });

    expect(definitionOf(files).agent.runner.completion.config).toEqual({ resourceType: read, resourceParam: "issue" });
  });

  test("watches the issue of its parameter when it says nothing else", () => {
    const files = miniWith("agent", COMPLETION, { type: "externalState", config: { maxIterations: 500 } });

    expect(definitionOf(files).agent.runner.completion.config).toEqual({
      maxIterations: 500,
      resourceType: "issue",
      resourceParam: "issue",
    });
  });
});
