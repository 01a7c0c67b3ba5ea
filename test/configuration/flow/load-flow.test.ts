import { describe, expect, test } from "vitest";
import { PRESENT } from "../../../src/model/flow/agent-file.ts";
import { codes, definitionOf, edit, fixture, loadFlow, problemsOf, set } from "./support.ts";

describe("a definition of the first generation", () => {
  test("loads as the format's own example stands, without a warning", () => {
    const { definition, problems } = loadFlow(fixture("mini"), "/project/.agent/mini");

    expect(problems).toEqual([]);
    expect(definition).toMatchObject({
      directory: "/project/.agent/mini",
      entryStep: "initial.task",
      isGated: true,
      agent: { name: "mini", runner: { completion: { type: "stepMachine", config: { maxIterations: 10 } } } },
      systemPrompt: { file: "prompts/system.md" },
    });
  });

  test("has its prompts without frontmatter, its retry prompts by closure step and pattern, and its conditions attached", () => {
    const { prompts, retryPrompts, registry } = definitionOf(fixture("mini"));

    expect(prompts["initial.task"]?.text).toBe("Work on issue {uv-issue}.\n");
    expect(Object.keys(retryPrompts)).toEqual(["closure.task/git-dirty"]);
    expect(registry.completionSteps["closure.task"]).toMatchObject({
      completionConditions: [{ validator: "git-clean" }],
      onFailure: { action: "retry", maxAttempts: 3 },
    });
    expect(registry.validators["git-clean"]?.successWhen).toEqual({ kind: "empty" });
  });

  test("has the defaults of the format filled in", () => {
    const { agent, registry } = definitionOf(fixture("mini"));

    expect(agent.runner.integrations.github).toEqual({
      enabled: false,
      labels: { add: [], remove: [] },
      defaultClosureAction: "close",
    });
    expect(registry.steps["closure.task"]).toMatchObject({
      inputs: {},
      structuredGate: { failFast: true, handoffFields: [] },
    });
  });
});

describe("a definition of the second generation", () => {
  const definition = () => definitionOf(fixture("release-checker"));

  test("loads unchanged, with warnings only", () => {
    expect(problemsOf(fixture("release-checker"))).toMatchObject([
      { code: "AGENT_KEY_WITHOUT_EFFECT", severity: "warning", path: "runner.flow.askUserAutoResponse" },
      { code: "AGENT_KEY_WITHOUT_EFFECT", severity: "warning", path: "runner.logging" },
    ]);
  });

  test("is read into the first generation's names, nested composites included", () => {
    expect(definition().agent.runner.completion).toEqual({
      type: "composite",
      config: {
        maxIterations: 30,
        operator: "and",
        conditions: [
          { type: "externalState", config: { resourceType: "pr", targetState: "MERGED", resourceParam: "prNumber" } },
          {
            type: "composite",
            config: {
              operator: "first",
              conditions: [
                { type: "structuredSignal", config: { signalType: "report", requiredFields: { summary: PRESENT } } },
                { type: "checkBudget", config: { maxChecks: 10 } },
              ],
            },
          },
        ],
      },
    });
  });

  test("begins where its completion type's mapping says, and its kinds are inferred from c2", () => {
    const { entryStep, registry } = definition();

    expect(entryStep).toBe("initial.plan");
    expect(Object.values(registry.steps).map(({ stepKind }) => stepKind)).toEqual([
      "work",
      "verification",
      "work",
      "work",
      "closure",
    ]);
  });

  test("has conditions keyed by the completion type attached to the closure step", () => {
    const { registry, retryPrompts } = definition();

    expect(registry.completionSteps["closure.release"]?.onFailure).toEqual({ action: "retry", maxAttempts: 2 });
    expect(Object.keys(retryPrompts)).toEqual(["closure.release/tests-failed", "closure.release/"]);
  });

  test("falls back to the prompt without adaptation", () => {
    expect(definition().prompts["continuation.fix"]?.file).toBe("prompts/steps/continuation/fix/f_default.md");
  });

  test("has its schemas resolved across files", () => {
    expect(definition().schemas["verification.tests"]).toMatchObject({
      schema: {
        required: ["stepId", "summary", "result", "next_action"],
        properties: { before: { enum: ["pass", "fail"] }, result: { enum: ["pass", "fail"] } },
        additionalProperties: false,
      },
    });
  });
});

describe("a report", () => {
  test("has all nine faults of a definition with nine, in the order of the files", () => {
    const files = fixture("mini");
    edit(files, "agent.json", (agent) => {
      set(agent, ["displayNam"], "Mini");
      set(agent, ["parameters", "issue", "default"], "five");
      set(agent, ["runner", "boundaries", "permissionMode"], "askMe");
    });
    edit(files, "steps_registry.json", (registry) => {
      set(registry, ["agentId"], "other");
      set(registry, ["steps", "initial.task", "structuredGate", "allowedIntents"], ["next", "repeat"]);
      set(registry, ["steps", "closure.task", "transitions", "repeat", "target"], "initial.tusk");
      set(registry, ["validators", "git-clean", "successWhen"], "clean");
      set(registry, ["validators", "git-clean", "extractParams", "changedFiles"], "parseChangedFile");
    });
    files.set("prompts/steps/closure/task/f_default.md", "Is {uv-isue} of {uv-issue} done?\n");
    const problems = problemsOf(files).filter(({ severity }) => severity === "error");

    expect(problems.map(({ code, file }) => `${file} ${code}`)).toEqual([
      "agent.json AGENT_PARAMETER_DEFAULT",
      "agent.json AGENT_VALUE_INVALID",
      "agent.json AGENT_UNKNOWN_KEY",
      "steps_registry.json AGENT_NAME_MISMATCH",
      "steps_registry.json GATE_ENUM_MISMATCH",
      "steps_registry.json TRANSITION_TARGET_UNKNOWN",
      "steps_registry.json VALIDATOR_SUCCESS_WHEN",
      "steps_registry.json PARSER_UNKNOWN",
      "prompts/steps/closure/task/f_default.md VARIABLE_UNSUPPLIED",
    ]);
    const lines = problems.filter(({ file }) => file === "steps_registry.json").map(({ line = 0 }) => line);
    expect(lines).toEqual([...lines].sort((left, right) => left - right));
  });

  test("says of each problem what is wrong, why it matters and how to fix it, with file, path and line", () => {
    const files = edit(fixture("mini"), "steps_registry.json", (registry) =>
      set(registry, ["steps", "closure.task", "transitions", "repeat", "target"], "initial.tusk"),
    );
    const [found] = problemsOf(files);

    expect(found).toMatchObject({
      code: "TRANSITION_TARGET_UNKNOWN",
      severity: "error",
      file: "steps_registry.json",
      path: 'steps["closure.task"].transitions.repeat.target',
      message: 'There is no step "initial.tusk".',
      fix: "Did you mean initial.task?",
    });
    const line = (found?.line ?? 0) - 1;
    expect(files.get("steps_registry.json")?.split("\n")[line]).toContain("initial.tusk");
    expect(found?.why).not.toBe("");
  });

  test("with an error has no definition; with warnings only it has one", () => {
    const broken = edit(fixture("mini"), "steps_registry.json", (registry) => set(registry, ["agentId"], "x"));
    const warned = edit(fixture("mini"), "steps_registry.json", (registry) =>
      set(registry, ["steps", "closure.task", "uvVariables"], ["issue", "iteration"]),
    );

    expect(loadFlow(broken, "/x/mini").definition).toBeUndefined();
    expect(loadFlow(warned, "/x/mini")).toMatchObject({ definition: {}, problems: [{ code: "VARIABLE_UNUSED" }] });
  });

  test("warns of a directory whose name is not the agent's", () => {
    expect(codes(loadFlow(fixture("mini"), "/project/.agent/größe x/").problems)).toEqual(["AGENT_DIRECTORY_NAME"]);
    expect(loadFlow(fixture("mini"), "/größe x/mini/").problems).toEqual([]);
  });

  test("of an empty directory names the files that are missing", () => {
    expect(loadFlow(new Map(), "/x/mini").problems.map(({ file, code }) => `${file} ${code}`)).toEqual([
      "agent.json AGENT_FILE_MISSING",
      "steps_registry.json AGENT_FILE_MISSING",
    ]);
  });
});

test("an agent of 200 steps is read whole", () => {
  const files = fixture("mini");
  const ids = Array.from({ length: 199 }, (_, index) => `initial.task${index}`);
  edit(files, "schemas/mini.schema.json", (schema) => {
    for (const id of ids) set(schema, ["definitions", id], schema.definitions?.["initial.task"]);
  });
  edit(files, "steps_registry.json", (registry) => {
    const model = registry.steps?.["initial.task"];
    ids.forEach((id, index) => {
      const next = ids[index + 1] ?? "closure.task";
      set(registry, ["steps", id], {
        ...model,
        stepId: id,
        c3: id.slice("initial.".length),
        inputs: index === 0 ? {} : { plan: { from: `${ids[index - 1]}.plan` } },
        outputSchemaRef: { file: "mini.schema.json", schema: id },
        transitions: { next: { target: next }, repeat: { target: id }, handoff: { target: "closure.task" } },
      });
      files.set(
        `prompts/steps/initial/${id.slice("initial.".length)}/f_default.md`,
        `Issue {uv-issue}${index ? " {uv-plan}" : ""}`,
      );
    });
    set(registry, ["steps", "initial.task"], undefined);
    set(registry, ["steps", "closure.task", "transitions", "repeat", "target"], "initial.task0");
    set(registry, ["entryStep"], "initial.task0");
  });

  expect(Object.keys(definitionOf(files).prompts)).toHaveLength(200);
});
