import { describe, expect, test } from "vitest";
import type { FailureCode } from "../../src/model/agent.ts";
import { addUsage, NOTHING_SPENT } from "../../src/model/usage.ts";
import { PLAIN_CONFIGURATION } from "../support/plain-configuration.ts";
import { type GoalRun, noticeCodes, only, runGoal } from "../support/run-goal.ts";
import { failing, judged, type Scene, worked } from "../support/scripted-agent.ts";

const begun = Date.UTC(2026, 0, 23, 13, 30);
const HOUR = 3600;

describe("troubles that pass", () => {
  test.each<FailureCode>(["rate_limit", "usage_limit", "overloaded", "server", "network"])(
    "(%s) are waited for, longer each time, and the same assignment is given again",
    async (code) => {
      const trouble = failing(code);
      const { agent, clock, records, result } = await runGoal({
        script: { executor: [trouble, trouble, trouble, worked("done")] },
      });

      expect(clock.sleeps).toEqual([2000, 4000, 8000]);
      expect(new Set(agent.prompts("executor")).size).toBe(1);
      expect(records.map(({ type }) => type)).toEqual(["summary", "judgment", "final_result"]);
      expect(result).toMatchObject({ status: "completed", iterations_used: 1 });
    },
  );

  test.each(["intake", "summarizer", "judge"] as const)("are waited for in the %s as well", async (role) => {
    const { clock, events } = await runGoal({
      settings: { intake: true, max_iterations: 1 },
      script: { [role]: [failing("overloaded"), { structured: {} }] },
    });

    expect(clock.sleeps).toEqual([2000]);
    expect(only(events, "waiting")).toHaveLength(1);
  });

  test("end when the other side said they would, and the event says until when", async () => {
    const reset = begun + 5 * HOUR * 1000;
    const { clock, events, result } = await runGoal({
      script: { executor: [failing("usage_limit", "limit reached", reset), worked("done")] },
    });

    expect(only(events, "waiting")).toEqual([
      { type: "waiting", code: "usage_limit", reason: "limit reached", until: reset, attempt: 1 },
    ]);
    expect(clock.sleeps).toEqual([5 * HOUR * 1000]);
    expect(result.status).toBe("completed");
  });

  test("are announced before the wait, with the moment it ends", async () => {
    const { events } = await runGoal({
      script: { executor: [failing("network"), failing("network"), worked("done")] },
    });
    expect(only(events, "waiting").map(({ until, attempt }) => [until - begun, attempt])).toEqual([
      [2000, 1],
      [6000, 2],
    ]);
  });

  test("that the other side promised to end in the past are waited for like any other", async () => {
    const { clock, result } = await runGoal({ script: { executor: () => failing("rate_limit", "slow down", begun) } });

    expect(clock.sleeps.slice(0, 3)).toEqual([2000, 4000, 8000]);
    expect(result).toMatchObject({ status: "error", error_code: "unreachable" });
  });
});

describe("patience", () => {
  test("ends after six hours without the model", async () => {
    const { result, clock, agent } = await runGoal({ script: { executor: () => failing("network", "no route") } });

    expect(result).toMatchObject({
      status: "error",
      error_code: "unreachable",
      error_details: { hours: 6, message: "no route" },
    });
    expect(clock.elapsed()).toBeGreaterThan(6 * HOUR);
    expect(clock.elapsed()).toBeLessThan(6 * HOUR + 301);
    expect(agent.asked("executor").length).toBeGreaterThan(70);
  });

  test("is not used up by work: a first trouble after seven hours is waited for", async () => {
    const executor = [{ ...failing("network"), seconds: 7 * HOUR }, worked("done")];
    const { result } = await runGoal({ script: { executor } });
    expect(result.status).toBe("completed");
  });

  test("is not used up by waits that were announced", async () => {
    const reset = begun + 100 * HOUR * 1000;
    const executor = [failing("usage_limit", "weekly limit", reset), failing("network"), worked("done")];
    const { result } = await runGoal({ script: { executor } });
    expect(result.status).toBe("completed");
  });
});

describe("troubles that only the user can mend", () => {
  test.each([
    { code: "authentication", error_code: "authentication" },
    { code: "billing", error_code: "billing" },
    { code: "configuration", error_code: "agent_configuration" },
  ] as const)("($code) end the run at once, whoever meets them", async ({ code, error_code }) => {
    for (const role of ["intake", "executor", "summarizer", "judge"] as const) {
      const { result, clock, agent } = await runGoal({
        settings: { intake: true },
        script: { [role]: [failing(code, "bad")] },
      });

      expect(result).toMatchObject({ status: "error", error_code, error_details: { message: "bad" } });
      expect(agent.asked(role)).toHaveLength(1);
      expect(clock.sleeps).toEqual([]);
    }
  });
});

describe("what is spent", () => {
  test("on answers that failed counts as well", async () => {
    const usage = { tokens: 100, cost_usd: 0.25 };
    const { result } = await runGoal({
      script: {
        executor: [
          { ...failing("overloaded"), usage },
          { ...failing("malformed"), usage },
          { ...worked("x"), usage },
        ],
      },
    });
    expect(result.usage).toMatchObject({ tokens: 300, cost_usd: 0.75 });
  });

  test("counts when it is only reported at the end, and once when it was announced before", async () => {
    const scene = { ...worked("x"), usage: { tokens: 100, cost_usd: 0 }, usageAtTheEnd: { tokens: 20, cost_usd: 0.5 } };
    const { result, events } = await runGoal({ script: { executor: [scene] } });

    expect(result.usage).toMatchObject({ tokens: 120, cost_usd: 0.5 });
    expect(only(events, "spent").at(-1)?.total).toMatchObject({ tokens: 120, cost_usd: 0.5 });
  });

  test("is unknown where an answer says so at its end only", async () => {
    const usageAtTheEnd = { tokens: 20, cost_usd: 0, unknown: ["cost" as const] };
    const { result, ledger } = await runGoal({ script: { executor: [{ ...worked("x"), usageAtTheEnd }] } });

    expect(result.usage).toMatchObject({ tokens: 20, unknown: ["cost"] });
    expect(ledger.lines.filter(({ unknown }) => unknown)).toHaveLength(1);
  });

  const by = ({ ledger }: GoalRun, spender: string) =>
    ledger.lines.filter((line) => line.spender === spender).reduce((sum, line) => addUsage(sum, line), NOTHING_SPENT);

  test("is booked on the role that spent it, waiting included", async () => {
    const run = await runGoal({
      script: {
        executor: [failing("overloaded"), { ...worked("x"), usage: { tokens: 10 }, seconds: 100 }],
        summarizer: [{ structured: { approach: "", reason: "" }, usage: { tokens: 3 }, seconds: 5 }],
        judge: [{ ...judged([true]), usage: { tokens: 4 }, seconds: 6 }],
      },
    });

    expect(by(run, "waiting")).toEqual({ tokens: 0, cost_usd: 0, seconds: 2 });
    expect(by(run, "executor")).toEqual({ tokens: 10, cost_usd: 0, seconds: 100 });
    expect(by(run, "summarizer")).toEqual({ tokens: 3, cost_usd: 0, seconds: 5 });
    expect(by(run, "judge")).toEqual({ tokens: 4, cost_usd: 0, seconds: 6 });
  });

  test("by checks is what they still take when the summary is there", async () => {
    const run = await runGoal({
      criteria: [{ command: "npm run build" }, { command: "npm test" }],
      arrange: ({ clock, commands }) => {
        commands.onRun = () => clock.advance(30);
      },
      settings: { models: { ...PLAIN_CONFIGURATION.models, summarizer: "none" } },
    });

    expect(by(run, "checks")).toEqual({ tokens: 0, cost_usd: 0, seconds: 60 });
  });

  const slow = { ...worked("x"), usage: { tokens: 5 }, usageAtTheEnd: { tokens: 1 }, seconds: 50 };
  test.each<{ name: string; begin: () => Promise<GoalRun> }>([
    { name: "completed", begin: () => runGoal({ script: { executor: [slow] } }) },
    {
      name: "out of time while waiting",
      begin: () => runGoal({ settings: { budget: { minutes: 2 } }, script: { executor: () => failing("server") } }),
    },
    { name: "cancelled while waiting", begin: () => cancelledWhileWaiting() },
    { name: "cancelled while working", begin: () => cancelledWhileWorking(slow) },
    { name: "cancelled while checking", begin: () => cancelledWhileChecking() },
  ])(
    "stands in the ledger to the last second when the run is $name, so that a resumed one knows it",
    async ({ begin }) => {
      const { ledger, result } = await begin();
      expect(ledger.lines.reduce((sum, line) => addUsage(sum, line), NOTHING_SPENT)).toEqual(result.usage);
    },
  );
});

test("when the time runs out while the summarizer is waited for, the work is still checked", async () => {
  const { result, events, agent } = await runGoal({
    criteria: [{ command: "npm test" }],
    settings: { budget: { minutes: 2 } },
    script: { summarizer: [{ ...failing("overloaded"), seconds: 200 }] },
  });

  expect(result).toMatchObject({ status: "completed", stop_reason: "criteria_met", iterations_used: 1 });
  expect(noticeCodes(events)).toEqual(["summary_mechanical"]);
  expect(agent.asked("summarizer")).toHaveLength(1);
});

describe("a budget while the same answer is tried again", () => {
  test.each([
    { name: "money", budget: { cost_usd: 1 }, stop_reason: "budget_cost" },
    { name: "tokens", budget: { tokens: 1000 }, stop_reason: "budget_tokens" },
  ])(
    "of $name ends the run when failed attempts have used it up, and they are recorded",
    async ({ budget, stop_reason }) => {
      const executor = () => ({ ...failing("server"), usage: { cost_usd: 0.4, tokens: 400 } });
      const { result, agent, records } = await runGoal({
        criteria: [{ command: "npm test" }],
        checks: [1],
        settings: { budget },
        script: { executor },
      });

      expect(result).toMatchObject({ status: "budget_exceeded", stop_reason });
      expect(agent.asked("executor")).toHaveLength(3);
      expect(records.map(({ type }) => type)).toEqual(["summary", "judgment", "final_result"]);
      expect(records[0]).toMatchObject({ result: "error", metadata: { error_type: "server" } });
    },
  );

  test("leaves the next attempt only what is left of the money, in an amount that reads well", async () => {
    const usage = { cost_usd: 0.474 }; // 1 - 0.474 - 0.474 is 0.052000000000000046
    const executor = [{ ...failing("server"), usage }, { ...failing("malformed"), usage }, worked("x")];
    const { agent } = await runGoal({ settings: { budget: { cost_usd: 1 } }, script: { executor } });

    expect(agent.asked("executor").map(({ max_cost_usd }) => max_cost_usd)).toEqual([1, 0.526, 0.052]);
  });

  test("of money is not held against those who look at work that is already paid for", async () => {
    const { agent, result } = await runGoal({
      settings: { budget: { cost_usd: 1 } },
      script: { executor: [{ ...worked("x"), usage: { cost_usd: 2 } }], judge: [failing("server"), judged([true])] },
    });
    expect(agent.asked("judge")[0]).not.toHaveProperty("max_cost_usd");
    expect(result.status).toBe("completed");
  });
});

function cancelledWhileWaiting(): Promise<GoalRun> {
  const cancel = new AbortController();
  return runGoal({
    cancel,
    script: { executor: () => ({ ...failing("server"), seconds: 7 }) },
    arrange: ({ clock }) => {
      clock.onSleep = () => {
        clock.advance(1);
        if (clock.sleeps.length === 3) cancel.abort();
      };
    },
  });
}

function cancelledWhileWorking(slow: Scene): Promise<GoalRun> {
  const cancel = new AbortController();
  return runGoal({ cancel, script: { executor: [{ ...slow, during: () => cancel.abort() }] } });
}

function cancelledWhileChecking(): Promise<GoalRun> {
  const cancel = new AbortController();
  return runGoal({
    cancel,
    criteria: [{ command: "npm test" }],
    arrange: ({ clock, commands }) => {
      commands.onRun = () => {
        clock.advance(20);
        cancel.abort();
      };
    },
  });
}
