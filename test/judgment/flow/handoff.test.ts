import { describe, expect, test } from "vitest";
import { withStepId } from "../../../src/judgment/flow/gate.ts";
import { extractHandoff, handoffVariables, inputValues } from "../../../src/judgment/flow/handoff.ts";
import { saying } from "../../support/saying.ts";
import { gate, step } from "./definitions.ts";

test("[C18] only declared fields that the output has are handed on, under their last names", () => {
  const output = { analysis: { understanding: "clear", secret: 1 }, issue: 12, other: "x" };
  const fields = ["analysis.understanding", "issue", "zz"];
  expect(extractHandoff(gate({ handoffFields: fields }), output)).toEqual({ understanding: "clear", issue: 12 });
});

test("an empty text, false, 0 and null are handed on; an output that is not an object hands on nothing", () => {
  const output = { a: "", b: false, c: 0, d: null };
  expect(extractHandoff(gate({ handoffFields: ["a", "b", "c", "d"] }), output)).toEqual(output);
  expect(extractHandoff(gate({ handoffFields: ["a", "length"] }), "text")).toEqual({});
});

test("values that were handed on have their namespaced names, as text", () => {
  const handoff = {
    "initial.issue": { status: "open", empty: "", count: 3, list: ["a", 1], map: { b: true }, nothing: null },
    "s.a.b": { x: false },
  };
  expect(handoffVariables(handoff)).toEqual({
    initial_issue_status: "open",
    initial_issue_empty: "",
    initial_issue_count: "3",
    initial_issue_list: '["a",1]',
    initial_issue_map: '{"b":true}',
    s_a_b_x: "false",
  });
});

describe("inputs", () => {
  const asking = (required: boolean, value?: unknown) =>
    step("s.use", "work", {
      inputs: { state: { from: "initial.issue.status", required, ...(value !== undefined && { default: value }) } },
    });

  test("[C24] are known by their own and by their namespaced name", () => {
    expect(inputValues(asking(true), { "initial.issue": { status: "open" } })).toEqual({
      values: { state: "open", initial_issue_status: "open" },
      missing: [],
    });
  });

  test("[C24] that are required and absent are missing, naming both steps", () => {
    const { values, missing } = inputValues(asking(true), { "initial.issue": { other: 1 } });
    expect(values).toEqual({});
    expect(missing).toEqual([saying("Step s.use needs state: step initial.issue has not handed on status.")]);
    expect(inputValues(asking(true), {}).missing).toHaveLength(1);
    expect(inputValues(asking(true), { "initial.issue": { status: null } }).missing).toHaveLength(1);
  });

  test("[C25] an empty text is a value: no default takes its place", () => {
    const { values, missing } = inputValues(asking(true, "default"), { "initial.issue": { status: "" } });
    expect(values.state).toBe("");
    expect(missing).toEqual([]);
  });

  test("that are absent have their default, or the empty text where nothing is required", () => {
    expect(inputValues(asking(true, "closed"), {}).values).toEqual({ state: "closed", initial_issue_status: "closed" });
    expect(inputValues(asking(false, 0), {}).values.state).toBe("0");
    expect(inputValues(asking(false), {})).toEqual({ values: { state: "", initial_issue_status: "" }, missing: [] });
  });
});

describe("[C23] the runtime owns the step's id", () => {
  test("a wrong one is corrected, with a note", () => {
    expect(withStepId({ stepId: "wrong", a: 1 }, "initial.x")).toEqual({
      output: { stepId: "initial.x", a: 1 },
      deviation: saying('"wrong"; it was recorded as initial.x'),
    });
  });

  test("a right or absent one needs no note", () => {
    expect(withStepId({ stepId: "initial.x" }, "initial.x")).toEqual({ output: { stepId: "initial.x" } });
    expect(withStepId({ a: 1 }, "initial.x")).toEqual({ output: { a: 1, stepId: "initial.x" } });
  });

  test("an output that is not an object is left alone, and the given object is not changed", () => {
    expect(withStepId(null, "initial.x")).toEqual({ output: null });
    expect(withStepId([1], "initial.x")).toEqual({ output: [1] });
    const given = Object.freeze({ stepId: "wrong" });
    expect(withStepId(given, "initial.x").output).not.toBe(given);
  });
});
