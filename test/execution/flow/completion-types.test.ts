import { describe, expect, test } from "vitest";
import type { CompletionConfig } from "../../../src/model/flow/agent-file.ts";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { saying } from "../../support/saying.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", repeat: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};

function flow(options: Partial<FlowOptions>) {
  return runFlow({ steps: TWO_STEPS, ...options });
}

describe("completion types", () => {
  const ungated = {
    "initial.x": { prompt: "begin" },
    "continuation.x": { prompt: "go on after {uv-completed_iterations}" },
  };

  test("iterationBudget completes after exactly so many, going on with the continuation step (conformance 33)", async () => {
    const { result, agent } = await runFlow({
      steps: ungated,
      completion: { type: "iterationBudget", config: { maxIterations: 3 } },
      settings: { max_iterations: 3 },
      script: { executor: [{ text: "worked" }] },
    });
    expect(result).toMatchObject({ status: "completed", iterations_used: 3 });
    expect(agent.prompts("executor")).toEqual(["begin", "go on after 1", "go on after 2"]);
  });

  test("a keyword completes an agent without gates, wherever it was said; with gates it completes nothing (conformance 31)", async () => {
    const completion = { type: "keywordSignal", config: { completionKeyword: "DONE" } } as const;
    const text = { type: "text", role: "executor", text: "I will print DONE when finished" } as const;
    const plain = await runFlow({
      steps: ungated,
      completion,
      script: { executor: [{ text: "hm" }, { text: "x", events: [text] }] },
    });
    expect(plain.result).toMatchObject({ status: "completed", iterations_used: 2 });

    const withGates = await flow({
      completion,
      settings: { max_iterations: 2 },
      script: { executor: [{ ...says("next"), events: [text] }] },
    });
    expect(withGates.result.status).toBe("max_iterations");
  });

  test("declared conditions run even when a budget ends the agent", async () => {
    const { commands, result } = await flow({
      completion: { type: "iterationBudget", config: { maxIterations: 1 } },
      validators: {
        t: { type: "command", command: "true", successWhen: { kind: "exitCode", code: 0 }, extractParams: {} },
      },
      completionSteps: { "closure.task": { completionConditions: [{ validator: "t" }] } },
      checks: [0],
      script: { executor: [says("next")] },
    });
    expect(commands.requests).toHaveLength(1);
    expect(result.status).toBe("completed");
  });

  test("custom asks the user's own module", async () => {
    const { result } = await runFlow({
      steps: ungated,
      completion: { type: "custom", config: { handlerPath: "handler.mjs" } },
      modules: { "handler.mjs": () => ({ isComplete: ({ iterations }: { iterations: number }) => iterations >= 2 }) },
      script: { executor: [{ text: "worked" }] },
    });
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  });

  test("with criteria the judge and the checks decide, and unmet criteria open the next prompt", async () => {
    const { result, agent } = await runFlow({
      steps: ungated,
      completion: { type: "criteria", config: { criteria: [{ type: "command", command: "npm test" }] } },
      checks: [{ exit_code: 1, output_tail: "2 tests failed" }, 0],
      script: { executor: [{ text: "worked" }] },
    });
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(agent.prompts("executor")[1]).toContain("2 tests failed");
  });

  test("externalState waits for a state that another user brings about", async () => {
    const tracker = new MemoryTracker();
    const { result } = await runFlow({
      steps: ungated,
      tracker,
      parameters: { issue: 7 },
      completion: { type: "externalState", config: { resourceType: "issue", targetState: "CLOSED" } },
      script: {
        executor: [{ text: "a" }, { text: "b", during: () => void Object.assign(tracker.item, { state: "CLOSED" }) }],
      },
    });
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  });

  test.each<[CompletionConfig, string]>([
    [{ resourceType: "file", path: "out/done.txt" }, "the file out/done.txt is MISSING, not EXISTS"],
    [{ resourceType: "file", resourceParam: "target" }, "the file a b.txt is MISSING, not EXISTS"],
    [{ resourceType: "command", command: "npm test" }, "the command npm test is FAILED, not PASSED"],
    [{ resourceType: "issue", resourceParam: "number" }, "the issue 7 is OPEN, not CLOSED"],
    [{ resourceType: "pr", resourceParam: "number" }, "the pr 7 is OPEN, not MERGED"],
  ])("externalState says which resource is not in its state: %j", async (config, said) => {
    const { result } = await runFlow({
      steps: ungated,
      parameters: { target: "a b.txt", number: 7 },
      completion: { type: "externalState", config },
      checks: [1],
      settings: { max_iterations: 1 },
      script: { executor: [{ text: "a" }] },
    });
    expect(result.final_judgment?.reasons).toEqual([saying(said)]);
  });
});
