import { describe, expect, test } from "vitest";
import { reportLines } from "../../src/cli/render/report.ts";
import { statusOf } from "../../src/judgment/moves.ts";
import { message } from "../../src/model/message.ts";
import type { Evaluation, LoopResult, StopReason } from "../../src/model/records.ts";
import { en } from "../../src/texts/en/catalogue.ts";
import { ja } from "../../src/texts/ja/catalogue.ts";

const ESCAPE = String.fromCharCode(27);
const NO_PERMISSION = message("no_permission", {});
const plain = (_: string, text: string) => text;

function result(stop_reason: StopReason, more: Partial<LoopResult> = {}): LoopResult {
  return {
    ...{ type: "final_result", task_id: "ID", status: statusOf[stop_reason], stop_reason, iterations_used: 3 },
    ...{
      final_judgment: null,
      artifacts: [],
      changed_files: [],
      change_totals: null,
      clarification_questions: [],
      history_path: "h",
      timestamp: "t",
    },
    ...{ error_code: null, error_message: null, error_details: null, hint: null },
    usage: { tokens: 1234, cost_usd: 0.333, seconds: 95 },
    ...more,
  };
}

describe("what to do next names the limit that was reached, and a higher value", () => {
  test.each<[StopReason, string]>([
    ["max_iterations", "-n 13"],
    ["budget_cost", "--max-cost 0.67"],
    ["budget_tokens", "--max-tokens 2468"],
    ["budget_time", "--max-time 4m"],
  ])("%s", (stop_reason, flag) => {
    const lines = reportLines(result(stop_reason), en, plain);

    expect(lines.at(-1)).toBe(`next: raise the limit: e8 run --resume ID ${flag}`);
  });

  test("as long as there is one", () => {
    const last = (iterations_used: number) =>
      reportLines(result("max_iterations", { iterations_used }), en, plain).at(-1);

    expect(last(95)).toContain("-n 100");
    expect(last(100)).toBe('next: a task has at most 100 iterations; start a new one: e8 run "…"');
  });
});

test.each([en, ja])(
  "$language: after a standstill, whoever goes on as told asks for no model that the task did without",
  (texts) => {
    const last = reportLines(result("stalled"), texts, plain).at(-1) ?? "";

    expect(last).toMatch(/: e8 run --resume ID$/);
    for (const words of ["e8 show ID", "--model", "--agent-command"]) expect(last).toContain(words);
  },
);

test("artifacts do not steer the terminal", () => {
  const artifacts = [`${ESCAPE}[2Jevil\u0007.txt`, "two\nlines"];
  const lines = reportLines(result("cancelled", { artifacts }), en, plain);

  expect(lines.slice(4, 6)).toEqual(["  evil.txt", "  two lines"]);
});

test("where artifacts may have been left out, it says so", () => {
  const artifacts = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`);
  const shown = (count: number) => reportLines(result("cancelled", { artifacts: artifacts(count) }), en, plain);

  expect(shown(100)).toContain("  there may be more; the record of an iteration names at most 100");
  expect(shown(99).join("\n")).not.toContain("there may be more");
});

test("lines are not counted where the record has none", () => {
  const shown = (output: string, is_cut: boolean) => {
    const found = { id: 1, criterion: "x", is_met: false, confidence: 1, source: "command" } as const;
    const evaluation: Evaluation = { ...found, outcome: NO_PERMISSION, evidence: output, is_cut };
    const final_judgment = { is_complete: false, evaluations: [evaluation], overall_reason: "" };
    return reportLines(
      result("cancelled", { final_judgment: { ...final_judgment, suggested_next_action: null } }),
      en,
      plain,
    );
  };

  const output = "y\n".repeat(20).trim();
  expect(shown(output, false)).toContain("      … 8 lines left out");
  expect(shown(output, true)).toContain("      … earlier lines left out");
});
