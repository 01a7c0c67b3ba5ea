import { describe, expect, test } from "vitest";
import { definitionOf, fixture, problem, problemsOf } from "./support.ts";

const COMPLETION = { type: "iterationBudget", config: { maxIterations: 7 } };

describe("config.json", () => {
  test("stands above agent.json, key by key", () => {
    const files = fixture("mini").set(
      "config.json",
      JSON.stringify({ boundaries: { permissionMode: "plan" }, flow: { defaultModel: "haiku" } }),
    );
    const { runner } = definitionOf(files).agent;

    expect(runner.boundaries).toEqual({ allowedTools: ["Read", "Edit", "Bash"], permissionMode: "plan" });
    expect(runner.flow).toEqual({ systemPromptPath: "prompts/system.md", defaultModel: "haiku" });
  });

  test("of the agent stands above that of the project", () => {
    const model = (defaultModel: string) => ({ runner: { flow: { defaultModel } } });
    const files = fixture("mini").set("config.json", JSON.stringify(model("of the agent")));
    const config = JSON.stringify(model("of the project"));

    expect(definitionOf(fixture("mini"), { config }).agent.runner.flow.defaultModel).toBe("of the project");
    expect(definitionOf(files, { config }).agent.runner.flow.defaultModel).toBe("of the agent");
  });

  test("replaces lists, and a completion of another type with its whole config", () => {
    const config = JSON.stringify({ completion: COMPLETION, boundaries: { allowedTools: ["Read"] } });
    const { runner } = definitionOf(fixture("mini"), { config }).agent;

    expect(runner.completion).toEqual(COMPLETION);
    expect(runner.boundaries.allowedTools).toEqual(["Read"]);
  });

  test("with a fault is named itself, with its own line and path", () => {
    const files = fixture("mini").set("config.json", '{\n  "boundaries": {\n    "permissionMode": "never"\n  }\n}');

    expect(problem(files, "AGENT_VALUE_INVALID")).toMatchObject({
      file: "config.json",
      line: 3,
      path: "boundaries.permissionMode",
    });
  });

  test("with an unknown key is told so", () => {
    const files = fixture("mini").set("config.json", '{ "boundary": {} }');

    expect(problem(files, "AGENT_UNKNOWN_KEY")).toMatchObject({ file: "config.json", fix: "Did you mean boundaries?" });
  });

  test("as published with worktree settings is read, which have no effect here", () => {
    const files = fixture("mini").set("config.json", '{ "worktree": { "forceWorktree": true } }');

    expect(problemsOf(files)).toMatchObject([
      { code: "AGENT_KEY_WITHOUT_EFFECT", severity: "warning", file: "config.json" },
    ]);
  });

  test("that is no JSON is an error", () => {
    expect(problem(fixture("mini").set("config.json", "{"), "AGENT_JSON_BROKEN").file).toBe("config.json");
  });
});
