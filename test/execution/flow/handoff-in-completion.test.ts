import { describe, expect, test } from "vitest";
import type { Validator } from "../../../src/model/flow/steps-registry.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { readable } from "../../support/saying.ts";
import { judged } from "../../support/scripted-agent.ts";

const PLAIN = { successWhen: { kind: "exitCode", code: 0 }, extractParams: {} } as const;
const handed = { plan: "P 1", files: ["a.ts", "b c.ts"] };

function flow(validator: Validator, more: Partial<FlowOptions> = {}) {
  return runFlow({
    steps: {
      "initial.task": gated("work", { handoff: "closure.task" }, { handoffFields: ["plan", "files", "extra"] }),
      "closure.task": gated(
        "closure",
        { closing: null, repeat: "initial.task" },
        {
          handoffFields: ["verdict"],
          inputs: { shape: { from: "initial.task.extra", required: false, default: "round" } },
        },
      ),
    },
    script: {
      executor: ({ step_id }) =>
        step_id === "closure.task" ? says("closing", { verdict: "fine" }) : says("handoff", handed),
    },
    validators: { v: validator },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "v" }] } },
    settings: { max_iterations: 3 },
    ...more,
  });
}

describe("the completion loop uses what was handed on", () => {
  test("in a retry prompt, the closure step's own values and inputs included", async () => {
    const { agent } = await flow(
      { type: "command", command: "false", ...PLAIN },
      {
        checks: [1],
        retryPrompts: { "closure.task/": "{uv-initial_task_plan} was {uv-closure_task_verdict} and {uv-shape}." },
      },
    );

    expect(agent.prompts("executor")[2]).toMatch(/^P 1 was fine and round\./);
  });

  test("in a validator's command and path, each value one word", async () => {
    const command = await flow({
      type: "command",
      command: `check $\{initial_task_plan} $\{initial_task_files}`,
      ...PLAIN,
    });
    const file = await flow({ type: "file", path: `out/$\{initial_task_plan}`, ...PLAIN });

    expect(command.commands.requests[0]?.arguments).toEqual(["P 1", "a.ts", "b c.ts"]);
    expect(file.commands.requests[0]?.arguments).toEqual(["out/P 1"]);
  });

  test.each(["command", "path"])("a value for a %s that no step handed on ends the run and is named", async (key) => {
    const validator = { type: key === "path" ? "file" : "command", [key]: `x/$\{initial_task_extra}`, ...PLAIN };
    const { result, commands } = await flow(validator as Validator);

    expect(result).toMatchObject({ status: "error", error_details: { code: "FAILED_COMPLETION_CONDITIONS" } });
    expect(readable(result).error_message).toContain("initial_task_extra");
    expect(commands.requests).toEqual([]);
  });

  test("in a module of the user's own: a validator and a completion handler", async () => {
    const seen: unknown[] = [];
    const handoff = { "initial.task": handed, "closure.task": { verdict: "fine" } };
    const { result } = await flow(
      { type: "custom", handlerPath: "v.mjs", ...PLAIN },
      {
        completion: { type: "custom", config: { handlerPath: "h.mjs" } },
        modules: {
          "v.mjs": (_: unknown, given: { handoff: unknown }) => seen.push(given.handoff) > 0,
          "h.mjs": () => ({ isComplete: (given: { handoff: unknown }) => seen.push(given.handoff) > 0 }),
        },
      },
    );

    expect(result.status).toBe("completed");
    expect(seen).toEqual([handoff, handoff]);
  });

  test("in the sentence of a semantic validator", async () => {
    const { agent } = await flow(
      { type: "semantic", prompt: "{uv-initial_task_plan} is carried out", ...PLAIN },
      {
        script: {
          executor: ({ step_id }) => (step_id === "closure.task" ? says("closing") : says("handoff", handed)),
          judge: [judged([true])],
        },
      },
    );

    expect(agent.prompts("judge")[0]).toContain("P 1 is carried out");
  });
});
