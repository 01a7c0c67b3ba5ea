import { describe, expect, test } from "vitest";
import type { Validator } from "../../../src/model/flow/steps-registry.ts";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";
import { readable, saying } from "../../support/saying.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
const closes: NonNullable<FlowOptions["script"]> = {
  executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff"),
};
const tests: Validator = {
  type: "command",
  command: "npm test",
  successWhen: { kind: "exitCode", code: 0 },
  extractParams: {},
};
const conditions: FlowOptions = {
  steps: TWO_STEPS,
  script: closes,
  validators: { tests },
  completionSteps: { "closure.task": { completionConditions: [{ validator: "tests" }] } },
  settings: { max_iterations: 50 },
};
const FAILED = { exit_code: 1, stdout: "", output_tail: "2 tests failed" };

describe("conditions that failed as often as they may (conformance 29)", () => {
  test("are failed work, not an error of the definition, and the result says what failed", async () => {
    const { result } = await runFlow({ ...conditions, checks: [FAILED] });

    expect(result).toMatchObject({ status: "conditions_failed", stop_reason: "conditions_failed", iterations_used: 6 });
    expect(result.error_details).toMatchObject({ code: "FAILED_COMPLETION_CONDITIONS", recoverable: true });
    expect(result.final_judgment?.evaluations).toMatchObject([{ is_met: false, evidence: "2 tests failed" }]);
    const { error_message, hint } = readable(result);
    expect(error_message).toMatch(/tests: .*\n2 tests failed/);
    expect(hint).toContain("e8 run --resume");
    expect(hint).not.toContain("definition");
  });

  test("are the same where the definition says abort", async () => {
    const abort = { action: "abort", maxAttempts: 3 } as const;
    const completionSteps = { "closure.task": { completionConditions: [{ validator: "tests" }], onFailure: abort } };
    const { result } = await runFlow({ ...conditions, completionSteps, checks: [FAILED] });

    expect(result).toMatchObject({ status: "conditions_failed", iterations_used: 2 });
  });

  test("are counted anew when the run is resumed, which begins with the retry prompt", async () => {
    const { records } = await runFlow({ ...conditions, checks: [FAILED] });
    const resumed = await runFlow({ ...conditions, checks: [FAILED, 0], after: { records } });

    expect(resumed.agent.assignments[0]).toMatchObject({ step_id: "initial.task" });
    expect(resumed.agent.prompts("executor")[0]).toContain("2 tests failed");
    expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 10 });
  });

  test("a condition that cannot be checked is still an error of the definition", async () => {
    const { result } = await runFlow({ ...conditions, checks: [{ exit_code: 127, stdout: "", output_tail: "" }] });

    expect(result).toMatchObject({ status: "error", error_details: { recoverable: false } });
    expect(readable(result).hint).toContain("definition");
  });
});

describe("[FR-032] the judgment of a flow's last step is recorded", () => {
  const lastJudgment = async (options: FlowOptions) => {
    const { records, result } = await runFlow(options);
    return { judgment: recorded(records, "judgment").at(-1), result, records };
  };

  test("when its conditions have failed for good", async () => {
    const { judgment } = await lastJudgment({ ...conditions, checks: [FAILED] });

    expect(judgment).toMatchObject({ iteration: 6, is_complete: false, flow: { attempts: { "closure.task": 3 } } });
    expect(judgment?.evaluations).toMatchObject([{ criterion: "tests", is_met: false }]);
  });

  test("when a condition cannot be checked: with what was found until then", async () => {
    const { judgment, result } = await lastJudgment({
      ...conditions,
      checks: [{ exit_code: 127, stdout: "", output_tail: "npm: not found" }],
    });

    expect(judgment).toMatchObject({ iteration: 2, is_complete: false, is_undecided: true });
    expect(judgment?.evaluations).toMatchObject([{ criterion: "tests", evidence: "npm: not found" }]);
    expect(result.final_judgment?.evaluations).toEqual(judgment?.evaluations);
  });

  test("when the completion's own look fails, and a resumed run looks again without working again", async () => {
    const tracker = new MemoryTracker();
    const options: FlowOptions = {
      ...conditions,
      tracker,
      parameters: { issue: 7 },
      completion: { type: "externalState", config: { resourceType: "issue" } },
      checks: [0],
      script: {
        executor: ({ step_id }) => {
          tracker.unreadable = step_id === "closure.task";
          return says(step_id === "closure.task" ? "closing" : "handoff");
        },
      },
    };
    const { judgment, result, records } = await lastJudgment(options);
    Object.assign(tracker, { unreadable: false }).item.state = "CLOSED";
    const resumed = await runFlow({ ...options, after: { records } });

    expect(judgment).toMatchObject({ is_undecided: true, evaluations: [{ criterion: "tests", is_met: true }] });
    expect(judgment?.reasons).toEqual([saying("closure.task could not be concluded")]);
    expect(result).toMatchObject({ status: "error", error_code: "tracker_failed" });
    expect(resumed.agent.assignments).toEqual([]);
    expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
  });

  test("when a step's answer leads nowhere", async () => {
    const { judgment, result } = await lastJudgment({ steps: TWO_STEPS, script: { executor: [says("Next")] } });

    expect(judgment).toMatchObject({ iteration: 1, is_undecided: true, flow: { step_id: "initial.task" } });
    expect(result.error_details).toMatchObject({ code: "FAILED_STEP_ROUTING" });
  });
});
