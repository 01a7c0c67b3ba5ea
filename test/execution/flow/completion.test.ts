import { describe, expect, test } from "vitest";
import type { HistoryRecord } from "../../../src/model/records.ts";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { only, recorded } from "../../support/run-goal.ts";
import { readable, saying } from "../../support/saying.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", repeat: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};

function stagesIn(records: readonly HistoryRecord[]): string[] {
  return recorded(records, "effect").map(({ stage, key }) => `${stage} ${key}`);
}

function flow(options: Partial<FlowOptions>) {
  return runFlow({ steps: TWO_STEPS, ...options });
}

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

  test("a condition's evaluation has how it came out as a message, and the output as evidence", async () => {
    const { records } = await flow({
      ...conditions,
      checks: [dirty, clean],
      script: { executor: [says("handoff"), says("closing"), says("handoff"), says("closing")] },
    });
    const [, refused, , done] = recorded(records, "judgment");

    expect(refused).toMatchObject({
      overall_reason: "",
      evaluations: [{ outcome: { code: "output_not_empty" }, evidence: "M a.ts\n?? b c.ts" }],
      reasons: [saying("git-clean: the output is not empty")],
    });
    expect(done).toMatchObject({
      overall_reason: "",
      evaluations: [{ outcome: { code: "output_empty" }, evidence: "" }],
      reasons: [saying("closing signal")],
    });
  });

  test("a condition without a time-out of its own has that of --check-timeout, and says so", async () => {
    const { records, commands } = await flow({
      ...conditions,
      checks: [{ exit_code: null, timed_out: true }, clean],
      settings: { command_timeout: 7 },
      script: { executor: [says("handoff"), says("closing"), says("handoff"), says("closing")] },
    });

    expect(commands.requests).toMatchObject([{ timeout_seconds: 7 }, { timeout_seconds: 7 }]);
    const limit = { seconds: 7, setting: "--check-timeout" };
    expect(recorded(records, "judgment")[1]).toMatchObject({
      evaluations: [{ outcome: { code: "command_timed_out", params: { limit } } }],
    });
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

  test("a hook that fails makes the run fail, with a hint at the tracker and at resume", async () => {
    const tracker = new MemoryTracker();
    tracker.fails = true;
    const options: Partial<FlowOptions> = {
      ...conditions,
      tracker,
      checks: [clean],
      completion: { type: "externalState", config: { resourceType: "issue" } },
      script: { executor: [says("handoff"), says("closing")] },
    };
    const { result, records, files } = await flow(options);
    tracker.fails = false;
    const resumed = await flow({ ...options, after: { records, task: files.task } });

    expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(resumed.agent.assignments).toEqual([]);
    expect(result).toMatchObject({
      status: "error",
      error_details: { code: "FAILED_BOUNDARY_HOOK", recoverable: true },
    });
    expect(readable(result).hint).toMatch(/\.e8\/issues.*e8 run --resume/);
    expect(result.final_judgment?.reasons).toEqual([
      saying("the work is done; closing the issue is left to the boundary hook"),
    ]);
  });

  test.for([
    { name: "the hook closes", github: { enabled: true } },
    { name: "completion waits for", completion: { type: "externalState", config: {} } },
    { name: "the hook labels", github: { enabled: true, defaultClosureAction: "label-only" } },
  ] as const)("an issue that $name is looked for before anything is spent", async ({ name: _, ...agent }) => {
    const tracker = new MemoryTracker();
    tracker.unreadable = true;
    const options = { parameters: { issue: 7 }, script: { executor: [says("handoff"), says("closing")] }, ...agent };
    const { result, agent: asked, records } = await flow({ ...options, tracker });
    tracker.unreadable = false;
    tracker.item.state = "CLOSED";
    const resumed = await flow({ ...options, tracker, after: { records } });

    expect(result).toMatchObject({ status: "error", iterations_used: 0, error_code: "tracker_failed" });
    expect(asked.assignments).toEqual([]);
    expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
  });

  test("an agent that needs no issue does not look for a tracker", async () => {
    const tracker = new MemoryTracker();
    tracker.unreadable = true;
    const { result } = await flow({
      tracker,
      github: { enabled: true },
      script: { executor: [says("handoff"), says("closing")] },
    });

    expect(result.status).toBe("completed");
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
      const records = whole.records.slice(0, cut);
      const isClosed = recorded(records, "effect").some(({ stage }) => stage === "done");
      const resumed = await runFlow({ ...options, after: { records } });

      expect(resumed.records.map(({ type }) => type)).toEqual(whole.records.map(({ type }) => type));
      expect(resumed.records.flatMap((record) => ("flow" in record ? [record.flow] : []))).toEqual(
        whole.records.flatMap((record) => ("flow" in record ? [record.flow] : [])),
      );
      expect(resumed.tracker.diary).toEqual(isClosed ? [] : ["close issue 7"]);
    }
  });

  test.each(["begun", "done"] as const)(
    "a hook that an earlier version recorded as %s and that has done its work is not done again",
    async (boundary) => {
      const options: FlowOptions = {
        steps: TWO_STEPS,
        script: { executor: [says("handoff"), says("closing")] },
        github: { enabled: true },
        parameters: { issue: 7 },
      };
      const whole = await runFlow(options);
      const tracker = new MemoryTracker();
      if (boundary === "begun") tracker.item.state = "CLOSED"; // one that is done is not even looked at
      const task = { ...whole.files.task, boundary };

      const records = whole.records.filter(({ type }) => type === "summary" || type === "judgment");
      const resumed = await runFlow({ ...options, tracker, after: { records, task } });

      expect(resumed.result.status).toBe("completed");
      expect(resumed.files.task.boundary).toBe(boundary);
      expect(tracker.diary).toEqual([]);
    },
  );

  test("a hook that an earlier version recorded as begun does what is left of it", async () => {
    const options: FlowOptions = {
      steps: TWO_STEPS,
      script: { executor: [says("handoff"), says("closing")] },
      github: { enabled: true, defaultClosureAction: "label-and-close", labels: { add: ["done"], remove: ["ready"] } },
      parameters: { issue: 7 },
    };
    const whole = await runFlow(options);
    const tracker = new MemoryTracker();
    tracker.item.labels = ["done"];
    const task = { ...whole.files.task, boundary: "begun" as const };
    const records = whole.records.filter(({ type }) => type === "summary" || type === "judgment");
    const resumed = await runFlow({ ...options, tracker, after: { records, task } });

    expect(resumed.result.status).toBe("completed");
    expect(tracker.diary).toEqual(["close issue 7"]);
    expect(stagesIn(resumed.records)).toEqual([
      "begun issue/7/labels",
      "done issue/7/labels",
      "begun issue/7/close",
      "done issue/7/close",
    ]);
  });
});

describe("the boundary hook's effects", () => {
  const options: FlowOptions = {
    steps: TWO_STEPS,
    script: { executor: [says("handoff"), says("closing")] },
    completion: { type: "externalState", config: { resourceType: "issue" } },
    github: { enabled: true, defaultClosureAction: "label-and-close", labels: { add: ["done"], remove: [] } },
    parameters: { issue: 7 },
  };

  test("are recorded stage by stage before they are announced, with what they do", async () => {
    const { records, journal, events } = await runFlow(options);

    expect(stagesIn(records)).toEqual([
      "begun issue/7/labels",
      "done issue/7/labels",
      "begun issue/7/close",
      "done issue/7/close",
    ]);
    expect(recorded(records, "effect")[0]?.what).toEqual(saying("issue 7: labels +done"));
    expect(recorded(records, "effect")[2]?.what).toEqual(saying("issue 7: close"));
    expect(journal.filter((entry) => entry.endsWith(" effect"))).toEqual(
      Array.from({ length: 4 }, () => ["recorded effect", "announced effect"]).flat(),
    );
    expect(only(events, "effect").map(({ stage }) => stage)).toEqual(["begun", "done", "begun", "done"]);
  });

  test("fail where the issue that completion waits for stays open, and closing it is tried again on resume", async () => {
    const tracker = new MemoryTracker();
    tracker.get = async () => ({ ...tracker.item, state: "OPEN" });
    const run = await runFlow({ ...options, tracker });
    const again = new MemoryTracker();
    const resumed = await runFlow({ ...options, tracker: again, after: { records: run.records } });

    const [failed] = recorded(run.records, "effect").filter(({ stage }) => stage === "failed");
    expect(failed).toMatchObject({ key: "issue/7/close", problem: saying("it is OPEN after it was closed") });
    expect(run.result.error_details).toMatchObject({ code: "FAILED_BOUNDARY_HOOK", step: "closure.task" });
    expect(resumed.result.status).toBe("completed");
    expect(again.diary).toEqual(["close issue 7"]);
  });

  test("are over for a run that was killed before its end: the tracker is not needed any more", async () => {
    const { records } = await runFlow(options);
    const tracker = new MemoryTracker();
    tracker.unreadable = true;
    const resumed = await runFlow({ ...options, tracker, after: { records: records.slice(0, -1) } });

    expect(resumed.result.status).toBe("completed");
    expect(tracker.diary).toEqual([]);
  });
});
