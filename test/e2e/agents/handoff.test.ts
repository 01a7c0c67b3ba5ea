import { describe, expect, test } from "vitest";
import { answer, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import { promptsOf, type StepSketch, says, summaries, writeAgent } from "../../support/agents.ts";
import { quickSandbox, quickScripted } from "../../support/in-process.ts";
import { resultOf } from "../../support/sandbox.ts";

const RUN = ["agent", "run", "small", "--json"];
const CLOSURE: StepSketch = { id: "closure.task", go: { closing: null, repeat: "initial.task" } };

describe("what reaches the next step", () => {
  test("a declared field does, under its namespaced name; an undeclared one does not", async () => {
    const box = await quickScripted(
      story(
        scene(
          "initial.task",
          answer(says("next", { analysis: { status: "OPEN-47", secret: "NOT-FOR-YOU" }, note: "" })),
        ),
        scene("closure.task", answer(says("closing"))),
      ),
    );
    const analysis = { type: "object", properties: { status: { type: "string" }, secret: { type: "string" } } };
    await writeAgent(box, {
      steps: [
        {
          id: "initial.task",
          go: { next: "closure.task" },
          properties: { analysis, note: { type: "string" } },
          gate: { handoffFields: ["analysis.status", "note"] },
        },
        {
          ...CLOSURE,
          prompt: "It is {uv-initial_task_status}, noted: [{uv-note}], last: {uv-previous_summary}",
          more: {
            inputs: { state: { from: "initial.task.status" }, note: { from: "initial.task.note" } },
            uvVariables: ["initial_task_status", "note"],
          },
        },
      ],
    });

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stdout).toBe(0);
    const [prompt] = await promptsOf(box, "closure.task");
    expect(prompt).toContain("It is OPEN-47, noted: [], last: says next");
    expect(prompt).not.toContain("NOT-FOR-YOU");
  });

  test("a required value that was not handed on stops the run and names both steps", async () => {
    const box = await quickScripted(story(scene("initial.task", answer(says("next")))));
    await writeAgent(box, {
      steps: [
        {
          id: "initial.task",
          go: { next: "closure.task" },
          properties: { plan: { type: "string" } },
          gate: { handoffFields: ["plan"] },
        },
        { ...CLOSURE, prompt: "{uv-plan}", more: { inputs: { plan: { from: "initial.task.plan" } } } },
      ],
    });

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(2);
    expect(resultOf(ended)).toMatchObject({ error_details: { code: "FAILED_HANDOFF_INPUT", step: "closure.task" } });
    expect(resultOf(ended).error_message).toMatch(/initial\.task .*plan/);
  });
});

describe("tools", () => {
  test("calls of the real Claude Code that are denied in each kind of step are recorded and shown, and change nothing", async () => {
    const box = await quickSandbox(
      story(
        scene(
          "initial.task",
          use("Bash", { command: "gh issue close 1" }),
          use("Bash", { command: "sh -c 'gh api x'" }),
          use("Bash", { command: "echo gh issue close later > allowed.txt" }),
          answer(says("next")),
        ),
        scene(
          "verification.task",
          use("Write", { file_path: "forbidden.txt", content: "x" }),
          use("Bash", { command: "echo x > forbidden.txt" }),
          use("Read", { file_path: "allowed.txt" }),
          answer(says("next")),
        ),
        scene("closure.task", use("Bash", { command: "gh pr merge 3" }), answer(says("closing"))),
      ),
    );
    await writeAgent(box, {
      steps: [
        { id: "initial.task", go: { next: "verification.task" } },
        { id: "verification.task", go: { next: "closure.task" }, more: { stepKind: "verification" } },
        CLOSURE,
      ],
    });

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stdout).toBe(0);
    const denied = (await summaries(box)).map(({ metadata }) => metadata.tools_denied ?? []);
    expect(denied.map((calls) => calls.length)).toEqual([2, 2, 1]);
    expect(denied.flat().join("\n")).toMatch(/gh issue close[\s\S]*gh api[\s\S]*Write[\s\S]*gh pr merge/);
    expect(ended.stderr).toContain("gh pr merge");
    expect(await box.read("allowed.txt")).toBe("gh issue close later\n");
    await expect(box.read("forbidden.txt")).rejects.toThrow("ENOENT");
    expect(JSON.stringify(box.model.requests.at(-1)?.body)).toContain("boundary hook");
  });
});
