import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { labelsFor, nextStep, settle, type Turn } from "../../src/orchestrator/workflow.ts";
import { workflowOf } from "./support.ts";

const workflow = workflowOf();

function turn(phase: string, outcome: string, to: string): Turn {
  return { phase, outcome, to };
}

describe("labels → phase → agent", () => {
  test.each([
    [["ready"], { do: "work", phase: "impl", agent: "iterator" }],
    [["bug", "READY"], { do: "work", phase: "impl", agent: "iterator" }],
    [["ready", "review"], { do: "work", phase: "review", agent: "reviewer" }],
    [["review", "ready"], { do: "work", phase: "review", agent: "reviewer" }],
    [["done"], { do: "rest", phase: "done", type: "terminal" }],
    [["done", "ready"], { do: "rest", phase: "done", type: "terminal" }],
    [["ready", "blocked", "done"], { do: "rest", phase: "blocked", type: "blocking" }],
    [["bug", "constructor", "__proto__"], { do: "ignore" }],
    [[], { do: "ignore" }],
  ])("%j", (labels, step) => {
    expect(nextStep(workflow, labels, [])).toMatchObject(step);
  });

  test("with a prefix, only labels that have it count", () => {
    const prefixed = workflowOf({ labelPrefix: "docs" });

    expect(nextStep(prefixed, ["ready"], [])).toEqual({ do: "ignore" });
    expect(nextStep(prefixed, ["docs:ready"], [])).toMatchObject({ do: "work", phase: "impl" });
    expect(labelsFor(prefixed, "review", ["docs:ready", "ready"])).toEqual({
      add: ["docs:review"],
      remove: ["docs:ready"],
    });
  });
});

describe("agent → outcome → next labels", () => {
  const none: string[] = [];
  test.each([
    [["iterator", "success"], ["ready"], { to: "review", add: ["review"], remove: ["ready"] }],
    [["iterator", "failed"], ["ready", "bug"], { to: "blocked", add: ["blocked"], remove: ["ready"] }],
    [["iterator", "too_large"], ["ready"], { to: "plan", add: ["plan"], remove: ["ready"] }],
    [["reviewer", "approved"], ["review", "bug"], { to: "done", add: ["done"], remove: ["review"], closes: true }],
    [["reviewer", "rejected"], ["Review", "ready"], { to: "impl", add: none, remove: ["Review"] }],
    [["reviewer", "dropped"], ["review"], { to: "done", add: ["done"], remove: ["review"] }],
    [["reviewer", "__proto__"], ["review"], { to: "blocked", add: ["blocked"], remove: ["review"] }],
    [["planner", "success"], ["plan"], { to: "impl", add: ["ready"], remove: ["plan"] }],
  ])("%j with %j", ([agent = "", outcome = ""], labels, { to, add, remove, ...more }) => {
    const closes = "closes" in more;

    expect(settle(workflow, { agent, outcome, labels })).toEqual({ to, labels: { add, remove }, closes });
  });

  test("an outcome without a phase leaves the issue as it is", () => {
    expect(settle(workflow, { agent: "planner", outcome: "failed", labels: ["plan"] })).toEqual({
      to: undefined,
      labels: { add: [], remove: [] },
      closes: false,
    });
  });

  test("closeOnComplete closes at a terminal phase only, and without a condition after any outcome", () => {
    const { agents, ...rest } = workflow;
    const always = { ...agents.reviewer, closeOnComplete: true, closeCondition: undefined } as never;
    const closing = { ...rest, agents: { ...agents, reviewer: always } };

    for (const [outcome, closes] of [
      ["approved", true],
      ["dropped", true],
      ["rejected", false],
    ] as const)
      expect(settle(closing, { agent: "reviewer", outcome, labels: ["review"] }).closes).toBe(closes);
  });

  test("after any outcome of any agent, the labels mean the phase that follows, and nothing else is touched", () => {
    const label = fc.constantFrom("ready", "review", "plan", "Blocked", "bug", "later");
    fc.assert(
      fc.property(
        fc.uniqueArray(label),
        fc.constantFrom("iterator", "reviewer", "planner"),
        fc.string(),
        (labels, agent, outcome) => {
          const {
            to,
            labels: { add, remove },
          } = settle(workflow, { agent, outcome, labels });
          fc.pre(to !== undefined);
          const after = [...labels.filter((one) => !remove.includes(one)), ...add];

          expect(after.filter((one) => ["bug", "later"].includes(one))).toEqual(
            labels.filter((one) => ["bug", "later"].includes(one)),
          );
          const step = nextStep(workflow, after, []);
          expect(step.do === "ignore" ? undefined : step.phase).toBe(to);
        },
      ),
    );
  });
});

describe("limits", () => {
  const round = [turn("impl", "success", "review"), turn("review", "rejected", "impl")];

  test("a rejected issue goes back to implementation, after the delay", () => {
    expect(nextStep(workflow, ["ready"], round)).toEqual({
      do: "work",
      phase: "impl",
      agent: "iterator",
      delay_ms: 300,
    });
    expect(nextStep(workflow, ["ready"], [])).toMatchObject({ delay_ms: 0 });
  });

  test("after the fifth cycle it is blocked", () => {
    const four = [...round, ...round];
    expect(nextStep(workflow, ["ready"], four)).toMatchObject({ do: "work" });

    const five = [...four, turn("impl", "success", "review")];
    expect(nextStep(workflow, ["review"], five)).toEqual({
      do: "block",
      phase: "review",
      to: "blocked",
      reason: "cycles",
      count: 5,
    });
    expect(labelsFor(workflow, "blocked", ["review", "bug"])).toEqual({ add: ["blocked"], remove: ["review"] });
  });

  test("a person who sets another label begins anew", () => {
    const blocked = [...round, ...round, turn("impl", "cycles", "blocked")];

    expect(nextStep(workflow, ["blocked"], blocked)).toMatchObject({ do: "rest" });
    expect(nextStep(workflow, ["ready"], blocked)).toMatchObject({ do: "work", delay_ms: 0 });
    expect(nextStep(workflow, ["review"], [...blocked, turn("impl", "success", "review")])).toMatchObject({
      do: "work",
    });
  });

  test("the same phase again and again is blocked before the cycles are used up", () => {
    const rules = { maxCycles: 9, cycleDelayMs: 0, maxConsecutivePhases: 2 };
    const strict = workflowOf({ rules });
    const again = turn("impl", "unsure", "impl");

    expect(nextStep(strict, ["ready"], [...round, again])).toMatchObject({ do: "work" });
    expect(nextStep(strict, ["ready"], [...round, again, again])).toMatchObject({
      do: "block",
      reason: "repetition",
      count: 2,
    });
  });
});
