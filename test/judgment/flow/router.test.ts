import { describe, expect, test } from "vitest";
import { type RouteRequest, route } from "../../../src/judgment/flow/router.ts";
import type { Handoff } from "../../../src/model/flow/position.ts";
import type { Intent, Step } from "../../../src/model/flow/steps-registry.ts";
import { intentsOf } from "../../../src/model/flow/steps-registry.ts";
import { saying } from "../../support/saying.ts";
import { registry, step } from "./definitions.ts";

const GATED: Required<Pick<Step, "structuredGate">> = {
  structuredGate: {
    allowedIntents: ["next"],
    intentField: "a",
    intentSchemaRef: "#/a",
    handoffFields: [],
    failFast: true,
  },
};
const steps = ["initial.x", "continuation.x", "s.review", "s.fix"].map((id) => step(id, "work"));

function go(from: Step, asked: RouteRequest, handoff: Handoff = {}) {
  return route(from, asked, { handoff, registry: registry(...steps, from) });
}

describe("every intent of every kind follows its transition, repeat included", () => {
  for (const kind of ["work", "verification"] as const) {
    test.each(intentsOf[kind])(`${kind}: %s`, (intent: Intent) => {
      const from = step("s.from", kind, { transitions: { [intent]: { target: "s.fix" } } });
      expect(go(from, { intent })).toEqual({ next: "s.fix" });
    });
  }
});

test("[C22] a closure's repeat goes where it says, and so does a work step's", () => {
  const closure = step("closure.x", "closure", { transitions: { repeat: { target: "continuation.x" } } });
  expect(go(closure, { intent: "repeat" })).toEqual({ next: "continuation.x" });
  const work = step("s.work", "work", { transitions: { repeat: { target: "s.fix" } } });
  expect(go(work, { intent: "repeat" })).toEqual({ next: "s.fix" });
});

describe("[C20] a transition that leads nowhere is a problem, never a silent success", () => {
  test("a jump to an unknown step", () => {
    const from = step("s.from", "work", { transitions: { jump: { target: "s.fix" } } });
    expect(go(from, { intent: "jump", target: "s.nowhere" })).toEqual({
      problem: saying("s.nowhere"),
    });
    expect(go(from, { intent: "jump", target: "constructor" })).toHaveProperty("problem");
  });

  test("a section, which is not a step of the flow", () => {
    const from = step("s.from", "work", { transitions: { next: { target: "section.x" } } });
    const inputs = { handoff: {}, registry: registry({ ...from, ...GATED }, step("section.x", "work")) };

    expect(route(from, { intent: "jump", target: "section.x" }, inputs)).toEqual({ problem: saying("section.x") });
    expect(route(from, { intent: "next" }, inputs)).toEqual({ problem: saying("section.x") });
  });

  test("a transition to an unknown step", () => {
    const from = step("s.from", "work", { transitions: { next: { target: "s.nowhere" } } });
    expect(go(from, { intent: "next" })).toEqual({ problem: saying("s.nowhere") });
  });

  test("escalate without a transition", () => {
    const from = step("s.from", "verification", { transitions: { next: { target: "s.fix" } } });
    expect(go(from, { intent: "escalate" })).toEqual({ problem: saying("escalate") });
  });

  test("closing from a work or verification step, even when a transition for it was written", () => {
    for (const kind of ["work", "verification"] as const) {
      const from = step("s.from", kind, { transitions: { closing: { target: null } } });
      expect(go(from, { intent: "closing" })).toEqual({ problem: saying(kind) });
    }
  });

  test("next from a closure step", () => {
    const from = step("closure.x", "closure", { transitions: { next: { target: "s.fix" } } });
    expect(go(from, { intent: "next" })).toHaveProperty("problem");
  });

  test("a target of null for anything but closing", () => {
    const from = step("s.from", "work", { transitions: { next: { target: null } } });
    expect(go(from, { intent: "next" })).toEqual({ problem: saying("only closing") });
  });

  test("closing without a transition, or with a target", () => {
    expect(go(step("closure.x", "closure"), { intent: "closing" })).toHaveProperty("problem");
    const from = step("closure.x", "closure", { transitions: { closing: { target: "s.fix" } } });
    expect(go(from, { intent: "closing" })).toHaveProperty("problem");
  });
});

test("closing from a closure step ends the flow", () => {
  const from = step("closure.x", "closure", { transitions: { closing: { target: null } } });
  expect(go(from, { intent: "closing" })).toEqual({ next: null });
});

test("the step a jump names wins over the transition's; without a name the transition's is taken", () => {
  const from = step("s.from", "work", { transitions: { jump: { target: "s.fix" } } });
  expect(go(from, { intent: "jump", target: "s.review" })).toEqual({ next: "s.review" });
  expect(go(from, { intent: "jump" })).toEqual({ next: "s.fix" });
  expect(go(step("s.from", "work"), { intent: "jump" })).toHaveProperty("problem");
});

describe("[C19] conditional transitions choose by handed-on values", () => {
  const targets = { pass: "s.review", true: "initial.x", "3": "continuation.x", default: "s.fix" };
  const from = step("s.test", "work", { transitions: { next: { condition: "testResult", targets } } });
  const choose = (testResult: unknown) => go(from, { intent: "next" }, { "s.test": { testResult } });

  test.each([
    ["pass", "s.review"],
    ["unknown", "s.fix"],
    ["Pass", "s.fix"],
    [true, "initial.x"],
    ["true", "initial.x"],
    [3, "continuation.x"],
    [null, "s.fix"],
    [{ pass: 1 }, "s.fix"],
    [["pass"], "s.fix"],
    ["constructor", "s.fix"],
    ["", "s.fix"],
  ])("%j leads to %s", (value, next) => {
    expect(choose(value)).toEqual({ next });
  });

  test("a value that was not handed on chooses the default", () => {
    expect(go(from, { intent: "next" })).toEqual({ next: "s.fix" });
  });

  test("neither that value nor a default is a problem", () => {
    const strict = step("s.test", "work", {
      transitions: { next: { condition: "testResult", targets: { pass: "s.review" } } },
    });
    expect(go(strict, { intent: "next" }, { "s.test": { testResult: "fail" } })).toEqual({
      problem: saying('"fail"'),
    });
    expect(go(strict, { intent: "next" })).toEqual({ problem: saying("not handed on") });
  });

  test("another step's value is named with its step", () => {
    const other = step("s.last", "work", {
      transitions: { next: { condition: "s.test.testResult", targets: { pass: "s.review", default: "s.fix" } } },
    });
    expect(go(other, { intent: "next" }, { "s.test": { testResult: "pass" } })).toEqual({ next: "s.review" });
    expect(go(other, { intent: "next" }, { "s.last": { testResult: "pass" } })).toEqual({ next: "s.fix" });
  });

  test("conditions hold for repeat, too, and a chosen step must exist", () => {
    const repeating = step("s.test", "work", {
      transitions: { repeat: { condition: "again", targets: { yes: "s.fix", no: "s.nowhere" } } },
    });
    expect(go(repeating, { intent: "repeat" }, { "s.test": { again: "yes" } })).toEqual({ next: "s.fix" });
    expect(go(repeating, { intent: "repeat" }, { "s.test": { again: "no" } })).toHaveProperty("problem");
  });
});
