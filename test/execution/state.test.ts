import { describe, expect, test } from "vitest";
import { fold, recover } from "../../src/execution/state.ts";
import {
  EffectRecord,
  ExecutionSummary,
  type HistoryRecord,
  JudgmentRecord,
  LoopResult,
} from "../../src/model/records.ts";
import { NOTHING_DONE } from "../../src/model/state.ts";

const timestamp = "2026-01-23T13:30:00.000Z";

describe("folding records", () => {
  test("the last summary and the last judgment stand", () => {
    const state = folded(summary(1), judgment(1), summary(2), judgment(2), summary(3));
    expect(state.iterations).toBe(3);
    expect(state.summary?.iteration).toBe(3);
    expect(state.judgment?.iteration).toBe(2);
  });

  test("artifacts of all iterations are collected once each, the newest 200 of them", () => {
    expect(folded(summary(1, ["a", "b"]), summary(2, ["b", "c"])).artifacts).toEqual(["a", "b", "c"]);
    const many = Array.from({ length: 250 }, (_, index) => `file ${index}`);
    const { artifacts } = folded(summary(1, many.slice(0, 100)), summary(2, many.slice(100)));
    expect(artifacts).toEqual(many.slice(50));
  });

  test("iterations without a change are counted until one moves", () => {
    expect(folded(summary(1), judgment(1), summary(2), judgment(2)).standstill).toBe(2);
    expect(folded(summary(1), judgment(1), summary(2, [], ["a.ts"]), judgment(2)).standstill).toBe(0);
  });

  test("a stalled run that is started again gets a new chance", () => {
    expect(folded(summary(1), judgment(1), summary(2), judgment(2), ending()).standstill).toBe(0);
  });

  test("each effect stands as its last record says", () => {
    const { effects } = folded(effect("a", "begun"), effect("a", "failed"), effect("b", "begun"), effect("a", "done"));
    expect(effects).toEqual({ a: "done", b: "begun" });
  });
});

describe("recovering a task from its records", () => {
  test("nothing recorded is nothing done", async () => {
    expect(await recovered([])).toEqual({ state: NOTHING_DONE });
  });

  test("work without a judgment is left to be judged", async () => {
    const { state, unconfirmed } = await recovered([summary(1), judgment(1), summary(2)]);
    expect(state).toEqual(folded(summary(1), judgment(1), summary(2)));
    expect(unconfirmed).toBeUndefined();
  });

  test("a verdict that completes the work is judged again where its run was cut off before the end", async () => {
    const records = [summary(1), judgment(1), summary(2), judgment(2, true)];
    const { state, unconfirmed, result } = await recovered(records);
    expect(state).toEqual(folded(...records.slice(0, -1)));
    expect({ unconfirmed, result }).toEqual({ unconfirmed: 2, result: undefined });
  });

  test("a verdict that does not complete the work stands", async () => {
    expect(await recovered([summary(1), judgment(1)])).toMatchObject({ state: { judgment: { iteration: 1 } } });
  });

  test.each(["begun", "done", "failed"] as const)("a verdict stands once an effect is %s", async (stage) => {
    const records = [summary(1), judgment(1, true), effect("issue/7/close", stage)];
    expect(await recovered(records)).toEqual({ state: folded(...records) });
  });

  test("a verdict stands where a task of an earlier version had begun its boundary hook", async () => {
    const records = [summary(1), judgment(1, true)];
    expect(await recovered(records, true)).toEqual({ state: folded(...records) });
  });

  test("a verdict stands once its run has ended, and the end is known", async () => {
    const { state, unconfirmed, result } = await recovered([summary(1), judgment(1, true), ending()]);
    expect(state.judgment?.is_complete).toBe(true);
    expect(unconfirmed).toBeUndefined();
    expect(result?.status).toBe("stalled");
  });

  test("a run that went on after an end has not ended; the earlier end is still known", async () => {
    const { result, state } = await recovered([summary(1), judgment(1), ending(), summary(2)]);
    expect(result).toBeUndefined();
    expect(state.ended).toEqual({ usage: { tokens: 0, cost_usd: 0, seconds: 0 }, timestamp });
  });
});

function recovered(records: readonly HistoryRecord[], effectsBegun = false) {
  return recover({ records }, effectsBegun);
}

function folded(...records: HistoryRecord[]) {
  return records.reduce(fold, NOTHING_DONE);
}

function summary(iteration: number, artifacts: string[] = [], files_modified: string[] = []): HistoryRecord {
  const words = { approach: "", result: "failure", reason: "", timestamp };
  return ExecutionSummary.parse({ type: "summary", iteration, artifacts, metadata: { files_modified }, ...words });
}

function judgment(iteration: number, is_complete = false): HistoryRecord {
  const verdict = { is_complete, evaluations: [], overall_reason: "" };
  return JudgmentRecord.parse({ type: "judgment", iteration, ...verdict, timestamp });
}

function effect(key: string, stage: "begun" | "done" | "failed"): HistoryRecord {
  return EffectRecord.parse({ type: "effect", key, stage, what: key, timestamp });
}

function ending(): HistoryRecord {
  const reason = { status: "stalled", stop_reason: "stalled", iterations_used: 2 };
  return LoopResult.parse({ type: "final_result", task_id: "2026-01-23T13-30-00", ...reason, timestamp });
}
