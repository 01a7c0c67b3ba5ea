import { describe, expect, test } from "vitest";
import type { CompletionStep, Validator } from "../../../src/model/flow/steps-registry.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { only, recorded } from "../../support/run-goal.ts";

const passes: Validator = {
  type: "command",
  command: "true",
  successWhen: { kind: "exitCode", code: 0 },
  extractParams: {},
};
const fails: Validator = { ...passes, command: "false" };
const byCommand = ({ command }: { command: string }) => (command === "true" ? 0 : 1);

/** Ends by its budget: whatever any of its two closure steps asks for must hold. */
function twoClosures(completionSteps: FlowOptions["completionSteps"]) {
  return runFlow({
    steps: {
      "initial.task": gated("work", { repeat: "initial.task", next: "closure.a", handoff: "closure.b" }),
      "closure.a": gated("closure", { closing: null, repeat: "initial.task" }),
      "closure.b": gated("closure", { closing: null, repeat: "initial.task" }),
    },
    completion: { type: "iterationBudget", config: { maxIterations: 1 } },
    settings: { max_iterations: 2 },
    validators: { passes, fails },
    completionSteps: completionSteps ?? {},
    retryPrompts: { "closure.b/": "Mend what {{validator}} found." },
    checks: byCommand,
    script: { executor: [says("repeat")] },
  });
}

function asking(validator: string, action: CompletionStep["onFailure"]["action"]): Partial<CompletionStep> {
  return { completionConditions: [{ validator }], onFailure: { action, maxAttempts: 3 } };
}

describe("where a budget ends the flow, each closure step decides what follows when its conditions fail", () => {
  test("that one of them would be skipped completes nothing that another one aborts", async () => {
    const { result } = await twoClosures({
      "closure.a": asking("passes", "skip"),
      "closure.b": asking("fails", "abort"),
    });

    expect(result).toMatchObject({
      status: "conditions_failed",
      error_details: { code: "FAILED_COMPLETION_CONDITIONS", step: "closure.b" },
    });
  });

  test("a failure is counted for the closure step whose condition it is, and answered with its retry prompt", async () => {
    const { records, agent } = await twoClosures({
      "closure.a": asking("fails", "skip"),
      "closure.b": asking("fails", "retry"),
    });

    expect(recorded(records, "judgment")[0]).toMatchObject({
      is_complete: false,
      flow: { attempts: { "closure.b": 1 } },
    });
    expect(agent.prompts("executor")[1]).toMatch(/^Mend what fails found\./);
  });

  test("conditions that both share by the completion type are run once", async () => {
    const shared = { ...asking("passes", "retry"), stepId: "closure.iterationBudget" };
    const { result, events } = await twoClosures({ "closure.a": shared, "closure.b": shared });

    expect(result.status).toBe("completed");
    expect(only(events, "check-end")).toHaveLength(1);
  });
});

describe("where a conditional repeat leads after a refused closing", () => {
  const refused = (where: string) =>
    runFlow({
      steps: {
        "initial.task": gated("work", { handoff: "closure.task" }),
        "continuation.fix": gated("work", { handoff: "closure.task" }),
        "closure.task": gated(
          "closure",
          { closing: null },
          {
            handoffFields: ["where"],
            transitions: {
              closing: { target: null },
              repeat: { condition: "where", targets: { fix: "continuation.fix", other: "initial.task" } },
            },
          },
        ),
      },
      validators: { fails },
      completionSteps: { "closure.task": { completionConditions: [{ validator: "fails" }] } },
      checks: [1],
      settings: { max_iterations: 3 },
      script: { executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff", { where }) },
    });

  test("is chosen by a value that the closure step handed on", async () => {
    const { agent } = await refused("fix");

    expect(agent.assignments.map(({ step_id }) => step_id)).toEqual([
      "initial.task",
      "closure.task",
      "continuation.fix",
    ]);
  });

  test("is a coded error where it names no target", async () => {
    const { result } = await refused("nowhere");

    expect(result).toMatchObject({
      status: "error",
      error_details: { code: "FAILED_STEP_ROUTING", step: "closure.task" },
    });
  });
});

test("values that a step handed on the last time do not choose where it leads this time", async () => {
  const verdicts = [{ tests: "pass" }, {}];
  const { agent } = await runFlow({
    steps: {
      "initial.task": gated("work", { next: "verification.check" }),
      "verification.check": gated(
        "verification",
        { next: "closure.task" },
        {
          handoffFields: ["tests"],
          transitions: { next: { condition: "tests", targets: { pass: "closure.task", default: "initial.task" } } },
        },
      ),
      "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
    },
    settings: { max_iterations: 6 },
    script: {
      executor: ({ step_id }) =>
        step_id === "verification.check"
          ? says("next", verdicts.shift() ?? {})
          : says(step_id === "closure.task" ? "repeat" : "next"),
    },
  });

  expect(agent.assignments.map(({ step_id }) => step_id)).toEqual([
    "initial.task",
    "verification.check",
    "closure.task",
    "initial.task",
    "verification.check",
    "initial.task",
  ]);
});
