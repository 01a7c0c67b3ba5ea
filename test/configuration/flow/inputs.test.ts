import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FlowGraph, reachable, runsBefore } from "../../../src/configuration/flow/check/paths.ts";
import { codes, edit, fixture, miniWith, problem, problemsOf, set } from "./support.ts";

const prompt = "prompts/steps/closure/task/f_default.md";

function closureTakes(input: unknown, text = "Issue {uv-issue}: {uv-x}"): Map<string, string> {
  return miniWith("registry", ["steps", "closure.task", "inputs"], { x: input }).set(prompt, text);
}

describe("an input", () => {
  test("of a step that always ran before is fine, under its own name and under the value's", () => {
    const files = closureTakes({ from: "initial.task.plan" }, "{uv-issue} {uv-x} {uv-initial_task_plan}");

    expect(problemsOf(files)).toEqual([]);
  });

  test.each([
    ["that names no step", "plan", "INPUT_FROM_MALFORMED"],
    ["of a step that does not exist", "initial.tusk.plan", "INPUT_STEP_UNKNOWN"],
    ["that the step does not hand on", "initial.task.pln", "INPUT_KEY_UNKNOWN"],
  ])("%s is an error", (_, from, code) => {
    expect(problem(closureTakes({ from }), code)).toMatchObject({
      severity: "error",
      path: 'steps["closure.task"].inputs.x.from',
    });
  });

  test("of a step that can never have run before is an error, unless it may be missing", () => {
    const files = (input: object) =>
      edit(fixture("mini"), "steps_registry.json", (registry) => {
        set(registry, ["steps", "initial.task", "inputs"], { x: { from: "closure.task.status", ...input } });
        set(registry, ["steps", "closure.task", "structuredGate", "handoffFields"], ["status"]);
        set(registry, ["steps", "closure.task", "transitions", "repeat", "target"], "closure.task");
      });

    expect(codes(problemsOf(files({})))).toEqual(["INPUT_NEVER_BEFORE"]);
    expect(problemsOf(files({ required: false }))).toEqual([]);
  });

  test("that a parameter hides is a warning", () => {
    const files = miniWith("registry", ["steps", "closure.task", "inputs"], { issue: { from: "initial.task.plan" } });

    expect(codes(problemsOf(files))).toEqual(["INPUT_SHADOWED"]);
  });

  test.each([
    ["history", false, 1],
    ["stdin", true, 1],
    ["stdin", false, 0],
  ])("that is called %s, with usesStdin %s, is warned about as often as it is hidden", (name, usesStdin, times) => {
    const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
      set(registry, ["steps", "closure.task", "inputs"], { [name]: { from: "initial.task.plan" } });
      set(registry, ["steps", "closure.task", "usesStdin"], usesStdin);
    });

    expect(codes(problemsOf(files)).filter((code) => code === "INPUT_SHADOWED")).toHaveLength(times);
  });

  test("of the step itself is missing on its first round", () => {
    const files = miniWith("registry", ["steps", "initial.task", "inputs"], { x: { from: "initial.task.plan" } });

    expect(codes(problemsOf(files))).toEqual(["INPUT_NOT_ALWAYS"]);
    const withDefault = { x: { from: "initial.task.plan", default: "none" } };
    expect(problemsOf(miniWith("registry", ["steps", "initial.task", "inputs"], withDefault))).toEqual([]);
  });
});

describe("paths", () => {
  const graph = fc
    .array(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 3 }), { minLength: 8, maxLength: 8 })
    .map((edges): FlowGraph => new Map(edges.map((targets, id) => [String(id), targets.map(String)])));
  const node = fc.integer({ min: 0, max: 7 }).map(String);

  test("a step runs before another always exactly when no walk reaches the other without it", () => {
    fc.assert(
      fc.property(graph, node, node, node, (steps, entry, before, step) => {
        fc.pre(before !== step && reachable(steps, [entry]).has(step));
        const isAlways = runsBefore(steps, entry, before, step) === "always";

        expect(isAlways).toBe(!walk(steps, entry, before).has(step));
      }),
    );
  });

  /** The same by plain recursion. */
  function walk(steps: FlowGraph, at: string, without: string, seen = new Set<string>()): Set<string> {
    if (at === without || seen.has(at)) return seen;
    seen.add(at);
    for (const next of steps.get(at) ?? []) walk(steps, next, without, seen);
    return seen;
  }
});
