import { describe, expect, test } from "vitest";
import { only, recorded, resume, runGoal } from "../support/run-goal.ts";
import { failing, worked } from "../support/scripted-agent.ts";
import { HOUR, limited, START, TWO, task, turnsIn, workers, workersIn } from "./turns-support.ts";

describe("a limited agent", () => {
  test("gives way within the iteration when its reset is far, and comes back after it", async () => {
    const run = await task({
      claude: [limited(2), worked("back again")],
      "command:b": [
        { ...worked("b worked"), seconds: 1800 },
        { ...worked("b worked"), seconds: 7200 },
      ],
    });

    expect(turnsIn(run)).toEqual([
      [1, "claude", "command:b", "limited"],
      [3, "command:b", "claude", "back"],
    ]);
    expect(workersIn(run)).toEqual(["command:b", "command:b", "claude", "claude"]);
    expect(run.result.workers).toEqual([
      { worker: "command:b", iterations: 2 },
      { worker: "claude", iterations: 2 },
    ]);
    expect(recorded(run.records, "worker")[0]).toMatchObject({
      reason: "resets later",
      until: new Date(START + 2 * HOUR).toISOString(),
    });
    expect(only(run.events, "waiting")).toEqual([]);
  });

  test("is waited for when its reset is near", async () => {
    const run = await task({ claude: [limited(0.1), worked("later")] }, { settings: { max_iterations: 1 } });
    expect(turnsIn(run)).toEqual([]);
    expect(only(run.events, "waiting")).toHaveLength(1);
    expect(workersIn(run)).toEqual(["claude"]);
  });

  test("is waited for as long as the user wants", async () => {
    const settings = { max_iterations: 1, fallback_after: 180 };
    expect(turnsIn(await task({ claude: [limited(2), worked("later")] }, { settings }))).toEqual([]);
  });

  test("without a word about its reset gives way after a quarter of an hour of trying", async () => {
    const run = await task({ claude: [failing("overloaded")] }, { settings: { max_iterations: 1 } });
    expect(turnsIn(run)).toEqual([[1, "claude", "command:b", "limited"]]);
    const waited = run.clock.sleeps.reduce((sum, one) => sum + one, 0);
    expect(waited).toBeGreaterThan(300_000);
    expect(waited).toBeLessThanOrEqual(900_000);
  });

  test("is waited for when all others are limited, too: the one that resets first", async () => {
    const run = await task(
      { claude: [limited(5)], "command:b": [limited(2), worked("b worked")] },
      { settings: { max_iterations: 1 } },
    );
    expect(turnsIn(run)).toEqual([[1, "claude", "command:b", "limited"]]);
    expect(only(run.events, "waiting").map(({ until }) => until)).toEqual([START + 2 * HOUR]);
  });

  test("stays away when the run is killed and resumed", async () => {
    const first = await task({ claude: [limited(9)] }, { settings: { max_iterations: 2 } });
    const records = first.records.filter(({ type }) => type !== "final_result"); // killed
    const second = await runGoal({
      criteria: [{ command: "false" }],
      checks: [1],
      settings: { ...TWO, max_iterations: 3 },
      script: { executor: workers({ claude: [failing("crashed", "must not be asked")] }) },
      after: { records, task: first.store.task },
    });
    expect(turnsIn(second)).toEqual(turnsIn(first));
    expect(workersIn(second)).toEqual(["command:b", "command:b", "command:b"]);
  });

  test("does not keep its turn by a budget that is used up", async () => {
    const spent = { ...limited(9), usage: { tokens: 10, cost_usd: 2 } };
    const run = await task({ claude: [spent] }, { settings: { budget: { cost_usd: 1, tokens: null, minutes: null } } });
    expect(turnsIn(run)).toEqual([]);
    expect(run.result.stop_reason).toBe("budget_cost");
  });
});

describe("an agent that cannot work", () => {
  test("gives way after three failures in a row, not after two and a success", async () => {
    const crash = failing("crashed");
    const run = await task(
      { claude: [crash, crash, worked("fine"), crash, crash, crash] },
      { settings: { max_iterations: 8 } },
    );
    expect(turnsIn(run)).toEqual([[7, "claude", "command:b", "failing"]]);
    expect(workersIn(run)).toEqual([...Array(6).fill("claude"), "command:b", "command:b"]);
  });

  test("takes turns with others that fail as well", async () => {
    const crash = [failing("crashed")];
    const run = await task({ claude: crash, "command:b": crash }, { settings: { max_iterations: 7 } });
    expect(workersIn(run)).toEqual([...Array(3).fill("claude"), ...Array(3).fill("command:b"), "claude"]);
  });

  test("does not make the run stand still before the next one has tried", async () => {
    const run = await task(
      { claude: [failing("crashed")] },
      { changes: [], settings: { max_iterations: 9, stall_limit: 2 } },
    );
    expect(workersIn(run)).toEqual(["claude", "claude", "command:b", "command:b"]);
    expect(run.result.stop_reason).toBe("stalled");
  });

  test("is left out while its account is not in order, and tried again by the next run", async () => {
    const first = await task({ claude: [failing("billing", "no credit")] }, { settings: { max_iterations: 1 } });
    expect(turnsIn(first)).toEqual([[1, "claude", "command:b", "unavailable"]]);

    const settings = { ...TWO, max_iterations: 2 };
    const script = { executor: workers({}) };
    const second = await resume(first, { criteria: [{ command: "false" }], checks: [1], settings, script });
    expect(turnsIn(second)).toEqual([...turnsIn(first), [2, "command:b", "claude", "back"]]);
  });

  test("ends the run as before when nobody can take over", async () => {
    const run = await task({ claude: [failing("billing", "no credit")] }, { settings: { fallbacks: [] } });
    expect(run.result).toMatchObject({ status: "error", error_code: "billing" });
    expect(run.result.workers).toBeUndefined();
  });
});

describe("after a standstill", () => {
  const stalls = { changes: [], settings: { fallbacks: [], max_iterations: 9, stall_limit: 2 } };
  const stronger = { ...stalls, settings: { ...stalls.settings, escalate_to: { agent: null, model: "opus" } } };

  test("the stronger model has its iterations, and reads which approaches have failed", async () => {
    const scenes = { claude: [worked("x", { approach: "first try" }), worked("x", { approach: "second try" })] };
    const run = await task(scenes, { ...stronger, settings: { ...stronger.settings, history_context_size: 1 } });

    expect(turnsIn(run)).toEqual([[3, "claude", "claude (opus)", "stalled"]]);
    expect(workersIn(run)).toEqual(["claude", "claude", "claude (opus)", "claude (opus)"]);
    const [, , prompt = ""] = run.agent.prompts("executor");
    expect(prompt).toContain("You take over");
    expect(prompt).toContain("first try");
    expect(prompt).toContain("second try");
    expect(run.agent.prompts("executor")[1]).not.toContain("You take over");
  });

  test("the run ends for the second one, and says that a stronger worker has tried", async () => {
    const { result } = await task({}, stronger);
    expect(result).toMatchObject({
      stop_reason: "stalled",
      iterations_used: 4,
      escalated: { iteration: 3, to: "claude (opus)" },
    });
  });

  test("progress of the stronger one counts, and it may complete the task", async () => {
    const { result } = await task({}, { ...stronger, checks: [1, 1, 1, 0] });
    expect(result).toMatchObject({ status: "completed", iterations_used: 4 });
  });

  test("budgets and the number of iterations still hold", async () => {
    const { result } = await task({}, { ...stronger, settings: { ...stronger.settings, max_iterations: 2 } });
    expect(result).toMatchObject({ stop_reason: "max_iterations", iterations_used: 2 });
  });

  test("a killed run goes on with the stronger one", async () => {
    const first = await task({}, { ...stronger, settings: { ...stronger.settings, max_iterations: 3 } });
    const second = await runGoal({
      ...stronger,
      criteria: [{ command: "false" }],
      checks: [1],
      script: { executor: workers({}) },
      after: { records: first.records.filter(({ type }) => type !== "final_result"), task: first.store.task },
    });
    expect(turnsIn(second)).toEqual(turnsIn(first));
    expect(workersIn(second).slice(2)).toEqual(["claude (opus)", "claude (opus)"]);
    expect(second.result).toMatchObject({ stop_reason: "stalled", escalated: { iteration: 3 } });
  });

  test("an agent does not take over from itself", async () => {
    const settings = { ...stronger.settings, escalate_to: { agent: "claude", model: null } };
    const run = await task({}, { ...stronger, settings });
    expect(turnsIn(run)).toEqual([]);
    expect(run.result).toMatchObject({ stop_reason: "stalled", iterations_used: 2 });
  });

  test("the stronger one gives way to the others while it is limited", async () => {
    const settings = { ...stronger.settings, ...TWO };
    const run = await task({ "claude opus": [limited(9)] }, { ...stronger, settings });
    expect(turnsIn(run)).toEqual([
      [3, "claude", "claude (opus)", "stalled"],
      [3, "claude (opus)", "claude", "limited"],
    ]);
  });
});
