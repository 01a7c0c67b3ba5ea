import { describe, expect, test } from "vitest";
import { standsStill } from "../../src/judgment/standstill.ts";
import type { Evaluation } from "../../src/model/evaluation.ts";
import { message } from "../../src/model/message.ts";
import type { ExecutionSummary, JudgmentRecord } from "../../src/model/records.ts";

const exited = (seconds: number) => message("command_exited", { exit_code: 1, seconds });
const failing = {
  id: 1,
  is_met: false,
  source: "command",
  evidence: "4 failed in 3.1 s",
  outcome: exited(3.2),
} as const;

describe("an iteration stands still", () => {
  test("when no file changed and the same check failed alike, whatever the numbers in its output", () => {
    const before = judgment([failing]);
    const after = judgment([{ ...failing, evidence: "4 failed in 11.8 s", outcome: exited(11.9) }]);
    expect(standsStill(before, summary([]), after)).toBe(true);
  });

  test("when no file changed in the very first iteration", () => {
    expect(standsStill(null, summary([]), judgment([failing]))).toBe(true);
  });

  test("when the judge finds the same sentences unmet in other words", () => {
    const before = judgment([{ ...failing, source: "judge", evidence: "no README" }]);
    const after = judgment([{ ...failing, source: "judge", evidence: "the README is missing" }]);
    expect(standsStill(before, summary([]), after)).toBe(true);
  });
});

describe("an iteration moves", () => {
  test("when a file changed, even if everything fails as before", () => {
    expect(standsStill(judgment([failing]), summary(["a.ts"]), judgment([failing]))).toBe(false);
  });

  test("when a check fails in another way", () => {
    const others = [
      { ...failing, evidence: "cannot find module" },
      { ...failing, outcome: message("command_timed_out", { limit: { seconds: 3.2, setting: "timeout" } }) },
    ];
    for (const other of others) expect(standsStill(judgment([failing]), summary([]), judgment([other]))).toBe(false);
  });

  test("when other criteria are unmet than before", () => {
    expect(standsStill(judgment([failing]), summary([]), judgment([{ ...failing, id: 2 }]))).toBe(false);
    const both = judgment([failing, { ...failing, id: 2, source: "judge" }]);
    expect(standsStill(both, summary([]), judgment([failing, { ...failing, id: 2, is_met: true }]))).toBe(false);
  });

  test("when it is complete", () => {
    expect(standsStill(null, summary([]), { ...judgment([]), is_complete: true })).toBe(false);
  });
});

function judgment(
  evaluations: Pick<Evaluation, "id" | "is_met" | "source" | "evidence" | "outcome">[],
): JudgmentRecord {
  return {
    type: "judgment",
    iteration: 1,
    is_complete: false,
    evaluations: evaluations.map((one) => ({ criterion: "", confidence: 1, ...one })),
    overall_reason: "",
    suggested_next_action: null,
    timestamp: "2026-01-23T13:30:00.000Z",
  };
}

function summary(files_modified: string[]): ExecutionSummary {
  return {
    type: "summary",
    iteration: 1,
    approach: "",
    result: "success",
    reason: "",
    artifacts: [],
    metadata: { tools_used: [], files_modified, error_type: null, tokens_used: 0, strategy_tags: [] },
    next: null,
    timestamp: "2026-01-23T13:30:00.000Z",
  };
}
