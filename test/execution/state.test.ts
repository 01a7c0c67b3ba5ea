import { describe, expect, test } from "vitest";
import { fold } from "../../src/execution/state.ts";
import { ExecutionSummary, type HistoryRecord, JudgmentRecord, LoopResult } from "../../src/model/records.ts";
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

  test("whoever starts a stalled run again gives it a new chance", () => {
    expect(folded(summary(1), judgment(1), summary(2), judgment(2), ending()).standstill).toBe(0);
  });
});

function folded(...records: HistoryRecord[]) {
  return records.reduce(fold, NOTHING_DONE);
}

function summary(iteration: number, artifacts: string[] = [], files_modified: string[] = []): HistoryRecord {
  const words = { approach: "", result: "failure", reason: "", timestamp };
  return ExecutionSummary.parse({ type: "summary", iteration, artifacts, metadata: { files_modified }, ...words });
}

function judgment(iteration: number): HistoryRecord {
  const verdict = { is_complete: false, evaluations: [], overall_reason: "" };
  return JudgmentRecord.parse({ type: "judgment", iteration, ...verdict, timestamp });
}

function ending(): HistoryRecord {
  const reason = { status: "stalled", stop_reason: "stalled", iterations_used: 2 };
  return LoopResult.parse({ type: "final_result", task_id: "2026-01-23T13-30-00", ...reason, timestamp });
}
