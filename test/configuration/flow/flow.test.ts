import { describe, expect, test } from "vitest";
import { codes, definitionOf, edit, fixture, miniWith, problem, problemsOf, set } from "./support.ts";

const WORK = ["steps", "initial.task"];
const GATE = [...WORK, "structuredGate"];
const CLOSURE = ["steps", "closure.task"];
const SECTION = { stepId: "section.x", name: "x", c2: "section", c3: "x", fallbackKey: "x" };

/** The mini agent, whose first step has one more property in its schema. */
function withPlan(schema: Record<string, unknown>): Map<string, string> {
  return edit(fixture("mini"), "schemas/mini.schema.json", (data) =>
    set(data, ["definitions", "initial.task", "properties", "more"], schema),
  );
}

describe("a gated flow", () => {
  test.each(["structuredGate", "transitions", "outputSchemaRef"])("names the step that has no %s", (key) => {
    const found = problem(miniWith("registry", [...CLOSURE, key], undefined), "STEP_NEEDS");

    expect(found.message).toBe(`The step "closure.task" has no ${key}.`);
  });

  test("lets sections be without", () => {
    const files = miniWith("registry", ["steps", "section.x"], SECTION);

    expect(codes(problemsOf(files.set("prompts/steps/section/x/f_default.md", "x")))).toEqual([]);
  });

  test.each([
    ["a transition", [...WORK, "transitions", "next", "target"], 'steps["initial.task"].transitions.next.target'],
    ["a choice", [...WORK, "transitions", "next"], 'steps["initial.task"].transitions.next.targets.default'],
    ["the entry", ["entryStep"], "entryStep"],
  ])("refuses %s that leads to a section", (_, path, place) => {
    const target = place.endsWith("default") ? { condition: "plan", targets: { default: "section.x" } } : "section.x";
    const files = edit(miniWith("registry", ["steps", "section.x"], SECTION), "steps_registry.json", (registry) =>
      set(registry, path, target),
    );
    const found = problem(files.set("prompts/steps/section/x/f_default.md", "x"), "SECTION_IN_FLOW");

    expect(found).toMatchObject({ severity: "error", path: place });
    expect(found.message).toContain('"section.x"');
  });

  test("warns of closing as a fallback, which is never taken", () => {
    const gate = [...CLOSURE, "structuredGate"];
    const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
      set(registry, [...gate, "failFast"], false);
      set(registry, [...gate, "fallbackIntent"], "closing");
    });

    expect(problem(files, "GATE_FALLBACK_CLOSING").severity).toBe("warning");
  });

  test("refuses a closing that would lead on, also by a choice", () => {
    const choice = { condition: "plan", targets: { ready: null, default: "initial.task" } };
    const found = problem(
      miniWith("registry", [...CLOSURE, "transitions", "closing"], choice),
      "TRANSITION_CLOSING_TARGET",
    );

    expect(found.path).toBe('steps["closure.task"].transitions.closing.targets.default');
  });

  test.each([
    ["type", "strng", "strng"],
    ["pattern", "(", "Unterminated group"],
    ["enum", "all", "enum"],
  ])("refuses a schema that no answer could ever fit: %s %j", (keyword, value, said) => {
    const files = withPlan({ [keyword]: value });

    expect(problem(files, "SCHEMA_UNUSABLE")).toMatchObject({
      path: 'steps["initial.task"].outputSchemaRef',
      message: expect.stringContaining(said),
    });
  });

  test("accepts a pattern that escapes more than it must", () => {
    expect(problemsOf(withPlan({ type: "string", pattern: "^\\d{4}\\-\\d{2}\\_x$" }))).toEqual([]);
  });

  test("accepts the schema's intents in any order", () => {
    expect(problemsOf(miniWith("registry", [...GATE, "allowedIntents"], ["handoff", "next", "repeat"]))).toEqual([]);
  });

  test("accepts an intent pointer that goes through the file's definitions", () => {
    const reference = "#/definitions/initial.task/properties/next_action/properties/action";

    expect(problemsOf(miniWith("registry", [...GATE, "intentSchemaRef"], reference))).toEqual([]);
  });

  test.each([".agent/mini/contracts", "contracts/"])("finds that pointer's file where agent.json says: %s", (base) => {
    const reference = "#/definitions/initial.task/properties/next_action/properties/action";
    const files = miniWith("registry", [...GATE, "intentSchemaRef"], reference);
    edit(files, "agent.json", (agent) => set(agent, ["runner", "flow", "schemas"], { base }));
    files.set("contracts/mini.schema.json", files.get("schemas/mini.schema.json") ?? "");
    files.delete("schemas/mini.schema.json");

    expect(problemsOf(files)).toEqual([]);
  });

  test("without a way to a closure step is refused, unless a budget ends it", () => {
    const loop = (type: string) =>
      edit(miniWith("registry", [...WORK, "transitions", "handoff", "target"], "initial.task"), "agent.json", (agent) =>
        set(agent, ["runner", "completion"], {
          type,
          config: { maxIterations: 3, ...(type === "keywordSignal" && { completionKeyword: "x" }) },
        }),
      );

    expect(problem(loop("keywordSignal"), "AGENT_NO_CLOSING").severity).toBe("error");
    expect(problem(loop("iterationBudget"), "AGENT_NO_CLOSING").severity).toBe("warning");
    expect(problem(loop("keywordSignal"), "STEP_UNREACHABLE").path).toBe('steps["closure.task"]');
    expect(problem(loop("keywordSignal"), "CONDITIONS_UNREACHABLE").message).toContain("never reaches");
  });

  test("warns of a closure step with conditions and no way back", () => {
    const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
      set(registry, [...CLOSURE, "transitions"], { closing: { target: null } });
      set(registry, [...CLOSURE, "structuredGate", "allowedIntents"], ["closing"]);
    });
    edit(files, "schemas/mini.schema.json", (schema) =>
      set(
        schema,
        ["definitions", "closure.task", "properties", "next_action", "properties", "action", "enum"],
        ["closing"],
      ),
    );

    expect(codes(problemsOf(files))).toEqual(["RETRY_NOWHERE"]);
  });

  test("leads a jump by its target field, and needs no transition for it", () => {
    const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
      set(registry, [...GATE, "allowedIntents"], ["next", "repeat", "jump"]);
      set(registry, [...GATE, "targetField"], "next_action.reason");
      set(registry, [...WORK, "transitions", "handoff"], undefined);
    });
    edit(files, "schemas/mini.schema.json", (schema) =>
      set(
        schema,
        ["definitions", "initial.task", "properties", "next_action", "properties", "action", "enum"],
        ["next", "repeat", "jump"],
      ),
    );

    expect(problemsOf(files)).toEqual([]);
  });
});

describe("kinds", () => {
  test.each([
    ["initial", "work"],
    ["continuation", "work"],
    ["closure", "closure"],
    ["verification", "verification"],
  ])("without stepKind, c2 %s makes a %s step", (c2, kind) => {
    const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
      set(registry, ["steps", "x"], { stepId: "x", name: "x", c2, c3: "x", fallbackKey: "x" });
      for (const id of ["initial.task", "closure.task"]) set(registry, ["steps", id, "structuredGate"], undefined);
      set(registry, ["completionSteps"], undefined);
    });
    edit(files, "agent.json", (agent) => set(agent, ["runner", "completion"], { type: "checkBudget" }));

    expect(definitionOf(files).registry.steps.x?.stepKind).toBe(kind);
  });

  test("cannot be guessed from any other c2", () => {
    const step = { stepId: "x", name: "x", c2: "other", c3: "x", fallbackKey: "x" };

    expect(problem(miniWith("registry", ["steps", "x"], step), "STEP_KIND_UNKNOWN").message).toContain('"other"');
  });
});

describe("entries", () => {
  test.each(["stepMachine", "detect:graph"])("are found by the completion type, also as %s", (type) => {
    const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
      set(registry, ["entryStep"], undefined);
      set(registry, ["entryStepMapping"], { [type]: "initial.task" });
    });

    expect(definitionOf(files).entryStep).toBe("initial.task");
  });

  test("may be named by the completion's config", () => {
    const files = miniWith("agent", ["runner", "completion", "config", "entryStep"], "closure.task");

    expect(definitionOf(files).entryStep).toBe("closure.task");
  });

  test("that the completion's config names must exist", () => {
    const path = ["runner", "completion", "config", "entryStep"];

    expect(problem(miniWith("agent", path, "initial.tusk"), "ENTRY_UNKNOWN")).toMatchObject({
      file: "agent.json",
      path: path.join("."),
      fix: expect.stringContaining("initial.task"),
    });
  });
});

test("two steps whose values would have one name are refused", () => {
  const files = edit(fixture("mini"), "steps_registry.json", (registry) =>
    set(registry, ["steps", "initial_task"], { ...registry.steps?.["initial.task"], stepId: "initial_task" }),
  );

  expect(problem(files, "HANDOFF_NAME_COLLISION").message).toContain("{uv-initial_task_plan}");
});

describe("a condition of a transition", () => {
  const chosenBy = (step: string, intent: string, condition: string) =>
    miniWith("registry", ["steps", step, "transitions", intent], { condition, targets: { default: "initial.task" } });

  test.each([
    ["a key that the step itself hands on", "initial.task", "next", "plan"],
    ["the same with the step's own id", "initial.task", "next", "initial.task.plan"],
    ["another step's value as stepId.key", "closure.task", "repeat", "initial.task.plan"],
  ])("may be %s", (_, step, intent, condition) => {
    expect(problemsOf(chosenBy(step, intent, condition))).toEqual([]);
  });

  test("that is another step's bare key is refused, with the name to write instead", () => {
    const found = problem(chosenBy("closure.task", "repeat", "plan"), "TRANSITION_CONDITION_ELSEWHERE");

    expect(found).toMatchObject({ severity: "error", path: 'steps["closure.task"].transitions.repeat.condition' });
    expect(found.fix).toContain("Write initial.task.plan");
  });

  test("that nothing hands on is refused, with the name that was probably meant", () => {
    const found = problem(chosenBy("closure.task", "repeat", "initial.task.plen"), "TRANSITION_CONDITION_UNKNOWN");

    expect(found.fix).toBe("Did you mean initial.task.plan?");
  });

  test("that is handed on by a step which cannot have run yet is refused", () => {
    const files = edit(chosenBy("initial.task", "next", "closure.task.verdict"), "steps_registry.json", (registry) => {
      set(registry, [...CLOSURE, "structuredGate", "handoffFields"], ["summary"]);
      set(registry, [...CLOSURE, "transitions", "repeat", "target"], "closure.task");
      set(registry, [...WORK, "transitions", "next", "condition"], "closure.task.summary");
    });

    expect(problem(files, "TRANSITION_CONDITION_NEVER").message).toContain('"closure.task" can never have run');
  });
});

test.each(["iterationBudget", "checkBudget"])(
  "warns that the hook never runs where %s ends an agent that cannot close",
  (type) => {
    const files = edit(
      miniWith("registry", [...WORK, "transitions", "handoff", "target"], "initial.task"),
      "agent.json",
      (agent) => {
        set(agent, ["runner", "completion"], { type, config: type === "checkBudget" ? {} : { maxIterations: 3 } });
        set(agent, ["runner", "integrations"], { github: { enabled: true } });
      },
    );
    const found = problem(files, "AGENT_KEY_WITHOUT_EFFECT");

    expect(found).toMatchObject({ severity: "warning", path: "runner.integrations.github.enabled" });
    expect(found.why).toContain("closing");
  },
);
