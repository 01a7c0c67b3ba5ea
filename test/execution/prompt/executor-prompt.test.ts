import { describe, expect, test } from "vitest";
import type { ExecutionSummary } from "../../../src/model/records.ts";
import { type GoalOptions, recorded, resume, runGoal } from "../../support/run-goal.ts";
import { failing, judged, summarized, worked } from "../../support/scripted-agent.ts";

describe("feedback of the last judgment", () => {
  const options: GoalOptions = {
    criteria: ["The README explains the tests", { command: "npm test", description: "tests pass" }],
    checks: [{ exit_code: 1, output_tail: "✗ adds numbers\nExpected 2, received 3" }],
    settings: { max_iterations: 2 },
    script: { judge: [judged([false], { evidence: "no word on vitest", suggestion: "add a Testing section" })] },
  };

  test("opens the next prompt: exit code and end of a check's output, the judge's evidence and suggestion", async () => {
    const { agent } = await runGoal(options);
    expectFeedback(agent.prompts("executor")[1]);
    expect(agent.prompts("executor")[0]).not.toContain("NOT MET");
  });

  test("is there after a resume, too", async () => {
    const first = await runGoal({ ...options, settings: { max_iterations: 1 } });
    const second = await resume(first, options);
    expect(second.agent.prompts("executor")).toHaveLength(1);
    expectFeedback(second.agent.prompts("executor")[0]);
  });

  test("names what is unmet, and leaves out what is met", async () => {
    const { agent } = await runGoal({ ...options, script: { judge: [judged([true], { is_complete: false })] } });
    expect(agent.prompts("executor")[1]).toContain("NOT MET: 2. tests pass");
    expect(agent.prompts("executor")[1]).not.toContain("NOT MET: 1.");
  });

  test("names every unmet criterion and how it came out, however much their output fills", async () => {
    const criteria = Array.from({ length: 30 }, (_, index) => ({ command: `check number ${index + 1}` }));
    const noisy = (command: string) => `${"noise\n".repeat(20_000)}the end of ${command}`;
    const { agent } = await runGoal({
      criteria,
      checks: ({ command }) => ({ exit_code: 1, output_tail: noisy(command) }),
      settings: { max_iterations: 2 },
    });

    for (const [index, { command }] of criteria.entries()) {
      const outcome = "exit code 1 after 1.0 s\n   > [… cut …]\n   > ";
      expect(agent.prompts("executor")[1]).toContain(`NOT MET: ${index + 1}. \`${command}\` exits 0\n   ${outcome}`);
      expect(agent.prompts("executor")[1]).toContain(`   > the end of ${command}\n`);
    }
  });

  test("says how a check came out beside many short lines of output", async () => {
    const output_tail = Array.from({ length: 5_000 }, (_, index) => index).join("\n");
    const { agent } = await runGoal({ ...options, checks: [{ exit_code: 7, output_tail }] });
    expect(agent.prompts("executor")[1]).toMatch(/tests pass\n {3}exit code 7 after 1\.0 s\n {3}> \[… cut …\]\n/);
    expect(agent.prompts("executor")[1]).toContain("\n   > 4999\n");
  });

  function expectFeedback(prompt: string | undefined): void {
    for (const part of [
      "- Suggested next action: add a Testing section",
      "- NOT MET: 1. The README explains the tests\n   > no word on vitest",
      "- NOT MET: 2. tests pass\n   exit code 1 after 1.0 s\n   > ✗ adds numbers\n   > Expected 2, received 3\n",
      "- The check failed. ",
    ])
      expect(prompt).toContain(part);
  }
});

describe("a hidden check", () => {
  const hidden = { command: "./secret-exam.sh", description: "it survives bad input", hidden: true };
  const secret = { exit_code: 3, output_tail: "the answer is 42" };

  test("shows neither its command nor its output to any agent, in any iteration", async () => {
    const { agent } = await runGoal({
      criteria: ["It works", hidden],
      checks: [secret],
      settings: { max_iterations: 3, intake: true },
    });

    expect(agent.assignments).toHaveLength(1 + 3 * 4); // the judge that calls it complete is asked again
    for (const { role, prompt, system_prompt } of agent.assignments)
      for (const part of ["secret-exam", "the answer is 42", "exit code 3"])
        expect(`${role}: ${prompt}${system_prompt}`).not.toContain(part);
  });

  test("tells the worker and the judge its description and that it failed", async () => {
    const { agent } = await runGoal({
      criteria: ["It works", hidden],
      checks: [secret],
      settings: { max_iterations: 2 },
    });

    expect(agent.prompts("executor")[0]).toContain("2. it survives bad input");
    expect(agent.prompts("executor")[1]).toContain("- NOT MET: 2. it survives bad input\n   This check failed.");
    expect(agent.prompts("judge")[0]).toContain("2. it survives bad input: FAILED");
  });

  test("without a description is not named at all", async () => {
    const { agent } = await runGoal({
      criteria: [{ command: "./secret-exam.sh", hidden: true }],
      checks: [secret],
      settings: { max_iterations: 2 },
    });
    expect(agent.prompts("executor")[0]).toContain("1. a hidden check passes");
    expect(agent.prompts("executor").join()).not.toContain("secret-exam");
  });

  test("keeps its evidence for the user, in the record", async () => {
    const { records } = await runGoal({ criteria: [hidden], checks: [secret], settings: { max_iterations: 1 } });
    expect(recorded(records, "judgment")[0]?.evaluations[0]?.evidence).toContain("the answer is 42");
  });
});

describe("history in the prompt [FR-005]", () => {
  test("shows the latest summaries, oldest first", async () => {
    const { agent } = await runGoal({
      settings: { max_iterations: 4, history_context_size: 2 },
      script: { judge: [failing("crashed")], summarizer: ({ iteration }) => summarized(`result of ${iteration}`) },
    });

    const last = agent.prompts("executor")[3] ?? "";
    expect(last).toContain("## Iteration 2\n");
    expect(last.indexOf("result of 2")).toBeLessThan(last.indexOf("result of 3"));
    expect(last).not.toContain("result of 1");
    expect(last).toContain("This is iteration 4 of at most 4.");
  });

  test("shows every earlier failure that is not among them", async () => {
    const { agent } = await runGoal({
      settings: { max_iterations: 4, history_context_size: 1 },
      script: {
        judge: [failing("crashed")],
        executor: ({ iteration }) => worked("x", { status: iteration === 2 ? "success" : "failure" }),
        summarizer: ({ iteration }) => ({ structured: { approach: `way ${iteration}`, reason: `end ${iteration}` } }),
      },
    });

    expect(agent.prompts("executor")[3]).toContain("- (iteration 1)\n   > way 1: end 1");
    expect(agent.prompts("executor")[3]).not.toContain("way 2");
  });

  test("says how often and when a way failed", async () => {
    const group = { approach: "retry", reason: "no luck", count: 3, first_iteration: 2, last_iteration: 9 };
    const { agent } = await runGoal({
      arrange: ({ history }) => {
        history.contextOverride = { latest: [], failures: [group], failures_left_out: 4 };
      },
    });
    expect(agent.prompts("executor")[0]).toContain(
      "- (3 times, iterations 2 to 9)\n   > retry: no luck\n(4 more left out)",
    );
  });

  test("passes on what the summarizer thought of next", async () => {
    const next = {
      suggested_action: "look at b.ts",
      blockers: ["no network"],
      partial_progress: "half",
      pending_items: ["c"],
    };
    const { agent } = await runGoal({
      script: {
        summarizer: [{ structured: { approach: "a", reason: "r", next } }],
        judge: [judged([false]), judged([true])],
      },
    });
    for (const part of [
      "suggested next:\n> look at b.ts",
      "blockers:\n> no network",
      "partial progress:\n> half",
      "pending:\n> c",
    ])
      expect(agent.prompts("executor")[1]).toContain(part);
  });
});

describe("settings that reach an agent", () => {
  test("raw_output_context 1: the last worker's whole output stands in the prompt", async () => {
    const script = { executor: [worked("chapter one, in full")], judge: [judged([false]), judged([true])] };
    const without = await runGoal({ script });
    const with1 = await runGoal({ script, settings: { raw_output_context: 1 } });

    expect(without.agent.prompts("executor")[1]).not.toContain("chapter one");
    expect(with1.agent.prompts("executor")[0]).not.toContain("handed in");
    expect(with1.agent.prompts("executor")[1]).toContain("handed in, in full\n\n> chapter one, in full");
  });

  test("prompts.append_system_prompt: the worker's system prompt ends with it, and no other role's", async () => {
    const prompts = { judgment: null, append_system_prompt: "Report as JSON." };
    const { agent } = await runGoal({ settings: { prompts } });

    expect(agent.asked("executor")[0]?.system_prompt).toMatch(/Report as JSON\.$/);
    expect(agent.asked("judge")[0]?.system_prompt).not.toContain("Report as JSON.");
  });

  test("[FR-019] prompts.judgment: the judge's guidance is the user's, and its duties stay", async () => {
    const own = await runGoal({
      settings: { prompts: { judgment: "テストが実際に実行されていること", append_system_prompt: null } },
    });
    const shipped = await runGoal({});

    const guided = own.agent.asked("judge")[0]?.system_prompt;
    expect(guided).toContain("テストが実際に実行されていること");
    expect(guided).not.toContain("Be strict and fair");
    expect(guided).toContain("Evaluate every numbered sentence criterion exactly once");
    expect(shipped.agent.asked("judge")[0]?.system_prompt).toContain("Be strict and fair");
  });

  test("text that looks like a placeholder is passed on as it is", async () => {
    const task = "Explain {uv-task} and {uv-nobody_knows} and $& and $1";
    const { agent } = await runGoal({
      task,
      settings: { prompts: { judgment: "{uv-criteria}", append_system_prompt: "{uv-x}" } },
    });

    expect(agent.prompts("executor")[0]).toContain(task);
    expect(agent.prompts("judge")[0]).toContain(task);
    expect(agent.asked("judge")[0]?.system_prompt).toContain("{uv-criteria}");
    expect(agent.asked("executor")[0]?.system_prompt).toMatch(/\{uv-x\}$/);
  });
});

test("a summary of another program's history shows what it has", async () => {
  const bare: ExecutionSummary = {
    type: "summary",
    iteration: 7,
    approach: "テストを修正",
    result: "failure",
    reason: "1件失敗",
    artifacts: [],
    metadata: { tools_used: [], files_modified: [], error_type: null, tokens_used: 0, strategy_tags: [] },
    next: null,
    timestamp: "2026-01-23T10:05:00Z",
  };
  const { agent } = await runGoal({
    arrange: ({ history }) => {
      history.contextOverride = { latest: [bare], failures: [], failures_left_out: 0 };
    },
  });
  expect(agent.prompts("executor")[0]).toContain(
    "## Iteration 7\nresult: failure\napproach:\n> テストを修正\nwhat came of it:\n> 1件失敗\n",
  );
});
