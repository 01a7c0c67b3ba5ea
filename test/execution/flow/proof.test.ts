import { describe, expect, test } from "vitest";
import type { CommandRequest } from "../../../src/connection/ports/commands.ts";
import type { HistoryRecord } from "../../../src/model/records.ts";
import type { Task } from "../../../src/model/task.ts";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { only, recorded } from "../../support/run-goal.ts";
import { judged } from "../../support/scripted-agent.ts";

const STEPS = {
  "initial.task": gated("work", { handoff: "closure.task", repeat: "initial.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
const command = (text: string) => ({
  type: "command" as const,
  command: text,
  successWhen: { kind: "exitCode" as const, code: 0 },
  extractParams: {},
});
const PASSING = { "initial.task": says("handoff"), "closure.task": says("closing") };
const inRoom = ({ place }: CommandRequest) => place !== undefined;

/** The judge calls the criterion of this number met. */
function judgedAs(id: number) {
  const evaluations = [{ id, criterion: "", is_met: true, evidence: "the record says so", confidence: 0.9 }];
  return { structured: { is_complete: true, evaluations, overall_reason: "", suggested_next_action: null } };
}

/** A flow that closes whenever it can; its condition `tests` fails before the work and passes after it. */
function flow(options: Partial<FlowOptions> = {}) {
  let runs = 0;
  return runFlow({
    steps: STEPS,
    validators: { tests: command("npm test") },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "tests" }] } },
    github: { enabled: true },
    parameters: { issue: 7 },
    proof: {},
    checks: ({ command: text }) => (text === "npm test" && ++runs === 1 ? 1 : 0),
    script: { executor: ({ step_id }) => PASSING[step_id as keyof typeof PASSING] },
    ...options,
    settings: { proof: "auto", max_iterations: 8, ...options.settings },
  });
}

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

  expect(result).toMatchObject({ status: "max_iterations", iterations_used: 3, proof: null });
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

test("a `criteria` completion is proved like a task", async () => {
  let runs = 0;
  const { result, commands, agent } = await flow({
    validators: {},
    completionSteps: {},
    completion: {
      type: "criteria",
      config: { criteria: [{ type: "command", command: "make check" }, "The words are kind"] },
    },
    checks: () => (++runs === 1 ? 1 : 0),
    script: {
      executor: ({ step_id }) => PASSING[step_id as keyof typeof PASSING],
      judge: [judgedAs(2)],
    },
  });

  expect(commands.requests.map(inRoom)).toEqual([false, false, true]);
  expect(agent.prompts("judge")).toHaveLength(2);
  expect(result).toMatchObject({
    status: "completed",
    proof: {
      checks: [{ id: 1, before: false, after: true }],
      judged: [{ id: 2, criterion: "The words are kind", is_met: true }],
    },
  });
});

test("a command that is waited for is run again in the clean checkout", async () => {
  const { result, commands } = await flow({
    validators: {},
    completionSteps: {},
    completion: { type: "externalState", config: { resourceType: "command", command: "make check" } },
    checks: () => 0,
  });

  expect(commands.requests.map(inRoom)).toEqual([false, true]);
  expect(result.proof?.checks).toMatchObject([{ criterion: "command make check", after: true }]);
});

describe("a flow that claims nothing about the files", () => {
  test.for([
    { name: "by its steps alone", completion: { type: "stepMachine" as const, config: {} } },
    {
      name: "by a keyword",
      completion: { type: "keywordSignal" as const, config: { completionKeyword: "closing" } },
    },
  ])("completed $name has no proof, and its result says so", async ({ completion }) => {
    const { result, events } = await flow({
      validators: {},
      completionSteps: {},
      completion,
      script: {
        executor: ({ step_id }) => ({ ...PASSING[step_id as keyof typeof PASSING], text: "closing" }),
      },
    });

    expect(result).toMatchObject({ status: "completed", proof: null, unproved: { code: "unproved_claim" } });
    expect(only(events, "proof")).toEqual([]);
  });

  test("completed by its budget has no proof, although it has conditions", async () => {
    const { result, tracker } = await flow({
      completion: { type: "iterationBudget", config: { maxIterations: 1 } },
      script: { executor: [says("repeat")] },
      checks: () => 0,
    });

    expect(result).toMatchObject({ stop_reason: "flow_budget", proof: null, unproved: { code: "unproved_claim" } });
    expect(tracker.diary).toEqual([]);
  });
});

test("conditions that may fail are not proved", async () => {
  const { result } = await flow({
    checks: () => 1,
    completionSteps: {
      "closure.task": { completionConditions: [{ validator: "tests" }], onFailure: { action: "skip", maxAttempts: 3 } },
    },
  });

  expect(result).toMatchObject({ status: "completed", proof: null });
});

test("a program that is missing in the clean checkout only is a failed condition, and does not end the flow", async () => {
  const { result } = await flow({ checks: ({ place }) => (place ? 127 : 0), settings: { max_iterations: 3 } });

  expect(result).toMatchObject({ status: "max_iterations", iterations_used: 3 });
});

test("a condition that failed and passes on the same files is flaky: it must pass three times in a row", async () => {
  const scenes = [says("handoff"), says("closing"), says("handoff"), says("closing")];
  const codes = [1, 1, 0, 0, 0, 0, 0, 0]; // before, when it closes, when it closes again, in the proof
  const { result, commands } = await flow({
    checks: codes,
    proof: { isSame: true },
    script: { executor: scenes },
  });

  expect(commands.requests.map(inRoom)).toEqual([false, false, false, false, false, true, true, true]);
  expect(result).toMatchObject({
    status: "completed",
    proof: { checks: [{ criterion: "tests", is_flaky: true, passes: { passed: 3, needed: 3 } }] },
  });
});

test("cut off after any record, a flow whose first claim was refuted ends the same, and its issue is closed once", async () => {
  /** Goes on after these records. The clean checkout refutes the claim of iteration 2. */
  const goOn = (past: readonly HistoryRecord[], task?: Task) => {
    let at = recorded(past, "summary").length;
    const isClosed = recorded(past, "effect").some(({ stage }) => stage === "done");
    const tracker = new MemoryTracker();
    if (isClosed) tracker.item.state = "CLOSED";
    return flow({
      tracker,
      checks: ({ place }) => (place && at < 4 ? 1 : 0),
      script: {
        executor: ({ iteration, step_id }) => {
          at = iteration;
          return PASSING[step_id as keyof typeof PASSING];
        },
      },
      ...(task && { after: { records: past, task } }),
    });
  };
  const whole = await goOn([]);
  const { records, store } = whole;
  expect(recorded(records, "proof").map(({ holds }) => holds)).toEqual([false, true]);

  for (let count = 1; count < records.length; count++) {
    const past = records.slice(0, count);
    const { result, tracker, agent } = await goOn(past, store.task);

    expect(result, `after ${count} records`).toMatchObject({ status: "completed", iterations_used: 4 });
    const closedBefore = recorded(past, "effect").some(({ stage }) => stage === "done");
    expect(tracker.diary).toEqual(closedBefore ? [] : ["close issue 7"]);
    expect(agent.assignments).toHaveLength(4 - recorded(past, "summary").length);
  }
});
