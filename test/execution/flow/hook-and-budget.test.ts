import { describe, expect, test } from "vitest";
import type { Completion } from "../../../src/model/flow/agent-file.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";
import { saying } from "../../support/saying.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
const closes: NonNullable<FlowOptions["script"]> = {
  executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff"),
};
const issue: Partial<FlowOptions> = {
  github: { enabled: true, defaultClosureAction: "label-and-close", labels: { add: ["done"], remove: ["ready"] } },
  parameters: { issue: 7 },
};
const budget = (maxIterations: number): Completion => ({ type: "iterationBudget", config: { maxIterations } });

describe("a budget that is used up in a work step (conformance 33)", () => {
  const used = () =>
    runFlow({ steps: TWO_STEPS, ...issue, completion: budget(3), script: { executor: [says("next")] } });

  test("completes the agent, and says that the budget is used up, not that criteria are met", async () => {
    const { result } = await used();

    expect(result).toMatchObject({ status: "completed", stop_reason: "flow_budget", iterations_used: 3 });
    expect(result.final_judgment?.reasons).toEqual([saying("the iteration budget is used up: 3 of 3")]);
  });

  test("does nothing to the issue: that follows the closing intent of a closure step", async () => {
    const { tracker, records } = await used();

    expect(tracker.diary).toEqual([]);
    expect(recorded(records, "effect")).toEqual([]);
  });
});

test.each<[string, Completion]>([
  ["iterationBudget", budget(2)],
  ["checkBudget", { type: "checkBudget", config: { maxChecks: 1 } }],
  ["composite", { type: "composite", config: { operator: "first", conditions: [budget(2)] } }],
])("a budget (%s) that the closing intent uses up is named, and the hook runs", async (_, completion) => {
  const { result, tracker } = await runFlow({ steps: TWO_STEPS, ...issue, completion, script: closes });

  expect(result).toMatchObject({ status: "completed", stop_reason: "flow_budget", iterations_used: 2 });
  expect(tracker.diary).toEqual(["label 7 +done -ready", "close issue 7"]);
});

test("a budget beside another condition that holds is not all that completed the agent", async () => {
  const conditions = [budget(2), { type: "stepMachine", config: {} } as const];
  const completion: Completion = { type: "composite", config: { operator: "and", conditions } };
  const { result } = await runFlow({ steps: TWO_STEPS, completion, script: closes });

  expect(result.stop_reason).toBe("criteria_met");
});

const SOON: Record<string, Completion> = {
  externalState: { type: "externalState", config: { resourceType: "file", path: "done.txt" } },
  iterationBudget: budget(1),
  checkBudget: { type: "checkBudget", config: { maxChecks: 1 } },
  keywordSignal: { type: "keywordSignal", config: { completionKeyword: "DONE" } },
  structuredSignal: { type: "structuredSignal", config: { signalType: "ok" } },
  composite: { type: "composite", config: { operator: "or", conditions: [budget(1)] } },
  custom: { type: "custom", config: { handlerPath: "h.mjs" } },
  criteria: { type: "criteria", config: { criteria: [{ type: "command", command: "true" }] } },
};

test.each(Object.entries(SOON))(
  "%s without gates completes the agent and leaves the issue alone",
  async (_, completion) => {
    const { result, tracker } = await runFlow({
      steps: { "initial.x": {} },
      ...issue,
      completion,
      checks: [0],
      modules: { "h.mjs": () => ({ isComplete: () => true }) },
      script: { executor: [{ text: "DONE", structured: { signal: "ok" } }] },
    });

    expect(result).toMatchObject({ status: "completed", iterations_used: 1 });
    expect(tracker.diary).toEqual([]);
  },
);

test("an agent that can never close its issue does not need a tracker", async () => {
  const options = {
    steps: { "initial.x": {} },
    ...issue,
    completion: budget(1),
    script: { executor: [{ text: "x" }] },
  };
  const tracker = (await runFlow(options)).tracker;
  tracker.unreadable = true;

  expect((await runFlow({ ...options, tracker })).result.status).toBe("completed");
});
