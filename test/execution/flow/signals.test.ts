import { describe, expect, test } from "vitest";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import type { Scene } from "../../support/scripted-agent.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
const keyword: FlowOptions["completion"] = { type: "keywordSignal", config: { completionKeyword: "DONE" } };
const signal: FlowOptions["completion"] = {
  type: "structuredSignal",
  config: { signalType: "review", requiredFields: { result: "approved" } },
};
const saidWith = (text: string, scene: Scene): Scene => ({ ...scene, text });

function flow(completion: FlowOptions["completion"], executor: NonNullable<FlowOptions["script"]>["executor"]) {
  return runFlow({
    steps: TWO_STEPS,
    ...(completion && { completion }),
    settings: { max_iterations: 6 },
    script: { ...(executor && { executor }) },
  });
}

describe("after the closing intent", () => {
  test("a keyword counts in any text of the run", async () => {
    const { result } = await flow(keyword, [saidWith("DONE", says("next")), says("handoff"), says("closing")]);

    expect(result).toMatchObject({ status: "completed", iterations_used: 3 });
  });

  test("a signal counts in the output of any step", async () => {
    const approved = says("handoff", { signal: "review", result: "approved" });
    const { result } = await flow(signal, [approved, says("closing")]);

    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  });

  test("a signal that its step has since taken back does not count", async () => {
    const review = (intent: string, result: string) => says(intent, { signal: "review", result });
    const { result } = await flow(signal, [review("next", "approved"), review("handoff", "rejected"), says("closing")]);

    expect(result.status).not.toBe("completed");
  });

  test("signals of steps before the run was resumed count, too", async () => {
    const executor = [saidWith("DONE", says("handoff")), says("closing")];
    const options: FlowOptions = { steps: TWO_STEPS, ...(keyword && { completion: keyword }), script: { executor } };
    const { records } = await runFlow(options);
    const resumed = await runFlow({ ...options, after: { records: records.slice(0, 3) } });

    expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
  });
});

describe("a closing that lacks the signal", () => {
  test.each([
    [keyword, "does not contain DONE"],
    [signal, "does not carry the signal review"],
  ])("is refused, and every closure step is told so until completion is looked at again", async (completion, hint) => {
    const { agent } = await flow(completion, [
      says("handoff"),
      says("closing"),
      says("next"),
      says("handoff"),
      says("closing"),
    ]);
    const prompts = agent.prompts("executor");

    expect(prompts[0]).not.toContain(hint);
    expect(prompts[1]).not.toContain(hint);
    expect(prompts[2]).toContain(hint); // the work step, which can give it, too
    expect(prompts[3]).not.toContain(hint);
    expect(prompts[4]).toContain(hint);
    expect(prompts[4]).toContain("Do closure.task.");
  });

  test("completes when the closure step then gives it", async () => {
    const { result } = await flow(signal, (assignment) =>
      assignment.step_id === "closure.task"
        ? says("closing", assignment.prompt.includes("signal review") ? { signal: "review", result: "approved" } : {})
        : says("handoff"),
    );

    expect(result).toMatchObject({ status: "completed", iterations_used: 4 });
  });
});
