import { describe, expect, test } from "vitest";
import { gated, runFlow, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";

const runner = { command: "./answer", args: [], timeout: 30_000 };
const object = { schema: { type: "object" } };

describe("what a program prints instead of its answer", () => {
  test.each(["It went well.", '{"cut": "in the mid', ""])("is said to be no JSON: %j", async (stdout) => {
    const { records } = await runFlow({
      steps: { "initial.x": { runner, schema: object } },
      completion: { type: "iterationBudget", config: { maxIterations: 1 } },
      settings: { max_iterations: 1 },
      checks: [{ exit_code: 0, stdout, output_tail: stdout }],
    });

    const [summary] = recorded(records, "summary");
    expect(summary).toMatchObject({ result: "error", metadata: { error_type: "malformed" } });
    expect(summary?.reason).toBe(`its output is not JSON: ${stdout}`);
  });
});

test("a pattern that escapes more than it must is held to all the same", async () => {
  const answers = ["2026-11_x", "elsewhere"].map((when) => ({ structured: { when } }));
  const { records } = await runFlow({
    steps: { "initial.x": { schema: { schema: { properties: { when: { pattern: "^\\d{4}\\-\\d{2}\\_x$" } } } } } },
    completion: { type: "iterationBudget", config: { maxIterations: 2 } },
    settings: { max_iterations: 2 },
    script: { executor: [...answers, ...answers.slice(1)] },
  });

  expect(recorded(records, "summary").map(({ result }) => result)).toEqual(["success", "error"]);
});

test("an output without a property of its own called constructor is not said to have one", async () => {
  const properties = { constructor: { type: "string" }, next_action: {} };
  const schema = { schema: { type: "object", additionalProperties: false, properties } };
  const { records } = await runFlow({
    steps: {
      "initial.x": gated("work", { handoff: "closure.x" }, { schema, handoffFields: ["constructor"] }),
      "closure.x": gated("closure", { closing: null }),
    },
    script: { executor: ({ step_id }) => says(step_id === "initial.x" ? "handoff" : "closing") },
  });

  expect(recorded(records, "summary").map(({ result }) => result)).toEqual(["success", "success"]);
  expect(recorded(records, "judgment")[0]?.flow?.handoff).toEqual({ "initial.x": {} });
});
