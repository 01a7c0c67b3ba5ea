import { describe, expect, test } from "vitest";
import { type FlowOptions, gated, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";
import { judged } from "../../support/scripted-agent.ts";
import { command, flow, inRoom, STEPS } from "./proof-support.ts";

test("the conditions run before the work, when the flow closes, and in a clean checkout; then the issue is closed", async () => {
  const { result, commands, records, tracker } = await flow();

  expect(commands.requests.map(inRoom)).toEqual([false, false, true]);
  expect(result).toMatchObject({
    status: "completed",
    proof: { method: "clean-room", checks: [{ criterion: "tests", before: false, after: true }] },
  });
  expect(records.map(({ type }) => type).slice(-4)).toEqual(["proof", "effect", "effect", "final_result"]);
  expect(tracker.diary).toEqual(["close issue 7"]);
});

test("a condition that fails in the clean checkout sends the work step back with its retry prompt, and no issue is closed", async () => {
  const { result, agent, tracker, records } = await flow({
    checks: ({ place }) => (place ? { exit_code: 1, output_tail: "1 failing", stdout: "1 failing" } : 0),
    retryPrompts: { "closure.task/": "Mend {{validator}}: {{evidence}}" },
    settings: { max_iterations: 3 },
  });

  expect(result).toMatchObject({
    ...{ status: "max_iterations", iterations_used: 3 },
    proof: { holds: false, iteration: 2, reasons: [{ code: "proof_checks_failed" }] },
  });
  expect(tracker.diary).toEqual([]);
  const [prompt] = agent.prompts("executor").slice(2);
  expect(agent.assignments[2]).toMatchObject({ step_id: "initial.task" });
  expect(prompt).toContain("could not be proved");
  expect(prompt).toContain("Mend tests: exit code 1, expected 0");
  expect(prompt).toContain("1 failing");
  expect(recorded(records, "proof")).toMatchObject([{ holds: false, flow: { next_step: "initial.task" } }]);
});

test("refuted as often as conditions may fail, the flow ends", async () => {
  const { result, records } = await flow({
    checks: ({ place }) => (place ? 1 : 0),
    completionSteps: {
      "closure.task": {
        completionConditions: [{ validator: "tests" }],
        onFailure: { action: "retry", maxAttempts: 2 },
      },
    },
  });

  expect(result).toMatchObject({ status: "conditions_failed", iterations_used: 4 });
  expect(result.error_details).toMatchObject({ code: "FAILED_COMPLETION_CONDITIONS", step: "closure.task" });
  expect(recorded(records, "proof").map(({ flow: position }) => position?.attempts)).toEqual([
    { "closure.task": 1 },
    { "closure.task": 2 },
  ]);
});

test("a resumed flow goes on where the proof sent it, with all its attempts", async () => {
  const refuting: Partial<FlowOptions> = {
    checks: ({ place }) => (place ? 1 : 0),
    completionSteps: {
      "closure.task": {
        completionConditions: [{ validator: "tests" }],
        onFailure: { action: "retry", maxAttempts: 1 },
      },
    },
  };
  const first = await flow(refuting);
  const { records, store } = first;
  const resumed = await flow({ ...refuting, checks: () => 0, after: { records, task: store.task } });

  expect(first.result.status).toBe("conditions_failed");
  expect(resumed.agent.assignments[0]).toMatchObject({ step_id: "initial.task" });
  expect(resumed.agent.prompts("executor")[0]).toContain("could not be proved");
  expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 4 });
  expect(resumed.tracker.diary).toEqual(["close issue 7"]);
});

test("a changed test refutes the claim of a flow whose condition runs commands", async () => {
  const changed = {
    changes: [{ path: "test/a.test.js", status: "modified" as const, added: 1, removed: 1 }],
    paths: ["test/a.test.js"],
  };
  const { result, agent } = await flow({ proof: changed, settings: { max_iterations: 3 } });
  expect(result.status).toBe("max_iterations");
  expect(agent.prompts("executor")[2]).toContain("M test/a.test.js");

  const allowed = await flow({ proof: changed, settings: { may_change: ["test/**"] } });
  expect(allowed.result.status).toBe("completed");
});

describe("a condition about the workspace or the tracker", () => {
  const clean: Partial<FlowOptions> = {
    validators: { "git-clean": { ...command("git status --porcelain"), successWhen: { kind: "empty" } } },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "git-clean" }] } },
    checks: () => ({ exit_code: 0, stdout: "" }),
  };

  test("is asked again in the workspace, and the proof says so", async () => {
    const { result, commands } = await flow(clean);

    expect(commands.requests.map(inRoom)).toEqual([false, false]);
    expect(result.proof).toMatchObject({
      method: "in-place",
      checks: [{ criterion: "git-clean", before: null, is_in_place: true }],
    });
    expect(result.proof?.weaker.map(({ code }) => code)).toEqual(["proof_about_workspace"]);
  });

  test("rests on no test, so changed tests are not held against it", async () => {
    const changes = [{ path: "test/a.test.js", status: "modified" as const, added: 1, removed: 1 }];
    const { result } = await flow({ ...clean, proof: { changes }, settings: { proof: "clean" } });

    expect(result).toMatchObject({ status: "completed", proof: { protected_changes: [] } });
  });

  test("stands beside those that a clean checkout can answer", async () => {
    const { result, commands } = await flow({
      ...clean,
      validators: { ...clean.validators, tests: command("npm test") },
      completionSteps: {
        "closure.task": { completionConditions: [{ validator: "tests" }, { validator: "git-clean" }] },
      },
    });

    const again = commands.requests.slice(-2).map((request) => [request.command, inRoom(request)]);
    expect(again).toEqual([
      ["git status --porcelain", false],
      ["npm test", true],
    ]);
    expect(result.proof?.method).toBe("clean-room");
  });
});

test("a condition that needs a value handed on is not known before the work", async () => {
  const { result, commands } = await flow({
    steps: {
      ...STEPS,
      "initial.task": gated("work", { handoff: "closure.task" }, { handoffFields: ["suite"] }),
    },
    validators: { tests: command("npm test $" + "{initial_task_suite}") },
    script: {
      executor: ({ step_id }) => (step_id === "initial.task" ? says("handoff", { suite: "unit" }) : says("closing")),
    },
    checks: () => 0,
  });

  expect(commands.requests).toHaveLength(2);
  expect(result.proof?.checks).toMatchObject([{ before: null, after: true }]);
});

describe("a sentence", () => {
  const sentence: Partial<FlowOptions> = {
    validators: {
      kind: { ...command(""), type: "semantic", prompt: "The words are kind" },
      tests: command("npm test"),
    },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "kind" }, { validator: "tests" }] } },
  };
  const closing = [says("handoff"), says("closing"), says("handoff"), says("closing")];

  test("is asked of a judge once more, and both must call it met", async () => {
    const { result, agent } = await flow({ ...sentence, script: { executor: closing, judge: [judged([true])] } });
    expect(agent.prompts("judge")).toHaveLength(2);
    expect(result.proof?.judged).toEqual([{ id: 1, criterion: "kind", is_met: true }]);

    const judge = [judged([true]), judged([false]), judged([true]), judged([true])];
    const doubted = await flow({ ...sentence, script: { executor: closing, judge } });
    expect(doubted.result.iterations_used).toBe(4);
    expect(doubted.agent.prompts("executor")[2]).toContain("A second judge");
  });

  test("is not asked again where a command fails", async () => {
    const { agent } = await flow({
      ...sentence,
      checks: ({ place }) => (place ? 1 : 0),
      script: { executor: closing, judge: [judged([true])] },
      settings: { max_iterations: 2 },
    });
    expect(agent.prompts("judge")).toHaveLength(1);
  });
});
