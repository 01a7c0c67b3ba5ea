import { describe, expect, test } from "vitest";
import { E8Error } from "../../../src/model/errors.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { only, recorded } from "../../support/run-goal.ts";
import { readable, saying } from "../../support/saying.ts";

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

  test("says each step's place with the entry step first, that it is a retry, and all conditions from the beginning", async () => {
    const { events } = await flow({
      steps: {
        "section.part": {},
        "closure.task": TWO_STEPS["closure.task"],
        "initial.task": TWO_STEPS["initial.task"],
      },
      entryStep: "initial.task",
      completion: { type: "criteria", config: { criteria: ["it is good", { type: "command", command: "make" }] } },
      validators: { lint: { type: "command", command: "lint", successWhen: { kind: "empty" }, extractParams: {} } },
      completionSteps: { "closure.task": { completionConditions: [{ validator: "lint" }] } },
      checks: [{ stdout: "no", output_tail: "no", exit_code: 0 }],
      script: { executor: [says("handoff"), says("closing"), says("next")] },
      settings: { max_iterations: 3 },
    });

    expect(only(events, "step-start").map(({ number, of, is_retry }) => [number, of, is_retry])).toEqual([
      [1, 2, false],
      [2, 2, false],
      [1, 2, true],
    ]);
    expect(only(events, "conditions").map(({ conditions }) => conditions)).toEqual([
      ["lint", "it is good", "`make` exits 0"],
      ["lint"],
    ]);
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

  test("the runtime owns the step's id; another one is corrected and noted (conformance 23)", async () => {
    const { records } = await flow({ script: { executor: [says("handoff", { stepId: "wrong" }), says("closing")] } });

    expect(recorded(records, "summary")[0]?.flow).toMatchObject({ step_id: "initial.task" });
    expect(recorded(records, "judgment")[0]?.flow?.deviations).toEqual([saying('"wrong"')]);
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
    expect(readable(result).error_message).toMatch(/closure\.issue.*initial\.issue/);
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

test("knowledge that a step returns is kept, and reaches the prompts that ask for it", async () => {
  const learned = { type: "lesson", category: "testing", content: "The tests need a database" };
  const { agent, knowledge } = await runFlow({
    steps: {
      "initial.a": gated("work", { handoff: "closure.a" }),
      "closure.a": gated("closure", { closing: null, repeat: "initial.a" }, { prompt: "{uv-knowledge}|{uv-history}" }),
    },
    script: { executor: [says("handoff", { knowledge: [learned], summary: "looked around" }), says("closing")] },
  });

  expect(knowledge.entries[0]).toMatchObject(learned);
  expect(agent.prompts("executor")[1]).toMatch(/The tests need a database[\s\S]*\|[\s\S]*looked around/);
});

test("a step whose knowledge cannot be kept is recorded before that ends the run", async () => {
  const learned = { type: "lesson", category: "testing", content: "The tests need a database" };
  const { records } = await flow({
    script: { executor: [says("handoff", { knowledge: [learned] })] },
    arrange: ({ knowledge }) => {
      knowledge.refusal = new E8Error("no_permission", { path: "knowledge.jsonl" });
    },
  });

  expect(records).toMatchObject([
    { type: "summary", flow: { step_id: "initial.task" } },
    { type: "final_result", error_code: "no_permission", iterations_used: 1 },
  ]);
});

test("an input does not hide the program's own memory or the piped text; a parameter does", async () => {
  const inputs = Object.fromEntries(
    ["history", "stdin", "topic"].map((name) => [name, { from: `initial.task.${name}`, required: true }]),
  );
  const handoffFields = ["history", "stdin", "topic"];
  const { agent } = await flow({
    steps: {
      "initial.task": gated("work", { handoff: "closure.task" }, { handoffFields }),
      "closure.task": gated(
        "closure",
        { closing: null, repeat: "initial.task" },
        { inputs, usesStdin: true, prompt: "<{uv-history}> <{uv-stdin}> <{uv-topic}>" },
      ),
    },
    stdin: "piped",
    parameters: { topic: "bread" },
    script: { executor: [says("handoff", { history: "other", stdin: "other", topic: "other" }), says("closing")] },
  });

  const prompt = agent.prompts("executor")[1] ?? "";
  expect(prompt).toMatch(/> <piped> <bread>$/);
  expect(prompt).not.toMatch(/^<other>/);
});
