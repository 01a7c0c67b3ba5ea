import { describe, expect, test } from "vitest";
import { type GoalOptions, only, recorded, runGoal } from "../../support/run-goal.ts";

/** One check, which comes out as it is told; no worker changes a file, unless `isSame` is false. */
function checked(checks: NonNullable<GoalOptions["checks"]>, more: Partial<GoalOptions> = {}) {
  return runGoal({
    criteria: [{ command: "npm test" }],
    checks,
    proof: { isSame: true },
    ...more,
    settings: { max_iterations: 3, stall_limit: null, ...more.settings },
  });
}

describe("a check that failed and now passes on the same files", () => {
  test("counts as met only after three passes in a row, and its record says so", async () => {
    const { result, commands, events } = await checked([1, 0, 0, 0]);

    expect(commands.requests).toHaveLength(4);
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
    const flaky = { is_met: true, is_flaky: true, passes: { passed: 3, needed: 3 } };
    expect(result.final_judgment?.evaluations[0]).toMatchObject(flaky);
    expect(only(events, "check-end").at(-1)?.evaluation).toMatchObject(flaky);
  });

  test("is not met where one of the three fails", async () => {
    const { result, agent } = await checked([1, 0, 0, 1, 1]);

    expect(result).toMatchObject({ status: "max_iterations" });
    expect(agent.prompts("executor")[2]).toContain("flaky: passed 2 of 3 times in a row");
  });

  test("must go on passing three times as long as the files are the same", async () => {
    const { commands, result } = await checked([1, 0, 1, 0, 0, 0]);

    expect(commands.requests).toHaveLength(6);
    expect(result).toMatchObject({ status: "completed", iterations_used: 3 });
  });

  test("passes once where the files differ", async () => {
    const { commands, result } = await checked([1, 0], { proof: { isSame: false } });

    expect(commands.requests).toHaveLength(2);
    expect(result.final_judgment?.evaluations[0]?.is_flaky).toBeUndefined();
  });

  test("may have failed before the first work", async () => {
    const { commands, result } = await checked([1, 0, 0, 0, 0, 0, 0], { settings: { proof: "auto" } });

    expect(commands.requests.map(({ place }) => place !== undefined)).toEqual([
      ...[false, false, false, false],
      ...[true, true, true],
    ]);
    expect(result.proof?.checks).toMatchObject([{ is_flaky: true, passes: { passed: 3, needed: 3 } }]);
  });

  test("may have failed in the proof", async () => {
    let runs = 0;
    const { records } = await checked(({ place }) => (place && ++runs === 1 ? 1 : 0), {
      settings: { proof: "auto", if_green: "work" },
    });

    expect(recorded(records, "proof")).toMatchObject([
      { holds: false },
      { holds: true, checks: [{ is_flaky: true, passes: { passed: 3, needed: 3 } }] },
    ]);
  });
});

describe("`repeat`", () => {
  const often = { criteria: [{ command: "npm test", repeat: 2 }] };

  test("says how often a check must pass in a row, every time", async () => {
    const { commands, result } = await checked([0, 0], often);

    expect(commands.requests).toHaveLength(2);
    expect(result.final_judgment?.evaluations[0]).toMatchObject({ is_met: true, passes: { passed: 2, needed: 2 } });
    expect(result.final_judgment?.evaluations[0]?.is_flaky).toBeUndefined();
  });

  test("finds a check flaky that fails after it has passed", async () => {
    const { records } = await checked([0, 1, 0, 0], { ...often, proof: { isSame: false } });

    expect(recorded(records, "judgment")[0]?.evaluations[0]).toMatchObject({
      is_met: false,
      is_flaky: true,
      passes: { passed: 1, needed: 2 },
    });
  });

  test("takes the place of the three passes", async () => {
    const { commands, result } = await checked([1, 0], { criteria: [{ command: "npm test", repeat: 1 }] });

    expect(commands.requests).toHaveLength(2);
    expect(result.final_judgment?.evaluations[0]).toMatchObject({ is_met: true, is_flaky: true });
  });
});
