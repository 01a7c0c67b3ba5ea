import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Validator } from "../../../src/model/flow/steps-registry.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { saying } from "../../support/saying.ts";

const CUSTOM: Validator = {
  type: "custom",
  handlerPath: "m.mjs",
  timeout: 5_000,
  successWhen: { kind: "exitCode", code: 0 },
  extractParams: {},
};
const never = () => new Promise(() => {});

function flow(options: Partial<FlowOptions>) {
  return runFlow({
    steps: {
      "initial.task": gated("work", { handoff: "closure.task" }),
      "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
    },
    script: { executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff") },
    settings: { max_iterations: 2 },
    ...options,
  });
}

const validated: Partial<FlowOptions> = {
  validators: { mine: CUSTOM },
  completionSteps: { "closure.task": { completionConditions: [{ validator: "mine" }] } },
};
const handled: Partial<FlowOptions> = { completion: { type: "custom", config: { handlerPath: "m.mjs" } } };

describe("a module of the user's own that never answers", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("as a validator, has timed out when its time is up: not passed, and tried again", async () => {
    const running = flow({ ...validated, modules: { "m.mjs": never } });
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(5_000);
    const { result } = await running;

    expect(result).toMatchObject({ status: "max_iterations", final_judgment: { is_complete: false } });
    expect(result.final_judgment?.evaluations).toMatchObject([
      { is_met: false, evidence: "", outcome: saying("it gave no answer within 5 s") },
    ]);
  });

  test("as a completion handler, ends the run with its name", async () => {
    const running = flow({ ...handled, modules: { "m.mjs": () => ({ isComplete: never }) } });
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(120_000);

    expect((await running).result).toMatchObject({
      status: "error",
      error_code: "module_broken",
      error_details: { path: "/project/.agent/tester/m.mjs", problem: saying("it gave no answer within 120 s") },
    });
  });
});

describe("a module of the agent's directory", () => {
  test.each([
    ["validator", validated],
    ["completion handler", handled],
  ])("that cannot be a %s is found before anything is spent", async (_, options) => {
    const { result, agent } = await flow({ ...options, modules: { "m.mjs": 3 } });

    expect(result).toMatchObject({ status: "error", error_code: "module_broken", iterations_used: 0 });
    expect(agent.assignments).toEqual([]);
  });

  test("stays as it was when the run began, whatever a step writes into it", async () => {
    const modules: Record<string, unknown> = { "m.mjs": () => false };
    const { result } = await flow({
      ...validated,
      modules,
      script: {
        executor: ({ step_id }) => {
          modules["m.mjs"] = () => true;
          return says(step_id === "closure.task" ? "closing" : "handoff");
        },
      },
    });

    expect(result.status).toBe("max_iterations");
  });

  test("one elsewhere is loaded when it is needed, as it is then", async () => {
    const modules: Record<string, unknown> = {};
    const { result } = await flow({
      ...validated,
      validators: { mine: { ...CUSTOM, handlerPath: "../../made.mjs" } },
      modules,
      script: {
        executor: ({ step_id }) => {
          modules["../../made.mjs"] = () => true;
          return says(step_id === "closure.task" ? "closing" : "handoff");
        },
      },
    });

    expect(result.status).toBe("completed");
  });

  test("gives its reason, of any type, as evidence", async () => {
    const { result } = await flow({
      ...validated,
      modules: { "m.mjs": () => ({ passed: true, reason: { left: 0 } }) },
    });

    expect(result.final_judgment?.evaluations).toMatchObject([{ is_met: true, evidence: '{"left":0}' }]);
  });
});
