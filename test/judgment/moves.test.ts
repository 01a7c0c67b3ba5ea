import { describe, expect, test } from "vitest";
import { nextMove, statusOf } from "../../src/judgment/moves.ts";
import type { JudgmentRecord } from "../../src/model/records.ts";
import { LoopStatus, StopReason } from "../../src/model/records.ts";
import { NOTHING_DONE, type RunState } from "../../src/model/state.ts";
import { NOTHING_SPENT as NO_USAGE } from "../../src/model/usage.ts";

const now = new Date("2026-01-23T13:30:00Z");
const NOTHING_SPENT = { ...NO_USAGE, now };
const noBudget = { cost_usd: null, tokens: null, minutes: null };
const limits = { max_iterations: 3, budget: noBudget, stall_limit: 2, until: null };

describe("what follows from the records", () => {
  test("nothing done: the first iteration", () => {
    expect(nextMove(NOTHING_DONE, NOTHING_SPENT, limits)).toEqual({ do: "work", iteration: 1 });
  });

  test("unjudged work is judged before anything else, even when every limit is reached", () => {
    const spent = { tokens: 9e9, cost_usd: 9e9, seconds: 9e9, now };
    const budget = { cost_usd: 1, tokens: 1, minutes: 1 };
    const state = { ...judgedAfter(3), judgment: judgment(2, false), standstill: 9 };
    expect(nextMove(state, spent, { ...limits, budget })).toEqual({ do: "conclude" });
  });

  test("a complete judgment ends the run as completed, even when every limit is reached", () => {
    const spent = { tokens: 9e9, cost_usd: 9e9, seconds: 9e9, now };
    const budget = { cost_usd: 1, tokens: 1, minutes: 1 };
    expect(nextMove(judgedAfter(3, true), spent, { ...limits, budget })).toEqual({
      do: "end",
      stop_reason: "criteria_met",
    });
  });

  test("an incomplete judgment below the limits: the next iteration", () => {
    expect(nextMove(judgedAfter(2), NOTHING_SPENT, limits)).toEqual({ do: "work", iteration: 3 });
  });

  test("[FR-010] the last iteration used up ends the run", () => {
    expect(nextMove(judgedAfter(3), NOTHING_SPENT, limits)).toEqual({ do: "end", stop_reason: "max_iterations" });
  });

  test.each([
    { name: "budget_cost", budget: { ...noBudget, cost_usd: 2 }, just: { cost_usd: 2 }, below: { cost_usd: 1.99 } },
    { name: "budget_tokens", budget: { ...noBudget, tokens: 100 }, just: { tokens: 100 }, below: { tokens: 99 } },
    { name: "budget_time", budget: { ...noBudget, minutes: 2 }, just: { seconds: 120 }, below: { seconds: 119 } },
  ])("$name ends the run when it is reached, not before", ({ name, budget, just, below }) => {
    const at = (spent: object) => nextMove(judgedAfter(1), { ...NOTHING_SPENT, ...spent }, { ...limits, budget });
    expect(at(just)).toEqual({ do: "end", stop_reason: name });
    expect(at(below)).toEqual({ do: "work", iteration: 2 });
  });

  test("the deadline ends the run when it has come, not before, and unjudged work is judged first", () => {
    const until = (moment: string) => nextMove(judgedAfter(1), NOTHING_SPENT, { ...limits, until: moment });
    expect(until("2026-01-23T13:30:00.000Z")).toEqual({ do: "end", stop_reason: "deadline" });
    expect(until("2026-01-23T13:30:00.001Z")).toEqual({ do: "work", iteration: 2 });
    const unjudged = { ...judgedAfter(2), judgment: judgment(1, false) };
    expect(nextMove(unjudged, NOTHING_SPENT, { ...limits, until: "2026-01-23T00:00:00.000Z" })).toEqual({
      do: "conclude",
    });
  });

  test("iterations in a row that changed nothing end the run, unless that limit is off", () => {
    const state = { ...judgedAfter(2), standstill: 2 };
    expect(nextMove(state, NOTHING_SPENT, limits)).toEqual({ do: "end", stop_reason: "stalled" });
    expect(nextMove(state, NOTHING_SPENT, { ...limits, stall_limit: null })).toEqual({ do: "work", iteration: 3 });
  });
});

test("every stop reason has a status, and every status can be reached", () => {
  expect(Object.keys(statusOf).sort()).toEqual([...StopReason.options].sort());
  expect(new Set(Object.values(statusOf))).toEqual(new Set(LoopStatus.options));
});

function judgedAfter(iterations: number, is_complete = false): RunState {
  return { ...NOTHING_DONE, iterations, judgment: judgment(iterations, is_complete) };
}

function judgment(iteration: number, is_complete: boolean): JudgmentRecord {
  return {
    type: "judgment",
    iteration,
    is_complete,
    evaluations: [],
    overall_reason: "",
    suggested_next_action: null,
    timestamp: "2026-01-23T13:30:00.000Z",
  };
}
