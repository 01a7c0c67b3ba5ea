import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../src/execution/prompt/bounds.ts";
import { type GoalOptions, recorded, resume, runGoal } from "../../support/run-goal.ts";
import { judged, worked } from "../../support/scripted-agent.ts";

const EARLIER = "# Earlier approaches that failed";

/** Every worker claims success, in a way of its own. */
const summarizer: NonNullable<GoalOptions["script"]>["summarizer"] = ({ iteration }) => ({
  structured: { approach: `way ${iteration}`, reason: `all done, says worker ${iteration}` },
});

describe("[FR-005] a success that a check refuted", () => {
  const options: GoalOptions = {
    criteria: [{ command: "npm test", description: "tests pass" }],
    checks: [{ exit_code: 1, output_tail: "Expected 2, received 3" }],
    settings: { max_iterations: 6, history_context_size: 1, stall_limit: null },
    script: { summarizer },
  };

  test("stays in every later prompt as a failed approach, with what refuted it", async () => {
    const { agent } = await runGoal(options);
    const prompts = agent.prompts("executor");

    for (const prompt of prompts.slice(2)) expect(earlier(prompt)).toContain(REFUTED);
    expect(earlier(prompts[5])).toContain("- (iteration 4)\n   > way 4: all done, says worker 4\n");
  });

  test("is not shown as a success among the latest summaries", async () => {
    const { agent } = await runGoal(options);
    expect(agent.prompts("executor")[1]).toContain("## Iteration 1\nresult: refuted\napproach:\n> way 1\n");
    expect(agent.prompts("executor")[1]).toContain("the worker claimed success, which was refuted:\n   NOT MET: 1.");
    expect(agent.prompts("executor").join()).not.toContain("result: success");
  });

  test("is recorded as what it was: a claim", async () => {
    const { records } = await runGoal(options);
    expect(recorded(records, "summary").map(({ result }) => result)).toEqual(Array(6).fill("success"));
  });

  test("is known after a resume", async () => {
    const first = await runGoal({ ...options, settings: { ...options.settings, max_iterations: 2 } });
    const second = await resume(first, options);
    expect(earlier(second.agent.prompts("executor")[0])).toContain(REFUTED);
  });

  test("is told as one with its repetitions", async () => {
    const same = { structured: { approach: "the same way", reason: "done" } };
    const { agent } = await runGoal({ ...options, script: { summarizer: [same] } });
    expect(earlier(agent.prompts("executor")[5])).toContain(
      "- (4 times, iterations 1 to 4)\n   > the same way: done\n",
    );
  });

  test("does not show a hidden check's output", async () => {
    const { agent } = await runGoal({
      ...options,
      criteria: [{ command: "./exam.sh", description: "it survives", hidden: true }],
    });
    const prompt = agent.prompts("executor")[5];
    expect(earlier(prompt)).toContain("NOT MET: 1. it survives\n         This check failed.");
    expect(prompt).not.toContain("Expected 2");
  });

  test("does not make prompts longer than 100,000 tokens", async () => {
    const { agent } = await runGoal({
      ...options,
      criteria: Array.from({ length: 30 }, (_, index) => ({ command: `check ${index} ${"語".repeat(500)}` })),
      checks: [{ exit_code: 1, output_tail: "語".repeat(100_000) }],
      settings: { ...options.settings, max_iterations: 70, history_context_size: 20 },
    });
    for (const prompt of agent.prompts("executor")) expect(estimateTokens(prompt)).toBeLessThan(100_000);
  });

  const REFUTED = `- (iteration 1)
   > way 1: all done, says worker 1
   the worker claimed success, which was refuted:
      NOT MET: 1. tests pass
         exit code 1 after 1.0 s
         > Expected 2, received 3
`;
});

test("[FR-005] a success that the judge refuted is a failed approach, too", async () => {
  const { agent } = await runGoal({
    settings: { max_iterations: 3, history_context_size: 1 },
    script: { summarizer, judge: [judged([false], { evidence: "no test was run" })] },
  });
  expect(earlier(agent.prompts("executor")[2])).toContain("      NOT MET: 1. It works\n         > no test was run\n");
});

test("a failure that the worker reports itself is told as before", async () => {
  const { agent } = await runGoal({
    settings: { max_iterations: 3, history_context_size: 1 },
    script: { summarizer, executor: [worked("x", { status: "failure" })], judge: [judged([false])] },
  });
  expect(agent.prompts("executor")[2]).toContain("- (iteration 1)\n   > way 1: all done, says worker 1\n\n");
  expect(agent.prompts("executor")[2]).not.toContain("refuted");
});

function earlier(prompt = ""): string {
  return prompt.slice(prompt.indexOf(EARLIER));
}
