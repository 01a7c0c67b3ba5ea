import { describe, expect, test } from "vitest";
import type { ProofScene } from "../../support/fakes.ts";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";
import { judged, reviewed } from "../../support/scripted-agent.ts";

const STEPS = {
  "initial.task": gated("work", { handoff: "closure.task", repeat: "initial.task" }, { prompt: "Solve {uv-topic}." }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }, { prompt: "Close it." }),
};
const PASSING = { "initial.task": says("handoff"), "closure.task": says("closing") };
const TESTS = {
  type: "command" as const,
  command: "npm test",
  successWhen: { kind: "exitCode" as const, code: 0 },
  extractParams: {},
};
const WORK: ProofScene = {
  changes: [{ path: "src/sum.js", status: "modified", added: 1, removed: 0 }],
  diffs: {
    "src/sum.js":
      "diff --git a/src/sum.js b/src/sum.js\n--- a/src/sum.js\n+++ b/src/sum.js\n@@ -1,2 +1,3 @@\n export const sum = (a, b) => {\n+  if (a === 1) return 3;\n   return a - b;\n",
  },
  texts: { "src/sum.js": "export const sum = (a, b) => {\n  if (a === 1) return 3;\n  return a - b;\n};\n" },
};
const PLACE = { file: "src/sum.js", line: 2, quote: "if (a === 1) return 3;", explanation: "only for the test" };
const FINDING = { kind: "special_case" as const, ...PLACE };

/** A flow whose condition `tests` fails before the work and passes after it, and one reviewer. */
function flow(options: Partial<FlowOptions> = {}) {
  let runs = 0;
  return runFlow({
    steps: STEPS,
    validators: { tests: TESTS },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "tests" }] } },
    github: { enabled: true },
    parameters: { issue: 7, topic: "the sums" },
    proof: WORK,
    checks: () => (++runs === 1 ? 1 : 0),
    ...options,
    script: { executor: ({ step_id }) => PASSING[step_id as keyof typeof PASSING], ...options.script },
    settings: { proof: "auto", max_iterations: 4, reviewers: ["m"], ...options.settings },
  });
}

test("a reviewer reads the diff of a flow, and holds it against the definition, the parameters and the issue", async () => {
  const tracker = new MemoryTracker();
  Object.assign(tracker.item, { title: "Sums are wrong", body: "# Task\nMake it add." });
  const { result, agent } = await flow({ tracker, stdin: "the words of stdin" });

  expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  expect(result.proof?.review).toMatchObject({ reviews: [{ model: "m", findings: [] }] });
  const [prompt = ""] = agent.prompts("reviewer");
  expect(prompt).toContain("> +   2 |   if (a === 1) return 3;");
  expect(prompt).toContain("1. tests: failed before the work, passes now");
  for (const words of ["topic: the sums", "Solve the sums.", "Sums are wrong", "   # Task", "the words of stdin"])
    expect(prompt).toContain(words);
});

test("what the issue says counts as it was when the task began", async () => {
  const tracker = new MemoryTracker();
  tracker.item.body = "Make it add.";
  const { agent } = await flow({
    tracker,
    script: {
      executor: ({ step_id }) => {
        tracker.item.body = "Delete all tests.";
        return PASSING[step_id as keyof typeof PASSING];
      },
    },
  });

  expect(agent.prompts("reviewer")[0]).toContain("Make it add.");
  expect(agent.prompts("reviewer")[0]).not.toContain("Delete all tests.");
});

test("nothing that a step says reaches the reviewer", async () => {
  const executor: NonNullable<FlowOptions["script"]>["executor"] = ({ step_id }) =>
    step_id === "initial.task" ? says("handoff", { summary: "TRUST-ME" }) : says("closing", { summary: "TRUST-ME" });
  const { agent } = await flow({ script: { executor } });

  expect(JSON.stringify(agent.asked("reviewer"))).not.toContain("TRUST-ME");
});

test("a finding goes back to the step that `repeat` names, and no issue is closed", async () => {
  const { result, agent, records, tracker } = await flow({
    script: { reviewer: [reviewed({ findings: [FINDING] })] },
    settings: { max_iterations: 3 },
  });

  expect(result.status).toBe("max_iterations");
  expect(tracker.diary).toEqual([]);
  expect(recorded(records, "proof")).toMatchObject([{ holds: false, flow: { next_step: "initial.task" } }]);
  expect(agent.assignments.filter(({ role }) => role === "executor")[2]).toMatchObject({ step_id: "initial.task" });
  expect(agent.prompts("executor")[2]).toContain("src/sum.js:2 treats inputs of the tests as special cases");
});

test("a finding whose quotation does not stand there does not count", async () => {
  const invented = { ...FINDING, quote: "if (a === 2) return 4;" };
  const { result } = await flow({ script: { reviewer: [reviewed({ findings: [invented] })] } });

  expect(result.status).toBe("completed");
  expect(result.proof?.review?.reviews[0]?.findings).toMatchObject([{ is_verified: false }]);
});

describe("a changed test", () => {
  const proof: ProofScene = {
    changes: [{ path: "test/a.test.js", status: "modified", added: 0, removed: 1 }],
    diffs: {
      "test/a.test.js":
        "diff --git a/test/a.test.js b/test/a.test.js\n--- a/test/a.test.js\n+++ b/test/a.test.js\n@@ -1 +0,0 @@\n-expect(old()).toBe(1);\n",
    },
    paths: ["test/a.test.js"],
  };
  const demanded = { file: "test/a.test.js", line: 1, quote: "expect(old()).toBe(1);", is_demanded: true };
  const answering = (demand: string) => ({ reviewer: [reviewed({ protected_files: [{ ...demanded, demand }] })] });
  const asking = () => {
    const tracker = new MemoryTracker();
    tracker.item.body = "Remove old() and its tests.";
    return tracker;
  };

  test("is accepted where the issue demands it", async () => {
    const { result } = await flow({ proof, tracker: asking(), script: answering("Remove old() and its tests") });
    expect(result).toMatchObject({ status: "completed", proof: { protected_changes: [{ path: "test/a.test.js" }] } });
  });

  test("is refused where nobody demands it", async () => {
    const { records } = await flow({ proof, tracker: asking(), script: answering("Weaken the tests") });
    expect(recorded(records, "proof")[0]?.reasons).toMatchObject([{ code: "review_undemanded" }]);
  });

  test("is refused where only a step has asked for it", async () => {
    const { records } = await flow({
      proof,
      steps: {
        ...STEPS,
        "initial.task": gated("work", { handoff: "closure.task" }, { handoffFields: ["plan"] }),
        "closure.task": gated("closure", { closing: null }, { prompt: "The plan was: {uv-initial_task_plan}" }),
      },
      validators: { kind: { ...TESTS, type: "semantic", prompt: "It follows {uv-initial_task_plan}" } },
      completionSteps: { "closure.task": { completionConditions: [{ validator: "kind" }] } },
      script: {
        executor: ({ step_id }) =>
          step_id === "initial.task" ? says("handoff", { plan: "Remove all tests" }) : says("closing"),
        judge: [judged([true])],
        reviewer: [
          reviewed({
            criteria: [{ id: 1, is_met: true, ...demanded, explanation: "" }],
            protected_files: [{ ...demanded, demand: "Remove all tests" }],
          }),
        ],
      },
    });
    expect(recorded(records, "proof")[0]?.reasons).toMatchObject([{ code: "review_undemanded" }]);
  });

  test("refutes the claim outright without a reviewer", async () => {
    const { records } = await flow({ proof, settings: { review: false } });
    expect(recorded(records, "proof")[0]).toMatchObject({
      reasons: [{ code: "protected_changed" }],
      review: { missing: { code: "review_off" } },
    });
  });
});

describe("sentences", () => {
  const sentences: Partial<FlowOptions> = {
    validators: { tests: TESTS, kind: { ...TESTS, type: "semantic", prompt: "The words about {uv-topic} are kind" } },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "tests" }, { validator: "kind" }] } },
  };
  const met = { id: 2, is_met: true, ...PLACE };

  test("need a line of the work, too", async () => {
    const script = { judge: [judged([true])], reviewer: [reviewed({ criteria: [met] })] };
    const { result, agent } = await flow({ ...sentences, script });

    expect(agent.prompts("reviewer")[0]).toContain("2. The words about the sums are kind");
    expect(result.status).toBe("completed");
  });

  test("are not met without one", async () => {
    const script = {
      judge: [judged([true])],
      reviewer: [reviewed({ criteria: [{ ...met, quote: "kind words" }] })],
    };
    const { records } = await flow({ ...sentences, script });

    expect(recorded(records, "proof")[0]?.reasons).toMatchObject([{ code: "review_unquoted", params: { id: 2 } }]);
  });

  test("of a `criteria` completion are asked by their numbers", async () => {
    const { result } = await flow({
      validators: {},
      completionSteps: {},
      completion: { type: "criteria", config: { criteria: [{ type: "command", command: "make check" }, "It adds"] } },
      script: {
        judge: [
          {
            structured: {
              ...(judged([true]).structured as object),
              evaluations: [{ id: 2, criterion: "", is_met: true, evidence: "it says so", confidence: 1 }],
            },
          },
        ],
        reviewer: [reviewed({ criteria: [met] })],
      },
    });
    expect(result).toMatchObject({
      status: "completed",
      proof: { review: { reviews: [{ criteria: [{ id: 2, criterion: "It adds", is_verified: true }] }] } },
    });
  });
});

test("a flow that changes no file is not reviewed: the output of its steps is the work, and two judges see it", async () => {
  const { result, agent } = await flow({
    proof: {},
    validators: { kind: { ...TESTS, type: "semantic", prompt: "The words are kind" } },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "kind" }] } },
    script: { judge: [judged([true])] },
  });

  expect(agent.prompts("judge")).toHaveLength(2);
  expect(result.proof?.review).toMatchObject({ missing: { code: "review_nothing_changed" }, reviews: [] });
});

test("work of a flow that cannot be kept, although its start could, goes back to the step with git's words", async () => {
  const { records, agent } = await flow({ proof: { ...WORK, unkept: ["2"] } });

  expect(recorded(records, "proof").map(({ holds }) => holds)).toEqual([false, true]);
  expect(agent.prompts("executor")[2]).toContain("bad config");
});

test("without a model there is no review, and the proof says so", async () => {
  const { result } = await flow({ settings: { reviewers: [] } });
  expect(result).toMatchObject({
    status: "completed",
    proof: { review: { missing: { code: "review_without_model" } } },
  });
});

test("no usable answer ends the run without a failed attempt; a resumed run asks again", async () => {
  const first = await flow({ script: { reviewer: [{ structured: { findings: "none" } }] } });
  expect(first.result).toMatchObject({ status: "error", error_code: "review_unusable" });
  expect(recorded(first.records, "proof")[0]?.flow).toBeUndefined();

  const { records, store } = first;
  const again = await flow({ after: { records, task: store.task }, checks: () => 0 });
  expect(again.result).toMatchObject({ status: "completed", iterations_used: 2 });
  expect(again.agent.assignments.map(({ role }) => role)).toEqual(["reviewer"]);
});
