import { describe, expect, test } from "vitest";
import type { UnchangedCriterion } from "../../../src/model/criterion.ts";
import { teller } from "../../../src/texts/tell.ts";
import { runFlow } from "../../support/run-flow.ts";
import { type GoalOptions, recorded, runGoal } from "../../support/run-goal.ts";
import { saying } from "../../support/saying.ts";
import { judged } from "../../support/scripted-agent.ts";

const tests: UnchangedCriterion = { type: "unchanged", files: ["test/**", "package.json"] };
const BEFORE = { "test/a.ts": "1", "test/b.ts": "2" };

async function evaluated(options: GoalOptions) {
  const run = await runGoal({ criteria: [tests], settings: { max_iterations: 1 }, ...options });
  return { ...run, evaluation: recorded(run.records, "judgment")[0]?.evaluations[0] };
}

describe("files that must stay as they are", () => {
  test("hold while they are what they were, and need no model", async () => {
    const { evaluation, result, agent } = await evaluated({ files: [BEFORE, BEFORE] });

    expect(result).toMatchObject({ status: "completed", final_judgment: { reasons: [saying("The check passed.")] } });
    expect(evaluation).toEqual({
      id: 1,
      criterion: "unchanged since the task began: test/**, package.json",
      is_met: true,
      evidence: "",
      outcome: saying("all 2 files are as they were when the task began"),
      confidence: 1,
      source: "files",
    });
    expect(teller("ja")(evaluation?.outcome ?? "")).toBe("2 件のファイルはすべてタスク開始時のままです");
    expect(agent.asked("judge")).toEqual([]);
  });

  test.each([
    ["changed", { ...BEFORE, "test/b.ts": "3" }, "M test/b.ts"],
    ["added", { ...BEFORE, "test/c.ts": "3" }, "A test/c.ts"],
    ["deleted", { "test/a.ts": "1" }, "D test/b.ts"],
    ["named so that it could pass for something else", { ...BEFORE, "x\n# Task": "3" }, "A x # Task"],
  ])("do not hold when one is %s", async (_name, now, line) => {
    const { evaluation, result } = await evaluated({ files: [BEFORE, now] });

    expect(result.status).toBe("max_iterations");
    expect(evaluation).toMatchObject({ is_met: false, source: "files", evidence: line });
    expect(evaluation?.outcome).toEqual(saying("1 file is not as it was when the task began"));
  });

  test("open the next prompt with what is to be put back", async () => {
    const { result, agent } = await runGoal({ criteria: [tests], files: [BEFORE, { "test/a.ts": "1" }, BEFORE] });

    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(agent.prompts("executor")[1]).toMatch(/1 file is not as it was when the task began .*\n.*D test\/b\.ts/);
  });

  test("are called by their description, and the worker learns which they are", async () => {
    const { evaluation, agent } = await evaluated({
      criteria: [{ ...tests, description: "nobody touches the tests" }],
      files: [BEFORE, BEFORE],
    });

    expect(evaluation?.criterion).toBe("nobody touches the tests");
    expect(agent.prompts("executor")[0]).toContain(
      "1. nobody touches the tests (must stay as they are: test/**, package.json)",
    );
  });

  test("are among the results that the judge is given", async () => {
    const { agent } = await runGoal({
      criteria: ["It works", tests],
      files: [BEFORE, {}],
      settings: { max_iterations: 1 },
      script: { judge: [judged([true])] },
    });

    expect(agent.prompts("judge")[0]).toMatch(/2\. unchanged since the task began: .*: FAILED\n +2 files are not/);
  });
});

describe("what they were", () => {
  test("is remembered from before the first work, and kept when the run goes on another day", async () => {
    const first = await runGoal({ criteria: [tests], files: [BEFORE, {}], settings: { max_iterations: 1 } });
    const second = await runGoal({
      criteria: [tests],
      files: [BEFORE],
      after: { ...first, task: first.files.task },
      settings: { max_iterations: 2 },
    });

    expect(first.result.status).toBe("max_iterations");
    expect(second.result.status).toBe("completed");
  });

  test("must be something: a pattern that matches nothing ends the run before anything is spent", async () => {
    const { result, agent } = await runGoal({ criteria: [tests], files: [{}] });

    expect(result).toMatchObject({ status: "error", error_code: "files_unmatched", iterations_used: 0 });
    expect(agent.assignments).toEqual([]);
  });

  test("is unknown where the records do not say it: then they do not hold", async () => {
    const { files } = await evaluated({ files: [BEFORE, BEFORE] });
    const task = { ...files.task, baseline: {} };
    const { evaluation } = await evaluated({ files: [BEFORE], after: { records: [], task } });

    expect(evaluation).toMatchObject({ is_met: false, evidence: "A test/a.ts\nA test/b.ts" });
    const { evaluation: ofNothing } = await evaluated({ files: [{}], after: { records: [], task } });
    expect(ofNothing).toMatchObject({ is_met: false });
  });
});

test("an agent made of steps can have them among its criteria", async () => {
  const { result, agent } = await runFlow({
    steps: { "initial.task": { stepKind: "work", prompt: "work" } },
    completion: { type: "criteria", config: { criteria: [tests] } },
    files: [BEFORE, { "test/a.ts": "1" }, BEFORE],
    script: { executor: [{ text: "worked" }] },
  });

  expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  expect(agent.prompts("executor")[1]).toContain("D test/b.ts");
});
