import { describe, expect, test } from "vitest";
import { drawGraph } from "../../../src/configuration/flow/graph.ts";
import { teller } from "../../../src/texts/tell.ts";
import { codes, definitionOf, edit, fixture, miniWith, problem, problemsOf, set } from "./support.ts";

const INITIAL = ["steps", "initial.task"];
const CLOSURE = ["steps", "closure.task"];
const REGISTRY = "steps_registry.json";

function withRunner(runner: unknown): Map<string, string> {
  return miniWith("registry", [...INITIAL, "runner"], runner);
}

function withFlowAgent(agent: unknown, files = fixture("mini")): Map<string, string> {
  return edit(files, "agent.json", (data) => set(data, ["runner", "agent"], agent));
}

describe("runner.agent", () => {
  test("of a step names its agent, as --agent spells it or as a task file has it; of agent.json, that of the others", () => {
    const files = withFlowAgent("claude", withRunner({ agent: "scripted:story.yaml" }));
    edit(files, REGISTRY, (data) => set(data, [...CLOSURE, "runner"], { agent: { scripted: "end.yaml" } }));
    const { agent, registry } = definitionOf(files);

    expect(agent.runner.agent).toBe("claude");
    expect(registry.steps["initial.task"]).toMatchObject({ agent: { scripted: "story.yaml" } });
    expect(registry.steps["initial.task"]?.runner).toBeUndefined();
    expect(registry.steps["closure.task"]).toMatchObject({ agent: { scripted: "end.yaml" } });
  });

  test("of a config.json takes the place of the one in agent.json, whatever kind it is", () => {
    const files = withFlowAgent({ scripted: "story.yaml" }).set(
      "config.json",
      '{ "agent": { "scripted": "other.yaml" } }',
    );
    expect(definitionOf(files).agent.runner.agent).toEqual({ scripted: "other.yaml" });
  });

  test.each([
    ["of a step", withRunner({ agent: "cluade" }), REGISTRY, 'steps["initial.task"].runner.agent'],
    ["of agent.json", withFlowAgent({ cluade: "x" }), "agent.json", "runner.agent"],
  ])("%s that does not exist is an error that says what can be named", (_name, files, file, path) => {
    const found = problem(files, "AGENT_VALUE_INVALID");
    expect(found).toMatchObject({ file, path, severity: "error" });
    expect(found.message + found.fix).toMatch(/cluade.*claude,/);
  });

  test("is drawn, in both forms", () => {
    const definition = definitionOf(withFlowAgent("claude", withRunner({ agent: "scripted:s.yaml" })));
    expect(drawGraph(definition, "text", teller("en"))).toMatch(
      /initial.task.*\n {6}taken by scripted:s.yaml\n[\s\S]*taken by claude/,
    );
    expect(drawGraph(definition, "mermaid", teller("en"))).toContain('["initial.task<br>Work<br>scripted:s.yaml"]');
  });
});

test.each([
  ["neither a program nor an agent", {}, "runner"],
  ["both", { command: "x", agent: "claude" }, "runner"],
  ["a key of a program beside an agent", { agent: "claude", timeout: 5 }, "runner.timeout"],
])("a runner with %s is an error at its place", (_name, runner, path) => {
  const files = withRunner(runner);
  expect(problem(files, "STEP_RUNNER")).toMatchObject({ file: REGISTRY, path: `steps["initial.task"].${path}` });
});

describe("an agent that lacks what a step needs is a load error with the capability, the step and the agent", () => {
  const program = "command:my-agent";

  test("for the step's own agent, at the step", () => {
    const found = problem(withRunner({ agent: program }), "STEP_AGENT_LACKS");
    expect(found).toMatchObject({ file: REGISTRY, path: 'steps["initial.task"].runner.agent', severity: "error" });
    expect(found.message).toBe(
      'The agent command:my-agent lacks structured_answers, which the step "initial.task" needs.',
    );
  });

  test("for the flow's agent, at agent.json, once for each step that names none", () => {
    const files = withFlowAgent({ command: "my-agent" }, withRunner({ agent: "claude" }));
    expect(problem(files, "STEP_AGENT_LACKS")).toMatchObject({
      file: "agent.json",
      path: "runner.agent",
      params: { stepId: "closure.task", capability: "structured_answers" },
    });
  });

  test("for a verification step, which must not write files, also where it answers in text only", () => {
    const files = edit(fixture("mini"), REGISTRY, (data) => {
      for (const step of [INITIAL, CLOSURE])
        for (const key of ["structuredGate", "outputSchemaRef", "transitions"]) set(data, [...step, key], undefined);
      set(data, [...INITIAL, "stepKind"], "verification");
      set(data, [...INITIAL, "runner"], { agent: program });
    });
    const found = problemsOf(files).filter(({ code }) => code === "STEP_AGENT_LACKS");
    expect(found.map(({ params }) => params)).toEqual([
      { stepId: "initial.task", agent: program, capability: "withholds_tools" },
    ]);
  });

  test("together with all other load errors, in file order", () => {
    const files = edit(withRunner({ agent: program }), REGISTRY, (data) => set(data, [...INITIAL, "colour"], "red"));
    edit(files, REGISTRY, (data) => set(data, [...CLOSURE, "transitions", "repeat", "target"], "initial.taks"));
    const errors = problemsOf(files).filter(({ severity }) => severity === "error");
    expect(codes(errors).sort()).toEqual(["AGENT_UNKNOWN_KEY", "STEP_AGENT_LACKS", "TRANSITION_TARGET_UNKNOWN"]);
  });

  test("but a step that wants a text may be taken by any program, with a warning that only the sandbox bounds it", () => {
    const files = edit(fixture("mini"), REGISTRY, (data) => {
      for (const step of [INITIAL, CLOSURE])
        for (const key of ["structuredGate", "outputSchemaRef", "transitions"]) set(data, [...step, key], undefined);
      set(data, [...INITIAL, "runner"], { agent: program });
      set(data, ["completionSteps"], undefined);
    });
    edit(files, "agent.json", (data) => {
      set(data, ["runner", "completion"], { type: "keywordSignal", config: { completionKeyword: "DONE" } });
    });
    const { registry } = definitionOf(files);
    expect(registry.steps["initial.task"]).toMatchObject({ agent: { command: "my-agent" } });
    expect(problem(files, "STEP_AGENT_UNBOUND")).toMatchObject({ severity: "warning" });
  });
});
