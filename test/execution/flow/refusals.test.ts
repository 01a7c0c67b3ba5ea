import { describe, expect, test } from "vitest";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";
import { readable } from "../../support/saying.ts";
import { judged } from "../../support/scripted-agent.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
const closes: NonNullable<FlowOptions["script"]> = {
  executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff"),
};

function validated(
  validator: NonNullable<FlowOptions["validators"]>[string],
  more: Omit<Partial<FlowOptions>, "steps"> = {},
) {
  return runFlow({
    steps: TWO_STEPS,
    script: closes,
    validators: { v: validator },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "v" }] } },
    settings: { max_iterations: 4 },
    ...more,
  });
}

describe("criteria as completion", () => {
  const hidden = {
    type: "command",
    command: "SECRET-COMMAND",
    description: "the acceptance test passes",
    hidden: true,
  };
  const ungated = { "initial.x": { prompt: "begin" } };

  test("a hidden check's command and output reach no prompt; its description does", async () => {
    const { agent } = await runFlow({
      steps: ungated,
      completion: { type: "criteria", config: { criteria: [hidden] } },
      checks: [{ exit_code: 1, output_tail: "SECRET-OUTPUT" }, 0],
      script: { executor: [{ text: "worked" }] },
    });

    const sent = JSON.stringify(agent.assignments);
    expect(sent).not.toContain("SECRET-COMMAND");
    expect(sent).not.toContain("SECRET-OUTPUT");
    expect(agent.prompts("executor")[1]).toContain("the acceptance test passes");
  });

  test("the judge sees all that the step returned", async () => {
    const { agent, result } = await runFlow({
      steps: TWO_STEPS,
      completion: { type: "criteria", config: { criteria: ["the coverage is above 90 %"] } },
      script: {
        executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff", { coverage: "93 %" }),
        judge: [judged([true])],
      },
    });

    expect(agent.prompts("judge")[0]).toContain("93 %");
    expect(result.status).toBe("completed");
  });
});

describe("conditions", () => {
  test("a custom validator that throws is a condition that cannot be met, not a crash", async () => {
    const { result } = await validated(
      { type: "custom", handlerPath: "v.mjs", successWhen: { kind: "exitCode", code: 0 }, extractParams: {} },
      {
        modules: {
          "v.mjs": () => {
            throw new Error("boom");
          },
        },
      },
    );
    expect(result.error_details).toMatchObject({ code: "FAILED_COMPLETION_CONDITIONS" });
    expect(readable(result).error_message).toContain("boom");
  });

  test.each(["completion handler", "custom validator"])(
    "a %s that never answers is not waited for once the run is cancelled",
    async (who) => {
      const cancel = new AbortController();
      const never = () => new Promise(() => {});
      const handler = who === "custom validator" ? never : () => ({ isComplete: never });
      const running = validated(
        who === "custom validator"
          ? { type: "custom", handlerPath: "m.mjs", successWhen: { kind: "empty" }, extractParams: {} }
          : { type: "file", path: "x", successWhen: { kind: "empty" }, extractParams: {} },
        { completion: { type: "custom", config: { handlerPath: "m.mjs" } }, modules: { "m.mjs": handler }, cancel },
      );
      setTimeout(() => cancel.abort(), 200);

      expect((await running).result).toMatchObject({ status: "cancelled", iterations_used: 2 });
    },
  );

  test("a completion handler without isComplete ends the run with its name", async () => {
    const { result } = await runFlow({
      steps: { "initial.x": {} },
      completion: { type: "custom", config: { handlerPath: "h.mjs" } },
      modules: { "h.mjs": () => ({}) },
      script: { executor: [{ text: "x" }] },
    });
    expect(result).toMatchObject({ status: "error", error_code: "module_broken" });
    expect(readable(result).error_message).toContain("h.mjs");
  });

  test("a file condition takes a path with blanks and parameters as one word", async () => {
    const { commands } = await validated(
      { type: "file", path: `out dir/$\{name}.txt`, successWhen: { kind: "exitCode", code: 0 }, extractParams: {} },
      { parameters: { name: "$(touch pwned)" }, checks: [0] },
    );
    expect(commands.requests[0]).toMatchObject({ command: 'test -e "$1"', arguments: ["out dir/$(touch pwned).txt"] });
  });

  test("a file condition names the missing path in the retry prompt", async () => {
    const extractParams = { wanted: "expectedPath", missing: "missingPaths", nothing: "stdout" };
    const { agent } = await validated(
      { type: "file", path: "out/a b.txt", successWhen: { kind: "exitCode", code: 0 }, extractParams },
      {
        checks: [1, 0],
        retryPrompts: { "closure.task/": "{{wanted}}{{#each missing}} [{{this}}]{{/each}}{{#if nothing}} no{{/if}}" },
      },
    );
    expect(agent.prompts("executor")[2]).toBe("out/a b.txt [out/a b.txt]\n\nDo initial.task.");
  });

  test("a worker that fails again learns its last failure only, with the whole retry prompt", async () => {
    let calls = 0;
    const { agent } = await validated(
      { type: "command", command: "x", successWhen: { kind: "exitCode", code: 0 }, extractParams: {} },
      {
        checks: [1, 0],
        retryPrompts: { "closure.task/": "The last attempt at this step failed: so I say. And do not forget this." },
        settings: { max_iterations: 7 },
        script: {
          executor: ({ step_id }) => {
            calls += 1;
            if (calls === 3 || calls === 4) return { failure: { code: "crashed", message: `it fell over ${calls}` } };
            return says(step_id === "closure.task" ? "closing" : "handoff");
          },
        },
      },
    );
    const prompt = agent.prompts("executor")[4] ?? "";
    expect(prompt).toMatch(/^The last attempt .* so I say\. And do not forget this\.\n\n.*it fell over 4\n\nDo /);
    expect(prompt).not.toContain("it fell over 3");
    expect(agent.prompts("executor")[5]).toBe("Do closure.task.");
  });

  test("why completion was refused survives a worker that fails", async () => {
    let calls = 0;
    const { agent } = await validated(
      { type: "command", command: "x", successWhen: { kind: "exitCode", code: 0 }, extractParams: {} },
      {
        checks: [{ exit_code: 1, output_tail: "THE-REASON" }, 0],
        settings: { max_iterations: 6 },
        script: {
          executor: ({ step_id }) => {
            calls += 1;
            if (calls === 3) return { failure: { code: "crashed", message: "it fell over" } };
            return says(step_id === "closure.task" ? "closing" : "handoff");
          },
        },
      },
    );
    expect(agent.prompts("executor")[3]).toMatch(/THE-REASON[\s\S]*it fell over/);
  });

  test("denied tools of every attempt are kept in the record", async () => {
    const denied = { type: "tool-denied", role: "executor", tool: "Bash", reason: "no gh" } as const;
    const schema = { schema: { type: "object", required: ["plan"] } };
    const { records } = await runFlow({
      steps: { ...TWO_STEPS, "initial.task": { ...TWO_STEPS["initial.task"], schema } },
      script: {
        executor: [{ ...says("handoff"), events: [denied] }, says("handoff", { plan: 1 }), says("closing")],
      },
    });
    expect(recorded(records, "summary")[0]?.metadata.tools_denied).toEqual(["Bash: no gh"]);
  });
});

test("the issue is found under the parameter that completion looks at; `close` sets no labels", async () => {
  const { tracker } = await runFlow({
    steps: TWO_STEPS,
    script: closes,
    completion: { type: "externalState", config: { resourceType: "issue", resourceParam: "ticket" } },
    parameters: { ticket: 7 },
    github: { enabled: true, labels: { add: ["done"], remove: [] }, defaultClosureAction: "close" },
  });
  expect(tracker.diary).toEqual(["close issue 7"]);
});

test("the time of a program that does a step is work, not checks", async () => {
  const runner = { command: "work", args: [], timeout: 1000 };
  const stdout = JSON.stringify(says("handoff").structured);
  const { ledger } = await runFlow({
    steps: { ...TWO_STEPS, "initial.task": { ...TWO_STEPS["initial.task"], runner } },
    script: closes,
    checks: [{ exit_code: 0, stdout }],
    arrange: ({ commands, clock }) => {
      commands.onRun = () => clock.advance(5);
    },
  });
  expect(ledger.lines).toMatchObject([{ spender: "executor", iteration: 1, seconds: 5 }]);
});
