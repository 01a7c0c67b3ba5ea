import { describe, expect, test } from "vitest";
import { E8Error } from "../../src/model/errors.ts";
import { type GoalOptions, only, recorded, resume, runGoal } from "../support/run-goal.ts";
import { failing, judged, summarized, unclear, worked } from "../support/scripted-agent.ts";

const check = { command: "npm test" };

describe("the ways a run ends [FR-033]", () => {
  test("[SC-001] completed, when every criterion is met", async () => {
    const { result, agent } = await runGoal({
      criteria: ["It works", check],
      checks: [0],
      script: { judge: [judged([true])] },
    });

    expect(result).toMatchObject({ status: "completed", stop_reason: "criteria_met", iterations_used: 1 });
    expect(result.final_judgment?.evaluations.map(({ is_met }) => is_met)).toEqual([true, true]);
    expect(agent.asked("executor")).toHaveLength(1);
  });

  test("[FR-010] max_iterations, when the last one is not enough", async () => {
    const { result, agent } = await runGoal({ criteria: [check], checks: [1], settings: { max_iterations: 3 } });

    expect(result).toMatchObject({ status: "max_iterations", stop_reason: "max_iterations", iterations_used: 3 });
    expect(agent.asked("executor").map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  });

  test.each<{ name: string; budget: object; usage: object; stop_reason: string }>([
    { name: "money", budget: { cost_usd: 1 }, usage: { cost_usd: 0.6 }, stop_reason: "budget_cost" },
    { name: "tokens", budget: { tokens: 1000 }, usage: { tokens: 600 }, stop_reason: "budget_tokens" },
  ])("budget_exceeded, when the $name are used up", async ({ budget, usage, stop_reason }) => {
    const { result } = await runGoal({
      criteria: [check],
      checks: [1],
      settings: { budget },
      script: { executor: [{ ...worked("some"), usage }] },
    });

    expect(result).toMatchObject({ status: "budget_exceeded", stop_reason, iterations_used: 2 });
  });

  test("budget_exceeded, when the time was used up between two answers", async () => {
    const { result } = await runGoal({
      criteria: [check],
      checks: [1],
      settings: { budget: { minutes: 60 } },
      script: { executor: [{ ...worked("slowly"), seconds: 2000 }] },
    });

    expect(result).toMatchObject({ status: "budget_exceeded", stop_reason: "budget_time", iterations_used: 2 });
    expect(result.usage.seconds).toBe(4000);
  });

  test("budget_exceeded, when time runs out while the agent works: it is stopped, and its work is recorded and judged", async () => {
    const { result, records } = await runGoal({
      criteria: [check],
      checks: [1],
      settings: { budget: { minutes: 0.001 } },
      arrange: ({ clock, commands }) => {
        commands.onRun = () => clock.advance(1);
      },
      script: { executor: [{ text: "half done", during: untilAborted }] },
    });

    expect(result).toMatchObject({ status: "budget_exceeded", stop_reason: "budget_time", iterations_used: 1 });
    expect(records.map(({ type }) => type)).toEqual(["summary", "judgment", "final_result"]);
    expect(records[0]).toMatchObject({ result: "error", metadata: { error_type: "timeout" } });
    expect(records[0]).toMatchObject({ reason: expect.stringContaining("half done") });
  });

  test("budget_exceeded, when no time is left to judge the work: that is done when the run is resumed", async () => {
    const options: GoalOptions = { script: { executor: [{ ...worked("slowly"), seconds: 700 }] } };
    const first = await runGoal({ ...options, settings: { budget: { minutes: 10 } } });
    const second = await resume(first, { ...options, settings: { budget: { minutes: 20 } } });

    expect(first.result).toMatchObject({ stop_reason: "budget_time", iterations_used: 1, final_judgment: null });
    expect(first.agent.assignments.map(({ role }) => role)).toEqual(["executor"]);
    expect(second.result).toMatchObject({ status: "completed", iterations_used: 1 });
    expect(second.agent.assignments.map(({ role }) => role)).toEqual(["judge"]);
  });

  test("budget_exceeded, when time runs out while waiting for the model", async () => {
    const { result, clock } = await runGoal({
      criteria: [check],
      settings: { budget: { minutes: 10 } },
      script: { executor: () => failing("overloaded") },
    });

    expect(result).toMatchObject({ status: "budget_exceeded", stop_reason: "budget_time", iterations_used: 0 });
    expect(clock.elapsed()).toBe(600);
  });

  test("stalled, when iterations in a row change no file and fail alike", async () => {
    const { result } = await runGoal({
      criteria: [check],
      checks: [
        { exit_code: 1, output_tail: "3 failed in 1.2 s" },
        { exit_code: 1, output_tail: "3 failed in 9.8 s" },
      ],
      settings: { stall_limit: 3 },
      changes: [["a.ts"], [], [], []],
    });

    expect(result).toMatchObject({ status: "stalled", stop_reason: "stalled", iterations_used: 4 });
  });

  test("error, when the agent cannot log in: at once, and with what to do about it", async () => {
    const { result, agent, clock } = await runGoal({ script: { executor: [failing("authentication", "no account")] } });

    expect(result).toMatchObject({
      status: "error",
      stop_reason: "error",
      error_code: "authentication",
      error_details: { message: "no account" },
      iterations_used: 0,
    });
    expect(agent.assignments).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  test("clarification_needed, when the intake's question stays unanswered: nothing is executed", async () => {
    const { result, agent } = await runGoal({ settings: { intake: true }, script: { intake: [unclear("How fast?")] } });

    expect(result).toMatchObject({ status: "clarification_needed", iterations_used: 0 });
    expect(result.clarification_questions.map(({ question }) => question)).toEqual(["How fast?"]);
    expect(agent.asked("executor")).toEqual([]);
  });

  test("error, when something breaks that never should", async () => {
    const { result } = await runGoal({
      arrange: ({ files }) => {
        files.saveOutput = () => Promise.reject(new TypeError("no such function"));
      },
    });

    expect(result).toMatchObject({
      status: "error",
      error_code: "internal",
      error_details: { message: expect.stringContaining("no such function") },
    });
  });
});

const endings: Record<string, GoalOptions> = {
  completed: { script: { judge: [judged([false]), judged([true])] } },
  max_iterations: { criteria: [check], checks: [1], settings: { max_iterations: 2 } },
  budget_exceeded: {
    settings: { budget: { tokens: 1 } },
    script: { executor: [{ ...worked("x"), usage: { tokens: 5 } }], judge: [judged([false])] },
  },
  stalled: { criteria: [check], checks: [1], settings: { stall_limit: 2 } },
  error: { script: { judge: [failing("billing")] } },
  clarification_needed: { settings: { intake: true }, script: { intake: [unclear("What?")] } },
};

describe.each(Object.entries(endings))("a run that ends as %s", (status, options) => {
  test("writes one final_result, last, and announces the same", async () => {
    const { result, records, events } = await runGoal(options);

    expect(result.status).toBe(status);
    expect(recorded(records, "final_result")).toEqual([result]);
    expect(records.at(-1)).toEqual(result);
    expect(events.at(-1)).toMatchObject({ type: "run-end", result });
    expect(only(events, "run-end")).toHaveLength(1);
  });
});

describe("a store that takes no more", () => {
  const full = new E8Error("disk_full", { path: "history.jsonl" });

  test.each(["any", "summary", "judgment", "final_result"] as const)(
    "gives a result with status error when it refuses %s records",
    async (type) => {
      const { result, events } = await runGoal({
        arrange: ({ history }) => {
          history.failure = { type, error: full };
        },
      });

      expect(result).toMatchObject({ status: "error", stop_reason: "error", error_code: "disk_full" });
      expect(result.error_details).toEqual({ path: "history.jsonl" });
      expect(events.at(-1)).toMatchObject({ type: "run-end", result });
    },
  );

  test("is never said to hold what it does not: no summary is announced that was refused", async () => {
    const { events } = await runGoal({
      arrange: ({ history }) => {
        history.failure = { type: "summary", error: full };
      },
    });

    expect(only(events, "summary")).toEqual([]);
  });

  test("counts an iteration that stands in the history although its copy could not be written", async () => {
    const { result, records } = await runGoal({
      arrange: ({ history }) => {
        history.copyFailure = new E8Error("disk_full", { path: "copy.jsonl" });
      },
    });

    expect(records.map(({ type }) => type)).toEqual(["summary", "final_result"]);
    expect(result).toMatchObject({ status: "error", error_code: "disk_full", iterations_used: 1 });
    expect(result.artifacts).toEqual(recorded(records, "summary")[0]?.artifacts);
    expect(records.at(-1)).toEqual(result);
  });

  test("does not cost the work of an iteration whose knowledge it refuses: a resumed run judges it", async () => {
    const first = await runGoal({
      script: { summarizer: [summarized("worked", [{ content: "k" }])] },
      arrange: ({ knowledge }) => {
        knowledge.refusal = new E8Error("no_permission", { path: "knowledge.jsonl" });
      },
    });
    expect(first.records.map(({ type }) => type)).toEqual(["summary", "final_result"]);
    expect(first.result).toMatchObject({ status: "error", error_code: "no_permission", iterations_used: 1 });

    const second = await resume(first, {});
    expect(second.result).toMatchObject({ status: "completed", iterations_used: 1 });
    expect(second.agent.asked("executor")).toHaveLength(0);
  });

  test("does not keep the ending from the history when only the knowledge cannot be written", async () => {
    const { result, records } = await runGoal({
      arrange: ({ knowledge }) => {
        knowledge.failure = new E8Error("no_permission", { path: "knowledge.jsonl" });
      },
    });

    expect(result).toMatchObject({ status: "error", error_code: "no_permission" });
    expect(records.at(-1)).toEqual(result);
  });
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
