import { describe, expect, test } from "vitest";
import { type GoalOptions, recorded, resume, runGoal } from "../../support/run-goal.ts";
import { judged, worked } from "../../support/scripted-agent.ts";

const CHANGED = [{ path: "README.md", status: "modified" as const, added: 1, removed: 0 }];
/** Other words every time. */
const talking = { executor: ({ iteration }: { iteration: number }) => worked(`report ${iteration}`) };
const NO_THEN_YES = [judged([false]), judged([true])];

/** Files were changed once; after that, no worker changes anything. */
function task(more: Partial<GoalOptions> = {}) {
  return runGoal({
    criteria: ["The README explains the tests"],
    changes: [["README.md"]],
    proof: { isSame: true, changes: CHANGED },
    ...more,
    settings: { max_iterations: 3, stall_limit: null, ...more.settings },
    script: { ...talking, judge: NO_THEN_YES, ...more.script },
  });
}

describe("an unchanged tree", () => {
  test("is not judged again, however the report is worded; the former word stands, and the record says so", async () => {
    const { result, agent, records } = await task();

    expect(agent.prompts("judge")).toHaveLength(1);
    expect(result).toMatchObject({ status: "max_iterations" });
    expect(recorded(records, "judgment").slice(1)).toMatchObject([
      { evaluations: [{ is_met: false, source: "judge" }], reasons: [{ code: "not_judged_again" }] },
      { reasons: [{ code: "not_judged_again", params: { iteration: 1 } }] },
    ]);
    expect(agent.prompts("executor")[2]).toContain("the judge was not asked again");
  });

  test("counts for the standstill", async () => {
    const { result } = await task({ settings: { max_iterations: 9, stall_limit: 2 } });
    expect(result).toMatchObject({ status: "stalled", iterations_used: 3 });
  });

  test("is not judged again after a resume", async () => {
    const first = await task({ settings: { max_iterations: 1 } });
    const second = await resume(first, {
      criteria: ["The README explains the tests"],
      proof: { isSame: true, changes: CHANGED },
      settings: { max_iterations: 2 },
      script: { ...talking, judge: [judged([true])] },
    });
    expect(second.agent.prompts("judge")).toEqual([]);
  });

  test("is judged again where the judge gave no usable answer", async () => {
    const { agent } = await task({ script: { judge: [{ structured: { nonsense: true } }] } });
    expect(agent.prompts("judge").length).toBeGreaterThan(2);
  });
});

describe("is judged again", () => {
  test("a task whose work is its text, when the text is another one", async () => {
    const { result, agent } = await task({ proof: { isSame: true, changes: [] }, changes: [] });
    expect(agent.prompts("judge")).toHaveLength(2);
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  });

  test("but not when it is the same text", async () => {
    const { agent } = await task({
      proof: { isSame: true, changes: [] },
      changes: [],
      script: { executor: [worked("the same report")] },
    });
    expect(agent.prompts("judge")).toHaveLength(1);
  });

  test.for<{ name: string; more: Partial<GoalOptions> }>([
    { name: "other files or another commit", more: { proof: { isSame: false, changes: CHANGED } } },
    { name: "a file that was seen to change", more: { changes: [["README.md"], ["other.md"]] } },
    {
      name: "a file that git ignores",
      more: { proof: { isSame: true, changes: CHANGED, ignoredWritten: ["dist/a.js"] } },
    },
    {
      name: "a command that the worker ran",
      more: {
        script: { executor: ({ iteration }) => ({ ...worked(`report ${iteration}`), tools_used: ["Bash(npm)"] }) },
      },
    },
  ])("work with $name", async ({ more }) => {
    const { agent } = await task(more);
    expect(agent.prompts("judge")).toHaveLength(2);
  });
});

describe("the proof", () => {
  const proved: Partial<GoalOptions> = { settings: { proof: "auto" }, proof: { isSame: false, changes: CHANGED } };

  test("asks a second judge, who does not see the first judgment", async () => {
    const first = judged([true], { evidence: "README.md has a chapter on tests" });
    const { result, agent } = await task({ ...proved, script: { judge: [first, judged([true])] } });

    expect(agent.prompts("judge")).toHaveLength(2);
    expect(agent.prompts("judge")[1]).not.toContain("has a chapter on tests");
    expect(result).toMatchObject({
      status: "completed",
      proof: { judged: [{ id: 1, criterion: "The README explains the tests", is_met: true }] },
    });
  });

  test("is refuted where the second judge does not agree, and the next worker reads why", async () => {
    const judge = [judged([true]), judged([false], { evidence: "no word on vitest" }), judged([true]), judged([true])];
    const { result, agent, records } = await task({ ...proved, script: { judge } });

    expect(recorded(records, "proof").map(({ holds }) => holds)).toEqual([false, true]);
    expect(agent.prompts("executor")[1]).toContain("no word on vitest");
    expect(result.iterations_used).toBe(2);
  });

  test("does not ask the second judge again about the same work", async () => {
    const judge = [judged([true]), judged([false]), judged([true])];
    const { result, agent } = await task({
      ...proved,
      proof: { isSame: true, changes: CHANGED },
      script: { judge },
    });

    expect(agent.prompts("judge")).toHaveLength(2);
    expect(result.status).toBe("max_iterations");
  });

  test("shows the second judge the records of earlier iterations that the claim rests on", async () => {
    const { agent } = await task({
      criteria: ["The README explains the tests", "The index is short"],
      changes: [["README.md"], ["src/index.ts"]],
      proof: { isSame: false, changes: CHANGED },
      settings: { proof: "auto" },
      script: {
        summarizer: ({ iteration }) => ({ structured: { approach: "a", reason: `what worker ${iteration} did` } }),
        judge: [judged([true, false], { evidence: "README.md says so" }), judged([true, true]), judged([true, true])],
      },
    });

    const [, , fresh = ""] = agent.prompts("judge");
    expect(fresh).toContain("## Iteration 1\n");
    expect(fresh).toContain("> what worker 1 did");
    expect(fresh).toContain("> what worker 2 did");
    expect(fresh).not.toContain("README.md says so");
  });

  test("a judge that gives no usable answer refutes the claim", async () => {
    const nonsense = { structured: { nonsense: true } };
    const { result } = await task({ ...proved, script: { judge: [judged([true]), nonsense] } });
    expect(result.status).toBe("max_iterations");
  });
});

test("the judge reads which files differ, as we have measured it", async () => {
  const { agent } = await task();
  expect(agent.prompts("judge")[0]).toContain("as measured\n\n- README.md (modified +1 -0)\n");
});
