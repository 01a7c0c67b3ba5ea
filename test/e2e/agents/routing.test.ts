import { describe, expect, test } from "vitest";
import { answer, scene, story } from "../../../src/connection/agents/scripted/model/builders.ts";
import { answers, byProgram, judgments, type StepSketch, says, summaries, writeAgent } from "../../support/agents.ts";
import { quickSandbox, quickScripted } from "../../support/in-process.ts";
import { resultOf } from "../../support/sandbox.ts";
import { saying } from "../../support/saying.ts";

const RUN = ["agent", "run", "small", "--json"];
const INITIAL: StepSketch = { id: "initial.task", go: { next: "closure.task", repeat: "initial.task" } };
const CLOSURE: StepSketch = { id: "closure.task", go: { closing: null, repeat: "initial.task" } };
const BY_PROGRAM = [INITIAL, CLOSURE].map((step) => ({ ...step, more: byProgram }));

/** The intent is any text, and the enum stands elsewhere: what the gate sees is not filtered by the schema. */
const UNFILTERED = {
  type: "object",
  properties: {
    next_action: { type: "object", properties: { action: { type: "string" }, target: { type: "string" } } },
    intents: { type: "string", enum: ["next", "repeat"] },
  },
};
const LENIENT: StepSketch = { ...INITIAL, schema: UNFILTERED, gate: { intentSchemaRef: "#/properties/intents" } };

describe("nothing but the closing signal of a closure step leads to completion", () => {
  test("a work step that says completed goes on where its intent leads", async () => {
    const box = await quickScripted(
      story(
        scene("initial.task", answer(says("next", { status: "completed" }))),
        scene("closure.task", answer(says("closing"))),
      ),
    );
    await writeAgent(box, { steps: [{ ...INITIAL, properties: { status: { type: "string" } } }, CLOSURE] });

    const ended = await box.e8(RUN);

    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
    const [first] = await judgments(box);
    expect(first).toMatchObject({ is_complete: false, flow: { intent: "next", next_step: "closure.task" } });
  });

  test.for(["closing", "done", "Next", "completed", ""])("a work step that answers %j ends the run", async (action) => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: [{ ...LENIENT, more: byProgram }, CLOSURE] });
    await answers(box, { next_action: { action } });

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(2);
    expect(resultOf(ended)).toMatchObject({
      status: "error",
      error_code: "flow_failed",
      error_details: { code: "FAILED_STEP_ROUTING", step: "initial.task", iteration: 1, recoverable: false },
    });
  });

  test("an answer without an intent ends the run of the real Claude Code, too", async () => {
    const box = await quickSandbox(story(scene("initial.task", answer({ next_action: {} }))));
    await writeAgent(box, { steps: [LENIENT, CLOSURE] });

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(2);
    expect(resultOf(ended).error_message).toContain("no intent at next_action.action");
  });

  test("an intent outside the schema is asked for again, and never completes", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: BY_PROGRAM });
    await answers(box, says("done"), says("done"));

    const ended = await box.e8([...RUN, "-n", "2"]);

    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({ status: "max_iterations", iterations_used: 2 });
    expect((await summaries(box)).map(({ metadata }) => metadata.error_type)).toEqual(["malformed", "malformed"]);
  });

  test("a jump to a step that does not exist ends the run and names it", async () => {
    const box = await quickSandbox();
    const go = { ...INITIAL.go, jump: "closure.task" };
    const gate = { targetField: "next_action.target" };
    await writeAgent(box, { steps: [{ ...INITIAL, go, gate, more: byProgram }, CLOSURE] });
    await answers(box, { summary: "", next_action: { action: "jump", target: "initial.nowhere" } });

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(2);
    expect(resultOf(ended)).toMatchObject({ error_details: { code: "FAILED_STEP_ROUTING" } });
    expect(resultOf(ended).error_message).toContain("initial.nowhere");
  });
});

describe("the router", () => {
  test("honours the targets of repeat, of a closure step and of a work step alike", async () => {
    const box = await quickSandbox();
    const steps = [
      { ...INITIAL, go: { next: "closure.task", repeat: "continuation.other" } },
      { id: "continuation.other", go: { next: "closure.task" } },
      { ...CLOSURE, go: { closing: null, repeat: "continuation.other" } },
    ];
    await writeAgent(box, { steps: steps.map((step) => ({ ...step, more: byProgram })) });
    await answers(box, says("repeat"), says("next"), says("repeat"), says("next"), says("closing"));

    await box.e8(RUN);

    expect((await summaries(box)).map(({ flow }) => flow?.step_id)).toEqual([
      "initial.task",
      "continuation.other",
      "closure.task",
      "continuation.other",
      "closure.task",
    ]);
  });

  test.for([
    ["pass", "initial.review"],
    ["something else", "initial.fix"],
    [true, "initial.truth"],
  ])("a handed-on %j chooses %s", async ([tests, chosen]) => {
    const box = await quickSandbox();
    const targets = { pass: "initial.review", true: "initial.truth", default: "initial.fix" };
    const steps: StepSketch[] = [
      {
        id: "initial.task",
        go: { next: { condition: "tests", targets } },
        properties: { tests: {} },
        gate: { handoffFields: ["tests"] },
      },
      ...["review", "truth", "fix"].map((name) => ({ id: `initial.${name}`, go: { next: "closure.task" } })),
      CLOSURE,
    ];
    await writeAgent(box, { steps: steps.map((step) => ({ ...step, more: byProgram })) });
    await answers(box, says("next", { tests }), says("next"), says("closing"));

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stderr).toBe(0);
    expect((await summaries(box))[1]?.flow?.step_id).toBe(chosen);
  });

  test("takes the fallback intent where the definition says so, and writes that down", async () => {
    const box = await quickSandbox();
    const gate = { ...LENIENT.gate, failFast: false, fallbackIntent: "repeat" };
    await writeAgent(box, {
      steps: [
        { ...LENIENT, gate, more: byProgram },
        { ...CLOSURE, more: byProgram },
      ],
    });
    await answers(box, { next_action: {} }, { next_action: { action: "next" } }, says("closing"));

    const ended = await box.e8(RUN);

    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 3 });
    expect((await judgments(box))[0]?.flow).toMatchObject({
      intent: "repeat",
      deviations: [{ code: "intent_fallback_taken", params: { intent: "repeat" } }],
    });
  });

  test("a step that calls itself by another name is recorded under its own, with a note", async () => {
    const box = await quickSandbox();
    const properties = { stepId: { type: "string" } };
    await writeAgent(box, {
      steps: [
        { ...INITIAL, properties, more: byProgram },
        { ...CLOSURE, more: byProgram },
      ],
    });
    await answers(box, says("next", { stepId: "wrong" }), says("closing"));

    await box.e8(RUN);

    const [first] = await summaries(box);
    expect(first?.flow).toMatchObject({ step_id: "initial.task", output: { stepId: "initial.task" } });
    expect((await judgments(box))[0]?.flow?.deviations).toEqual([saying('"wrong"')]);
  });
});
