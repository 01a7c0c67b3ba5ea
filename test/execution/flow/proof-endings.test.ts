import { describe, expect, test } from "vitest";
import type { HistoryRecord } from "../../../src/model/records.ts";
import type { Task } from "../../../src/model/task.ts";
import { MemoryTracker, says } from "../../support/run-flow.ts";
import { only, recorded } from "../../support/run-goal.ts";
import { flow, inRoom, judgedAs, PASSING } from "./proof-support.ts";

test("a `criteria` completion is proved like a task", async () => {
  let runs = 0;
  const { result, commands, agent } = await flow({
    validators: {},
    completionSteps: {},
    completion: {
      type: "criteria",
      config: { criteria: [{ type: "command", command: "make check" }, "The words are kind"] },
    },
    checks: () => (++runs === 1 ? 1 : 0),
    script: {
      executor: ({ step_id }) => PASSING[step_id as keyof typeof PASSING],
      judge: [judgedAs(2)],
    },
  });

  expect(commands.requests.map(inRoom)).toEqual([false, false, true]);
  expect(agent.prompts("judge")).toHaveLength(2);
  expect(result).toMatchObject({
    status: "completed",
    proof: {
      checks: [{ id: 1, before: false, after: true }],
      judged: [{ id: 2, criterion: "The words are kind", is_met: true }],
    },
  });
});

test("a command that is waited for is run again in the clean checkout", async () => {
  const { result, commands } = await flow({
    validators: {},
    completionSteps: {},
    completion: { type: "externalState", config: { resourceType: "command", command: "make check" } },
    checks: () => 0,
  });

  expect(commands.requests.map(inRoom)).toEqual([false, true]);
  expect(result.proof?.checks).toMatchObject([{ criterion: "command make check", after: true }]);
});

describe("a flow that claims nothing about the files", () => {
  test.for([
    { name: "by its steps alone", completion: { type: "stepMachine" as const, config: {} } },
    {
      name: "by a keyword",
      completion: { type: "keywordSignal" as const, config: { completionKeyword: "closing" } },
    },
  ])("completed $name has no proof, and its result says so", async ({ completion }) => {
    const { result, events } = await flow({
      validators: {},
      completionSteps: {},
      completion,
      script: {
        executor: ({ step_id }) => ({ ...PASSING[step_id as keyof typeof PASSING], text: "closing" }),
      },
    });

    expect(result).toMatchObject({
      status: "completed",
      proof: { method: "none", holds: null },
      unproved: { code: "unproved_claim" },
    });
    expect(only(events, "proof")).toEqual([]);
  });

  test("completed by its budget has no proof, although it has conditions", async () => {
    const { result, tracker } = await flow({
      completion: { type: "iterationBudget", config: { maxIterations: 1 } },
      script: { executor: [says("repeat")] },
      checks: () => 0,
    });

    expect(result).toMatchObject({
      stop_reason: "flow_budget",
      proof: { method: "none", holds: null },
      unproved: { code: "unproved_claim" },
    });
    expect(tracker.diary).toEqual([]);
  });
});

test("conditions that may fail are not proved", async () => {
  const { result } = await flow({
    checks: () => 1,
    completionSteps: {
      "closure.task": { completionConditions: [{ validator: "tests" }], onFailure: { action: "skip", maxAttempts: 3 } },
    },
  });

  expect(result).toMatchObject({ status: "completed", proof: { method: "none", holds: null } });
});

test("a program that is missing in the clean checkout only is a failed condition, and does not end the flow", async () => {
  const { result } = await flow({ checks: ({ place }) => (place ? 127 : 0), settings: { max_iterations: 3 } });

  expect(result).toMatchObject({ status: "max_iterations", iterations_used: 3 });
});

test("a condition that failed and passes on the same files is flaky: it must pass three times in a row", async () => {
  const scenes = [says("handoff"), says("closing"), says("handoff"), says("closing")];
  const codes = [1, 1, 0, 0, 0, 0, 0, 0]; // before, when it closes, when it closes again, in the proof
  const { result, commands } = await flow({
    checks: codes,
    proof: { isSame: true },
    script: { executor: scenes },
  });

  expect(commands.requests.map(inRoom)).toEqual([false, false, false, false, false, true, true, true]);
  expect(result).toMatchObject({
    status: "completed",
    proof: { checks: [{ criterion: "tests", is_flaky: true, passes: { passed: 3, needed: 3 } }] },
  });
});

test("cut off after any record, a flow whose first claim was refuted ends the same, and its issue is closed once", async () => {
  /** Goes on after these records. The clean checkout refutes the claim of iteration 2. */
  const goOn = (past: readonly HistoryRecord[], task?: Task) => {
    let at = recorded(past, "summary").length;
    const isClosed = recorded(past, "effect").some(({ stage }) => stage === "done");
    const tracker = new MemoryTracker();
    if (isClosed) tracker.item.state = "CLOSED";
    return flow({
      tracker,
      checks: ({ place }) => (place && at < 4 ? 1 : 0),
      script: {
        executor: ({ iteration, step_id }) => {
          at = iteration;
          return PASSING[step_id as keyof typeof PASSING];
        },
      },
      ...(task && { after: { records: past, task } }),
    });
  };
  const whole = await goOn([]);
  const { records, store } = whole;
  expect(recorded(records, "proof").map(({ holds }) => holds)).toEqual([false, true]);

  for (let count = 1; count < records.length; count++) {
    const past = records.slice(0, count);
    const { result, tracker, agent } = await goOn(past, store.task);

    expect(result, `after ${count} records`).toMatchObject({ status: "completed", iterations_used: 4 });
    const closedBefore = recorded(past, "effect").some(({ stage }) => stage === "done");
    expect(tracker.diary).toEqual(closedBefore ? [] : ["close issue 7"]);
    expect(agent.assignments).toHaveLength(4 - recorded(past, "summary").length);
  }
});
