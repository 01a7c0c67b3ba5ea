import { describe, expect, test } from "vitest";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { only, recorded } from "../../support/run-goal.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", repeat: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};

function flow(options: Partial<FlowOptions>) {
  return runFlow({ steps: TWO_STEPS, ...options });
}

describe("the flow", () => {
  test("goes from step to step by intent, in fresh contexts, and completes on the closing signal alone", async () => {
    const { result, agent, events } = await flow({
      script: { executor: [says("next"), says("handoff"), says("closing")] },
    });

    expect(result).toMatchObject({ status: "completed", iterations_used: 3 });
    expect(agent.assignments.map(({ step_id }) => step_id)).toEqual(["initial.task", "initial.task", "closure.task"]);
    expect(only(events, "step-start").map(({ step_id }) => step_id)).toHaveLength(3);
    expect(agent.assignments[0]?.system_prompt).toMatch(/^endless8-role: executor\nendless8-step: initial\.task\n/);
  });

  test("status completed beside next means nothing (conformance 21)", async () => {
    const scenes = [says("next", { status: "completed" }), says("handoff", { status: "completed" }), says("closing")];
    expect((await flow({ script: { executor: scenes } })).result.iterations_used).toBe(3);
  });

  test.each([
    ["an alias", says("done")],
    ["another case (conformance 16)", says("Next")],
    ["a closing from a work step", says("closing")],
    ["no intent (conformance 17)", { structured: { status: "completed" } }],
  ])("%s ends the run as FAILED_STEP_ROUTING, never as a success", async (_, scene) => {
    const { result } = await flow({ script: { executor: [scene] } });

    expect(result).toMatchObject({ status: "error", error_code: "flow_failed" });
    expect(result.error_details).toMatchObject({ code: "FAILED_STEP_ROUTING", step: "initial.task", iteration: 1 });
  });

  test("a jump to a step that does not exist, and an escalate without a transition, are coded errors (conformance 20)", async () => {
    const jump = gated("work", { jump: "closure.task" });
    const jumped = await flow({
      steps: { "initial.task": jump, "closure.task": TWO_STEPS["closure.task"] },
      script: { executor: [{ structured: { next_action: { action: "jump", target: "nowhere" } } }] },
    });
    expect(jumped.result.error_details).toMatchObject({ code: "FAILED_STEP_ROUTING" });

    const check = {
      ...gated("verification", { next: "closure.task", escalate: "closure.task" }),
      transitions: { next: { target: "closure.task" } },
    };
    const escalated = await flow({
      steps: { "verify.task": check, "closure.task": TWO_STEPS["closure.task"] },
      script: { executor: [says("escalate")] },
    });
    expect(escalated.result.error_details).toMatchObject({ code: "FAILED_STEP_ROUTING" });
  });

  test("repeat is honoured wherever it leads (conformance 22)", async () => {
    const { agent } = await flow({
      steps: {
        "initial.x": gated("work", { repeat: "continuation.x", handoff: "closure.x" }),
        "continuation.x": gated("work", { next: "closure.x" }),
        "closure.x": gated("closure", { closing: null, repeat: "continuation.x" }),
      },
      script: { executor: [says("repeat"), says("next"), says("repeat"), says("next"), says("closing")] },
    });
    expect(agent.assignments.map(({ step_id }) => step_id)).toEqual([
      ...["initial.x", "continuation.x", "closure.x", "continuation.x", "closure.x"],
    ]);
  });

  test("the runtime owns the step's id; another one is put right and noted (conformance 23)", async () => {
    const { records } = await flow({ script: { executor: [says("handoff", { stepId: "wrong" }), says("closing")] } });

    expect(recorded(records, "summary")[0]?.flow).toMatchObject({ step_id: "initial.task" });
    expect(recorded(records, "judgment")[0]?.flow?.deviations[0]).toMatch(/wrong/);
  });

  test("iterations used up is not a success (conformance 33)", async () => {
    const { result } = await flow({ settings: { max_iterations: 3 }, script: { executor: [says("next")] } });
    expect(result).toMatchObject({ status: "max_iterations", iterations_used: 3 });
  });
});

describe("handoff", () => {
  const steps = (prompt: string) => ({
    "initial.issue": gated("work", { handoff: "closure.issue" }, { handoffFields: ["analysis.status"] }),
    "closure.issue": gated(
      "closure",
      { closing: null, repeat: "initial.issue" },
      {
        prompt,
        inputs: { state: { from: "initial.issue.status", required: true } },
      },
    ),
  });
  const output = says("handoff", { analysis: { status: "open", secret: "UNDECLARED" } });

  test("a declared field reaches the next prompt under its namespaced name; an undeclared one does not (conformance 24)", async () => {
    const { agent } = await runFlow({
      steps: steps("It is {uv-initial_issue_status}, I repeat {uv-state}."),
      script: { executor: [output, says("closing")] },
    });

    expect(agent.prompts("executor")[1]).toBe("It is open, I repeat open.");
    expect(JSON.stringify(agent.assignments[1])).not.toContain("UNDECLARED");
  });

  test("a required value that was not handed on ends the run and names both steps", async () => {
    const { result } = await runFlow({ steps: steps("x"), script: { executor: [says("handoff"), says("closing")] } });

    expect(result.error_details).toMatchObject({ code: "FAILED_HANDOFF_INPUT" });
    expect(result.error_message).toMatch(/closure\.issue.*initial\.issue/);
  });

  test("a placeholder that nothing fills is never sent", async () => {
    const { result, agent } = await runFlow({ steps: { "initial.x": { prompt: "{uv-nobody}" } }, script: {} });

    expect(result).toMatchObject({ status: "error", error_code: "placeholder_unfilled" });
    expect(agent.assignments).toHaveLength(0);
  });
});

describe("schemas (conformance 15)", () => {
  const broken = { problem: "there is no #/definitions/x" };

  test("unresolvable twice running: no model call, FAILED_SCHEMA_RESOLUTION", async () => {
    const { result, agent, records } = await flow({
      steps: { ...TWO_STEPS, "initial.task": { ...TWO_STEPS["initial.task"], schema: broken } },
    });

    expect(agent.assignments).toHaveLength(0);
    expect(result.error_details).toMatchObject({ code: "FAILED_SCHEMA_RESOLUTION" });
    expect(recorded(records, "summary")).toHaveLength(2);
  });

  test("output that does not fit is asked for again with the objection, then recorded, and the next worker reads of it", async () => {
    const schema = { schema: { type: "object", required: ["plan"], properties: { plan: { type: "string" } } } };
    const { agent, records } = await flow({
      steps: { ...TWO_STEPS, "initial.task": { ...TWO_STEPS["initial.task"], schema } },
      script: { executor: [says("handoff"), says("handoff"), says("handoff", { plan: "p" }), says("closing")] },
    });

    expect(agent.prompts("executor")[1]).toMatch(/could not be used.*plan/);
    expect(recorded(records, "summary")[0]).toMatchObject({ result: "error", metadata: { error_type: "malformed" } });
    expect(agent.prompts("executor")[2]).toMatch(/plan/);
  });
});

describe("the completion loop", () => {
  const dirty = { stdout: " M a.ts\n?? b c.ts\n", output_tail: " M a.ts\n?? b c.ts\n", exit_code: 0 };
  const clean = { stdout: "", output_tail: "", exit_code: 0 };
  const conditions: Partial<FlowOptions> = {
    validators: {
      "git-clean": {
        type: "command",
        command: "git status --porcelain",
        successWhen: { kind: "empty" },
        failurePattern: "git-dirty",
        extractParams: { changedFiles: "parseChangedFiles" },
      },
    },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "git-clean" }] } },
    retryPrompts: { "closure.task/git-dirty": "Commit these:{{#each changedFiles}} [{{this}}]{{/each}}" },
    github: { enabled: true },
    parameters: { issue: 7 },
  };

  test("a failed condition sends its retry prompt to the work step and no hook is called; a clean tree closes the issue once (conformance 28)", async () => {
    const { result, agent, tracker } = await flow({
      ...conditions,
      checks: [dirty, clean],
      script: { executor: [says("handoff"), says("closing"), says("handoff"), says("closing")] },
    });

    expect(result).toMatchObject({ status: "completed", iterations_used: 4 });
    expect(agent.assignments[2]).toMatchObject({ step_id: "initial.task" });
    expect(agent.prompts("executor")[2]).toMatch(/^Commit these: \[a\.ts\] \[b c\.ts\]\n\nDo initial\.task\./);
    expect(tracker.diary).toEqual(["close issue 7"]);
  });

  test("retry, retry, abort (conformance 29)", async () => {
    const { result, tracker } = await flow({
      ...conditions,
      checks: [dirty],
      settings: { max_iterations: 50 },
      script: { executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff") },
    });

    expect(result.error_details).toMatchObject({ code: "FAILED_COMPLETION_CONDITIONS", step: "closure.task" });
    expect(result.iterations_used).toBe(6);
    expect(tracker.diary).toEqual([]);
  });

  test("a validator that cannot run aborts at once (conformance 29)", async () => {
    const { result } = await flow({
      ...conditions,
      checks: [{ exit_code: 127, stdout: "", output_tail: "git: not found" }],
      script: { executor: [says("handoff"), says("closing")] },
    });
    expect(result).toMatchObject({ status: "error", iterations_used: 2 });
  });

  test("a hook that fails makes the run not successful", async () => {
    const tracker = new MemoryTracker();
    tracker.fails = true;
    const { result } = await flow({
      ...conditions,
      tracker,
      checks: [clean],
      script: { executor: [says("handoff"), says("closing")] },
    });

    expect(result).toMatchObject({ status: "error" });
    expect(result.error_details).toMatchObject({ code: "FAILED_BOUNDARY_HOOK" });
  });

  test("labels and closing by the agent's closure action", async () => {
    const { tracker } = await flow({
      ...conditions,
      github: { enabled: true, defaultClosureAction: "label-and-close", labels: { add: ["done"], remove: ["ready"] } },
      checks: [clean],
      script: { executor: [says("handoff"), says("closing")] },
    });
    expect(tracker.diary).toEqual(["label 7 +done -ready", "close issue 7"]);
  });
});

describe("resume", () => {
  test("cut anywhere, a run goes on at the same step with the same handoff and ends with the same records", async () => {
    const options: FlowOptions = {
      steps: {
        "initial.a": gated("work", { next: "continuation.a" }, { handoffFields: ["plan"] }),
        "continuation.a": gated("work", { handoff: "closure.a" }, { prompt: "Plan: {uv-initial_a_plan}" }),
        "closure.a": gated("closure", { closing: null, repeat: "initial.a" }),
      },
      script: {
        executor: ({ step_id }) =>
          step_id === "initial.a" ? says("next", { plan: "P" }) : says(step_id === "closure.a" ? "closing" : "handoff"),
      },
      github: { enabled: true },
      parameters: { issue: 7 },
    };
    const whole = await runFlow(options);
    for (let cut = 0; cut < whole.records.length; cut++) {
      const resumed = await runFlow({ ...options, after: { records: whole.records.slice(0, cut) } });

      expect(resumed.records.map(({ type }) => type)).toEqual(whole.records.map(({ type }) => type));
      expect(resumed.records.flatMap((record) => ("flow" in record ? [record.flow] : []))).toEqual(
        whole.records.flatMap((record) => ("flow" in record ? [record.flow] : [])),
      );
      expect(resumed.tracker.diary).toEqual(["close issue 7"]);
    }
  });

  test("a hook that was begun and has done its work is not done again", async () => {
    const options: FlowOptions = {
      steps: TWO_STEPS,
      script: { executor: [says("handoff"), says("closing")] },
      github: { enabled: true },
      parameters: { issue: 7 },
    };
    const whole = await runFlow(options);
    const tracker = new MemoryTracker();
    tracker.item.state = "CLOSED";
    const task = { ...whole.files.task, boundary: "begun" as const };

    const resumed = await runFlow({ ...options, tracker, after: { records: whole.records.slice(0, -1), task } });

    expect(resumed.result.status).toBe("completed");
    expect(tracker.diary).toEqual([]);
  });
});

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

  test("criteria have the judge and the checks decide, and what is missing opens the next prompt", async () => {
    const { result, agent } = await runFlow({
      steps: ungated,
      completion: { type: "criteria", config: { criteria: [{ type: "command", command: "npm test" }] } },
      checks: [{ exit_code: 1, output_tail: "2 tests failed" }, 0],
      script: { executor: [{ text: "worked" }] },
    });
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(agent.prompts("executor")[1]).toContain("2 tests failed");
  });

  test("externalState waits for a state that somebody else brings about", async () => {
    const tracker = new MemoryTracker();
    const { result } = await runFlow({
      steps: ungated,
      tracker,
      parameters: { issue: 7 },
      completion: { type: "externalState", config: { resourceType: "issue", targetState: "CLOSED" } },
      script: { executor: [{ text: "a" }, { text: "b", during: () => void tracker.close("issue", 7) }] },
    });
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  });
});
