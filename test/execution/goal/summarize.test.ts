import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../src/execution/prompt/bounds.ts";
import { noticeCodes, recorded, resume, runGoal } from "../../support/run-goal.ts";
import { saying } from "../../support/saying.ts";
import { failing, summarized, worked } from "../../support/scripted-agent.ts";

describe("a summary [FR-006, FR-026]", () => {
  test("joins the summarizer's words with facts that no model was asked for", async () => {
    const { records } = await runGoal({
      changes: [["src/c.ts", "src/b.ts"]],
      script: {
        executor: [
          {
            structured: {
              status: "failure",
              output: "tried",
              artifacts: ["a.md"],
              semantic_metadata: { approach: "by hand", strategy_tags: ["test-fix"] },
            },
            tools_used: ["Read", "Bash(pytest)"],
            files_modified: ["src/b.ts"],
            usage: { tokens: 1500 },
          },
        ],
        summarizer: [
          {
            structured: {
              approach: "fixed the tests",
              reason: "11 of 12 pass",
              artifacts: ["b.md"],
              next: { suggested_action: "fix the last", pending_items: ["test 12"] },
            },
          },
        ],
      },
    });

    expect(records[0]).toMatchObject({
      type: "summary",
      iteration: 1,
      approach: "fixed the tests",
      result: "failure",
      reason: "11 of 12 pass",
      artifacts: ["a.md", "b.md", "memory:2026-01-23T13-30-00/output"],
      metadata: {
        tools_used: ["Read", "Bash(pytest)"],
        files_modified: ["src/b.ts", "src/c.ts"],
        error_type: null,
        tokens_used: 1500,
        strategy_tags: ["test-fix"],
      },
      next: { suggested_action: "fix the last", blockers: [], partial_progress: null, pending_items: ["test 12"] },
    });
  });

  test("is asked for with the criteria, the worker's report and the facts", async () => {
    const { agent } = await runGoal({
      criteria: ["It is pretty", { command: "npm test" }],
      script: {
        executor: [
          { ...worked("painted it", { approach: "by brush", discoveries: ["red is out"] }), tools_used: ["Edit"] },
        ],
      },
    });

    const [prompt] = agent.prompts("summarizer");
    for (const part of ["1. It is pretty", "2. `npm test` exits 0", "painted it", "by brush", "red is out", "Edit"])
      expect(prompt).toContain(part);
  });

  test("is all that the judge hears of the work [FR-008]", async () => {
    const { agent } = await runGoal({
      script: { executor: [worked("a long story")], summarizer: [summarized("in short")] },
    });

    expect(agent.prompts("judge")[0]).toContain("in short");
    expect(agent.prompts("judge")[0]).not.toContain("a long story");
  });

  test("that is too long is asked for again, with its length, and a short one is taken", async () => {
    const script = { summarizer: [summarized("長い話".repeat(500)), summarized("短い話")] };
    const { agent, records, events } = await runGoal({ script });

    expect(agent.prompts("summarizer")[1]).toContain("`reason` is about 1500 tokens long; at most 1000 are allowed");
    expect(noticeCodes(events)).toEqual(["asked_again"]);
    expect(recorded(records, "summary")[0]).toMatchObject({ reason: "短い話" });
  });

  test("that is still too long is kept whole", async () => {
    const { agent, records } = await runGoal({ script: { summarizer: [summarized("長い話".repeat(500))] } });

    expect(agent.asked("summarizer")).toHaveLength(2);
    const [summary] = recorded(records, "summary");
    expect(summary?.reason).toBe("長い話".repeat(500));
    expect(summary?.is_cut).toBeUndefined();
  });

  test("has a last limit, whatever the summarizer writes, and says that it is cut", async () => {
    const { records } = await runGoal({ script: { summarizer: [summarized("長い話".repeat(20_000))] } });
    const [summary] = recorded(records, "summary");
    expect(estimateTokens(summary?.reason ?? "")).toBeLessThan(4100);
    expect(summary?.reason).toMatch(/^(長い話)+長?い?$/); // the summarizer's words, with no mark of ours among them
    expect(summary?.is_cut).toBe(true);
  });
});

describe("a summary without a summarizer", () => {
  const models = { intake: "m", executor: "m", summarizer: "none", judge: "m" };

  test("is made mechanically when models.summarizer is none: it is never asked", async () => {
    const { agent, records } = await runGoal({
      settings: { models },
      script: { executor: [worked("12 tests pass", { approach: "by hand", discoveries: ["uses vitest"] })] },
    });

    expect(agent.asked("summarizer")).toEqual([]);
    expect(records[0]).toMatchObject({ approach: "by hand", reason: "12 tests pass", next: null });
  });

  test("takes the report's first line for a missing approach", async () => {
    const { records } = await runGoal({
      settings: { models },
      script: { executor: [{ text: "\nLooked around.\nFixed it." }] },
    });
    expect(records[0]).toMatchObject({ approach: "Looked around.", reason: "\nLooked around.\nFixed it." });
  });

  test("keeps the end of a long report, whole characters only", async () => {
    const output = `${"🙂".repeat(5000)}x and that is why`;
    const { records } = await runGoal({ settings: { models }, script: { executor: [{ text: output }] } });
    const [summary] = recorded(records, "summary");
    expect(summary?.reason).toMatch(/^🙂/u);
    expect(summary?.reason).toMatch(/and that is why$/);
    expect(summary?.reason.isWellFormed()).toBe(true);
    expect(summary?.approach.isWellFormed()).toBe(true);
    expect(summary?.is_cut).toBe(true);
  });

  test("follows a worker that failed without a trace", async () => {
    const { agent, records } = await runGoal({
      script: { executor: [failing("crashed", "out of memory")] },
      settings: { max_iterations: 1 },
    });
    expect(agent.asked("summarizer")).toEqual([]);
    expect(records[0]).toMatchObject({
      result: "error",
      approach: "",
      reason: "",
      failure: saying("The agent did not finish (crashed): out of memory"),
    });
  });
});

describe("after a failure, too, the summarizer is asked [FR-020]", () => {
  const crashed = { ...failing("crashed", "out of memory"), text: "I will raise the limit." };
  const lesson = { type: "lesson", content: "the build needs 4 GB" } as const;

  test("with what stopped the worker and what it did; lessons are learned, and the failure is recorded", async () => {
    const { agent, records, knowledge } = await runGoal({
      script: {
        executor: [{ ...crashed, tools_used: ["Bash(make)"] }],
        summarizer: [summarized("make ran out of memory", [lesson])],
      },
      settings: { max_iterations: 1 },
    });

    const [prompt] = agent.prompts("summarizer");
    for (const part of ["(status: error)", "> I will raise the limit.", "tools used: Bash(make)"])
      expect(prompt).toContain(part);
    expect(prompt).toContain("the worker did not finish:\n> The agent did not finish (crashed): out of memory");
    expect(records[0]).toMatchObject({
      result: "error",
      reason: "make ran out of memory",
      failure: saying("out of memory"),
      metadata: { error_type: "crashed" },
    });
    expect(knowledge.entries.map(({ content }) => content)).toEqual(["the build needs 4 GB"]);
  });

  test.each(["timeout", "turn_limit", "silent", "context_overflow", "refused", "malformed"] as const)(
    "when it was %s",
    async (code) => {
      const { agent } = await runGoal({
        script: { executor: [{ ...failing(code), text: "Half of it is done." }] },
        settings: { max_iterations: 1 },
      });
      expect(agent.asked("summarizer")).toHaveLength(1);
    },
  );

  test.each([
    ["cost", { cost_usd: 1 }, { cost_usd: 2 }],
    ["tokens", { tokens: 100 }, { tokens: 200 }],
    ["time", { minutes: 1 }, { seconds: 90 }],
  ])("but not once the budget of %s is used up: no worker of this run would read it", async (_, budget, usage) => {
    const { agent, records, events } = await runGoal({
      script: { executor: [{ ...crashed, usage, seconds: 90 }] },
      settings: { budget },
    });
    expect(agent.asked("summarizer")).toEqual([]);
    expect(records[0]).toMatchObject({ result: "error", reason: "I will raise the limit." });
    expect(noticeCodes(events)).not.toContain("summary_mechanical");
  });
});

describe("work that was done is recorded when the run must end before it is condensed", () => {
  const done = [worked("three hours of work", { approach: "by hand", discoveries: ["the cache is in /var/cache"] })];

  test("because there is no more time", async () => {
    const { records, result, events } = await runGoal({
      settings: { budget: { minutes: 30 } },
      script: { executor: done, summarizer: () => failing("overloaded") },
    });

    expect(result).toMatchObject({ stop_reason: "budget_time", iterations_used: 1 });
    expect(records[0]).toMatchObject({ type: "summary", approach: "by hand", reason: "three hours of work" });
    expect(noticeCodes(events)).toContain("summary_mechanical");
  });

  test("because the user cancels, and the resumed run begins with judging it", async () => {
    const cancel = new AbortController();
    const summarizer = [{ text: "", during: () => cancel.abort() }];
    const first = await runGoal({ cancel, script: { executor: done, summarizer } });
    const second = await resume(first, { script: { executor: done } });

    expect(first.result).toMatchObject({ status: "cancelled", iterations_used: 1 });
    expect(first.records.map(({ type }) => type)).toEqual(["summary", "final_result"]);
    expect(first.records[0]).toMatchObject({ approach: "by hand", artifacts: ["memory:2026-01-23T13-30-00/output"] });
    expect(first.knowledge.entries.map(({ content }) => content)).toEqual(["the cache is in /var/cache"]);
    expect(second.agent.assignments.map(({ role }) => role)).toEqual(["judge"]);
  });
});
