import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../src/execution/prompt/bounds.ts";
import type { Assignment } from "../../../src/model/agent.ts";
import type { ExecutionSummary } from "../../../src/model/records.ts";
import type { Knowledge } from "../../../src/model/roles.ts";
import { type GoalOptions, noticeCodes, only, recorded, runGoal } from "../../support/run-goal.ts";
import { failing, judged, type Scene, worked } from "../../support/scripted-agent.ts";

const LIMIT = 100_000;

describe.each([
  { language: "English", task: "Make it work", letter: "x" },
  { language: "Japanese", task: "動くようにする", letter: "語" },
])("[SC-003] with too much of everything in $language", ({ task, letter }) => {
  const options: GoalOptions = {
    task,
    criteria: ["It works", { command: "npm test" }],
    checks: [{ exit_code: 1, output_tail: `${letter.repeat(1_000_000)} the very end` }],
    settings: { max_iterations: 2, history_context_size: 20, knowledge_context_size: 50, raw_output_context: 1 },
    knowledge: Array.from({ length: 50 }, (_, index) => knowledge(`${index}: ${letter.repeat(10_000)}`)),
    script: {
      executor: [worked(letter.repeat(1_000_000))],
      judge: [judged([false], { evidence: letter.repeat(1_000_000), suggestion: letter.repeat(100_000) })],
    },
    arrange: ({ history }) => {
      history.contextOverride = {
        latest: Array.from({ length: 20 }, (_, index) => summary(index + 100, letter.repeat(50_000))),
        failures: Array.from({ length: 60 }, (_, index) => failure(index + 1, letter.repeat(300))),
        failures_left_out: 7,
      };
    },
  };

  test("every prompt of every role stays under 100,000 tokens", async () => {
    const { agent } = await runGoal(options);
    expect(agent.asked("executor")).toHaveLength(2);
    for (const { role, prompt, system_prompt } of agent.assignments)
      expect(estimateTokens(prompt + system_prompt), role).toBeLessThan(LIMIT);
  });

  test("what is cut is said, in the prompt and to the user", async () => {
    const { agent, events } = await runGoal(options);
    expect(agent.prompts("executor")[1]).toContain("[… cut …]");
    expect(agent.prompts("executor")[1]).toMatch(/\(\d+ more left out\)/);
    const [notice] = only(events, "notice").filter((event) => event.notice.code === "context_cut");
    expect(notice?.notice.params).toEqual({ entries: expect.any(Number) });
  });

  test("what is kept is the newest history, the end of the output, and whole characters", async () => {
    const { agent } = await runGoal(options);
    const prompt = agent.prompts("executor")[1] ?? "";
    expect(prompt).toContain("## Iteration 119\n");
    expect(prompt).not.toContain("## Iteration 100\n");
    expect(prompt).toContain("(iteration 60)\n");
    expect(prompt).toContain("the very end");
    expect(prompt).toContain("NOT MET: 1. It works");
    expect(prompt).toContain("NOT MET: 2. `npm test` exits 0");
    expect(prompt.isWellFormed()).toBe(true);
  });
});

test("an entry of knowledge that is cut says so", async () => {
  const { agent } = await runGoal({ knowledge: [knowledge(`${"🙂".repeat(2000)}`)] });
  expect(agent.prompts("executor")[0]).toMatch(/🙂\[… cut …\]/u);
  expect(agent.prompts("executor")[0]?.isWellFormed()).toBe(true);
});

test("nothing is said to be left out when nothing is", async () => {
  const { agent, events } = await runGoal({ script: { judge: [judged([false]), judged([true])] } });
  expect(agent.prompts("executor")[1]).not.toMatch(/left out|\[… cut …\]/);
  expect(noticeCodes(events)).toEqual([]);
});

test("a task that is long itself leaves less room for the rest, not a longer prompt", async () => {
  const { agent } = await runGoal({
    task: `Translate this: ${"word ".repeat(40_000)}`,
    knowledge: Array.from({ length: 50 }, (_, index) => knowledge(`${index}: ${"x".repeat(1000)}`)),
    settings: { knowledge_context_size: 50, history_context_size: 20 },
    arrange: ({ history }) => {
      const latest = Array.from({ length: 20 }, (_, index) => summary(index + 1, "x".repeat(50_000)));
      history.contextOverride = { latest, failures: [], failures_left_out: 0 };
    },
  });
  expect(estimateTokens(agent.prompts("executor")[0] ?? "")).toBeLessThan(LIMIT);
});

describe("[SC-003] an iteration whose worker used", () => {
  test.each([
    { tokens: 100_000, notices: [] },
    { tokens: 100_001, notices: [{ iteration: 1, tokens: 100_001, limit: LIMIT }] },
  ])("$tokens tokens gives the warnings $notices", async ({ tokens, notices }) => {
    const { events, records } = await runGoal({ script: { executor: [{ ...worked("x"), usage: { tokens } }] } });

    expect(recorded(records, "summary")[0]?.metadata.tokens_used).toBe(tokens);
    const warnings = only(events, "notice").filter(({ notice }) => notice.code === "context_large");
    expect(warnings.map(({ notice }) => notice.params)).toEqual(notices);
  });
});

describe("[SC-002] a task of 100 iterations", () => {
  /** A model with room for so many tokens: anything longer is a failure of the run's. */
  const roomy = (scene: Scene) => (assignment: Assignment) =>
    estimateTokens(assignment.prompt + assignment.system_prompt) < LIMIT ? scene : failing("context_overflow");
  const judge = judged([false], {
    evidence: `src/a.ts ${"is not whole ".repeat(2000)}`,
    suggestion: "go on ".repeat(1000),
  });

  test.each([
    { name: "admits every failure", status: "failure" },
    { name: "claims success every time", status: "success" },
  ])("whose worker $name exhausts no role's context", async ({ status }) => {
    const { events, records, result } = await runGoal({
      criteria: ["It works", { command: "npm test" }],
      checks: [{ exit_code: 1, output_tail: "failed ".repeat(10_000) }],
      settings: { max_iterations: 100, history_context_size: 20, raw_output_context: 1, stall_limit: null },
      script: {
        executor: roomy(worked("tried ".repeat(10_000), { status })),
        summarizer: (assignment) =>
          roomy({
            structured: { approach: `way ${assignment.iteration} `.repeat(100), reason: "no luck ".repeat(1000) },
          })(assignment),
        judge: roomy(judge),
      },
    });
    expect(result).toMatchObject({ status: "max_iterations", iterations_used: 100 });
    expect(recorded(records, "summary").filter(({ metadata }) => metadata.error_type !== null)).toEqual([]);
    expect(noticeCodes(events)).not.toContain("role_failed");
    expect(noticeCodes(events)).not.toContain("summary_mechanical");
  });
});

function summary(iteration: number, reason: string): ExecutionSummary {
  const metadata = { tools_used: [], files_modified: [], error_type: null, tokens_used: 0, strategy_tags: [] };
  const words = { approach: reason, result: "failure" as const, reason, artifacts: [], next: null };
  return { type: "summary", iteration, ...words, metadata, timestamp: "2026-01-23T13:30:00.000Z" };
}

function failure(iteration: number, text: string) {
  return { approach: text, reason: text, count: 1, first_iteration: iteration, last_iteration: iteration };
}

function knowledge(content: string): Knowledge {
  const kind = { type: "lesson" as const, category: "general", confidence: "high" as const, example_file: null };
  return { ...kind, content, source_task: "t", applied_count: 0, created_at: "2026-01-23T13:30:00.000Z" };
}
