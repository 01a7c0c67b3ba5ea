import { describe, expect, test } from "vitest";
import { codes, edit, fixture, miniWith, problem, problemsOf, set, testCases } from "./support.ts";

const ISSUE = ["parameters", "issue"];

describe("agent.json", () => {
  testCases("agent", [
    ["an unknown key", ["displayNme"], "x", "AGENT_UNKNOWN_KEY"],
    ["an unknown key deep down", ["runner", "flow", "prompts", "registri"], "x", "AGENT_UNKNOWN_KEY"],
    ["a missing key", ["displayName"], undefined, "AGENT_KEY_MISSING"],
    ["a version that is none", ["version"], "1.0", "AGENT_VALUE_INVALID"],
    ["no boundaries", ["runner", "boundaries"], undefined, "AGENT_KEY_MISSING"],
    ["both completions", ["runner", "verdict"], { type: "detect:graph" }, "AGENT_COMPLETION_TWICE"],
    ["a sandbox", ["runner", "boundaries", "sandbox"], { enabled: true }, "AGENT_KEY_WITHOUT_EFFECT"],
    [
      "a landing without a worktree",
      ["runner", "execution"],
      { finalize: { push: true } },
      "AGENT_KEY_WITHOUT_EFFECT",
      "runner.execution.finalize",
    ],
    ["actions", ["runner", "actions"], { enabled: true }, "AGENT_KEY_WITHOUT_EFFECT"],
    ["logging", ["runner", "logging"], { directory: "tmp", format: "text" }, "AGENT_KEY_WITHOUT_EFFECT"],
    ["an answer for nobody", ["runner", "flow", "askUserAutoResponse"], "Yes.", "AGENT_KEY_WITHOUT_EFFECT"],
    [
      "labels that are no lists",
      ["runner", "integrations"],
      { github: { enabled: true, labels: { completion: { add: "done" } } } },
      "AGENT_VALUE_INVALID",
      "runner.integrations.github.labels.completion.add",
    ],
  ]);
});

describe("a parameter", () => {
  testCases("agent", [
    ["a flag without dashes", [...ISSUE, "cli"], "issue", "AGENT_VALUE_INVALID"],
    [
      "two parameters with one flag",
      ["parameters", "other"],
      { type: "string", description: "x", cli: "--issue" },
      "AGENT_PARAMETER_CLASH",
      "parameters.other.cli",
    ],
    ["a default of another type", [...ISSUE, "default"], "5", "AGENT_PARAMETER_DEFAULT"],
    [
      "a default that breaks its own rule",
      ["parameters", "n"],
      { type: "number", description: "n", cli: "--n", default: 0, validation: { min: 1 } },
      "AGENT_PARAMETER_DEFAULT",
      "parameters.n.default",
    ],
    ["a default that nobody gets", [...ISSUE, "default"], 5, "AGENT_PARAMETER_REQUIRED_DEFAULT"],
    [
      "min above max",
      [...ISSUE, "validation"],
      { min: 5, max: 1 },
      "AGENT_PARAMETER_VALIDATION",
      "parameters.issue.validation.min",
    ],
    [
      "a pattern that is none",
      ["parameters", "s"],
      { type: "string", description: "s", cli: "--s", validation: { pattern: "(" } },
      "AGENT_PARAMETER_VALIDATION",
      "parameters.s.validation.pattern",
    ],
    [
      "a pattern on a number",
      [...ISSUE, "validation"],
      { pattern: "^1" },
      "AGENT_PARAMETER_VALIDATION",
      "parameters.issue.validation.pattern",
    ],
    [
      "a choice of another type",
      [...ISSUE, "validation"],
      { enum: ["one"] },
      "AGENT_PARAMETER_VALIDATION",
      "parameters.issue.validation.enum",
    ],
  ]);
});

describe("agent.json as a whole", () => {
  test("from before 1.12 is refused with how to migrate, and no other problem is reported", () => {
    const files = edit(fixture("mini"), "agent.json", (agent) => {
      set(agent, ["runner"], undefined);
      set(agent, ["behavior"], { systemPromptPath: "prompts/system.md", completionType: "stepMachine" });
    });
    const found = problem(files, "AGENT_LEGACY_FORMAT");

    expect(found.fix).toContain("behavior.allowedTools");
    expect(codes(problemsOf(files)).filter((code) => code.startsWith("AGENT"))).toEqual(["AGENT_LEGACY_FORMAT"]);
  });

  test("with a key in the wrong group says where it belongs", () => {
    expect(problem(miniWith("agent", ["boundaries"], {}), "AGENT_UNKNOWN_KEY").fix).toContain("runner.boundaries");
  });

  test("with a step machine but no gated step is refused", () => {
    const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
      for (const id of ["initial.task", "closure.task"]) set(registry, ["steps", id, "structuredGate"], undefined);
      set(registry, ["completionSteps"], undefined);
      set(registry, ["validators"], undefined);
    });

    expect(problem(files, "AGENT_NO_GATE")).toMatchObject({ severity: "error", path: "runner.completion.type" });
  });

  test("that uses a flag of e8 itself gets a warning", () => {
    const found = problem(fixture("mini"), "AGENT_FLAG_RESERVED", { reservedFlags: ["--issue"] });

    expect(found.severity).toBe("warning");
  });
});
