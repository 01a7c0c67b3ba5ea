import { describe, expect, test } from "vitest";
import type { TaskStatus } from "../../src/connection/ports/task-store.ts";
import { type HistoryRecord, HistoryRecord as Record } from "../../src/model/records.ts";
import { Task } from "../../src/model/task.ts";
import type { Spender, Spending } from "../../src/model/usage.ts";
import { comparedRun, spentOn } from "../../src/orchestrator/compared.ts";
import { PLAIN_CONFIGURATION } from "../support/plain-configuration.ts";

const ID = "2026-01-23T13-30-00";

function at(second: number): string {
  return `2026-01-23T13:30:${String(second).padStart(2, "0")}.000Z`;
}

const PROGRAM: Spending = { ...spent("executor", 0, 0), unknown: ["tokens", "cost"] };

function spent(spender: Spender, tokens: number, cost_usd: number, second = 1): Spending {
  return { type: "spending", spender, iteration: 1, tokens, cost_usd, seconds: 2, timestamp: at(second) };
}

describe("what is not known of the spending is null, never 0", () => {
  test.each<[string, Spending[], ReturnType<typeof spentOn>]>([
    [
      "an agent that reports both",
      [spent("executor", 10, 0.5), spent("judge", 5, 0.1)],
      { tokens: 15, cost_usd: 0.6, least_cost_usd: 0.6 },
    ],
    ["a program that reports nothing", [PROGRAM], { tokens: null, cost_usd: null, least_cost_usd: 0 }],
    [
      "a program beside a judge whose cost is known",
      [PROGRAM, spent("judge", 5, 0.1)],
      { tokens: null, cost_usd: null, least_cost_usd: 0.1 },
    ],
    [
      "an agent with tokens and no price",
      [{ ...spent("executor", 10, 0), unknown: ["cost"] }],
      { tokens: 10, cost_usd: null, least_cost_usd: 0 },
    ],
    [
      "a judge without a price",
      [spent("executor", 10, 0.5), { ...spent("judge", 5, 0), unknown: ["cost"] }],
      { tokens: 15, cost_usd: null, least_cost_usd: 0.5 },
    ],
    ["an agent that costs nothing", [spent("executor", 10, 0)], { tokens: 10, cost_usd: 0, least_cost_usd: 0 }],
    [
      "checks, which cost nothing",
      [spent("executor", 10, 0.5), spent("checks", 0, 0)],
      { tokens: 10, cost_usd: 0.5, least_cost_usd: 0.5 },
    ],
    [
      "an agent that has said only a part",
      [{ ...spent("executor", 10, 0.5), unknown: ["tokens", "cost"] }],
      { tokens: null, cost_usd: null, least_cost_usd: 0.5 },
    ],
    ["nothing at all", [], { tokens: null, cost_usd: null, least_cost_usd: 0 }],
  ])("%s", (_name, spending, expected) => {
    expect(spentOn(spending)).toEqual(expected);
  });
});

const COMPARISON = {
  ...{ number: 2, of: 3, agent: "codex", base_commit: "abc" },
  finalize: { merge: true, push: false, create_pr: false },
};
const PLACE = { branch: "e8/x", base: "main", remote: null, base_commit: "abc", worktree: "/w", is_made: true };

function past(
  records: object[],
  { status = "interrupted" as TaskStatus, more = {}, spending = [] as Spending[] } = {},
) {
  const task = Task.parse({
    ...{ version: 1, task_id: ID, created_at: at(0), project: "/p", intake: null, answers: [] },
    configuration: { ...PLAIN_CONFIGURATION, task: "x", criteria: [{ type: "command", command: "true" }] },
    ...{ comparison: COMPARISON, place: PLACE, ...more },
  });
  const read: HistoryRecord[] = records.map((record) => Record.parse(record));
  const last = read.at(-1);
  const result = last?.type === "final_result" ? last : undefined;
  return { task, records: read, spending, status, result, iterations: 1 };
}

const MET = { id: 1, criterion: "`true` exits 0", is_met: true, evidence: "", confidence: 1 };

function ending(status: string, second: number, more: object = {}) {
  const final_judgment = { is_complete: true, evaluations: [MET], overall_reason: "", suggested_next_action: null };
  const stop_reason = status === "completed" ? "criteria_met" : "cancelled";
  const facts = { iterations_used: 4, usage: { tokens: 9, cost_usd: 1, seconds: 30 }, final_judgment };
  return { type: "final_result", task_id: ID, status, stop_reason, ...facts, timestamp: at(second), ...more };
}

const PROOF = { method: "clean-room", start: null, commit: null, checks: [], protected_changes: [] };

describe("a run of a comparison", () => {
  test("that was not begun has no time, tokens or cost to tell", () => {
    const run = comparedRun(past([], { more: { place: undefined } }), null);
    expect(run).toMatchObject({ status: "not_begun", criteria_met: 0, criteria: 1, tokens: null, cost_usd: null });
  });

  test("counts up to its completion: merging it later takes time and tokens that are not part of the comparison", () => {
    const completed = ending("completed", 10, { proof: PROOF, change_totals: { files: 1, added: 2, removed: 3 } });
    const spending = [spent("executor", 100, 1, 5), spent("executor", 900, 9, 15)];
    const run = comparedRun(past([completed, ending("cancelled", 20)], { status: "cancelled", spending }), "/w");

    expect(run).toMatchObject({
      ...{ number: 2, agent: "codex", status: "completed", stop_reason: "criteria_met", criteria_met: 1, criteria: 1 },
      ...{ proof: "clean-room", iterations: 4, seconds: 30, tokens: 100, cost_usd: 1, worktree: "/w" },
      changes: { files: 1, added: 2, removed: 3 },
    });
  });

  test("whose last claim was refuted says so", () => {
    const proof = {
      ...PROOF,
      type: "proof",
      iteration: 1,
      holds: false,
      evaluations: [MET],
      reasons: [],
      timestamp: at(5),
    };
    const run = comparedRun(past([proof, ending("max_iterations", 9)], { status: "max_iterations" }), "/w");
    expect(run).toMatchObject({ status: "max_iterations", proof: "refuted" });
  });

  test("whose branch was removed names the commit that keeps its work", () => {
    const run = comparedRun(past([ending("completed", 9)], { more: { place: { ...PLACE, tip: "def" } } }), null);
    expect(run).toMatchObject({ kept_commit: "def", worktree: null });
  });

  test("is none where a task is not part of a comparison", () => {
    expect(comparedRun(past([], { more: { comparison: undefined } }), null)).toBeUndefined();
  });
});
