import { describe, expect, test } from "vitest";
import { type ReportStyle, reportLines } from "../../src/cli/render/report.ts";
import { statusOf } from "../../src/judgment/moves.ts";
import { type ChangedFile, totalsOf } from "../../src/model/changes.ts";
import type { Evaluation } from "../../src/model/evaluation.ts";
import { message } from "../../src/model/message.ts";
import type { LoopResult, StopReason } from "../../src/model/records.ts";
import { en } from "../../src/texts/en/catalogue.ts";
import { ja } from "../../src/texts/ja/catalogue.ts";

const ESCAPE = String.fromCharCode(27);
const NO_PERMISSION = message("no_permission", {});
const TIMESTAMP = "2026-01-24T07:00:03.000Z";
const paint = (_: string, text: string) => text;
const ENGLISH = { texts: en, paint, project: "/code/my project", from: "/code" };

function result(stop_reason: StopReason, more: Partial<LoopResult> = {}): LoopResult {
  return {
    ...{ type: "final_result", task_id: "ID", status: statusOf[stop_reason], stop_reason, iterations_used: 3 },
    ...{
      final_judgment: null,
      proof: null,
      landing: null,
      artifacts: [],
      changed_files: [],
      change_totals: null,
      clarification_questions: [],
      history_path: "h",
      timestamp: TIMESTAMP,
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
    ["deadline", `--until ${new Date(TIMESTAMP).toTimeString().slice(0, 5)}`],
  ])("%s", (stop_reason, flag) => {
    const lines = reportLines(result(stop_reason), ENGLISH);

    expect(lines.at(-1)).toBe(`next: raise the limit: e8 run --resume ID ${flag}`);
  });

  test("as long as there is one", () => {
    const last = (iterations_used: number) =>
      reportLines(result("max_iterations", { iterations_used }), ENGLISH).at(-1);

    expect(last(995)).toContain("-n 1000");
    expect(last(1000)).toBe('next: a task has at most 1000 iterations; start a new one: e8 run "…"');
  });
});

test.each([en, ja])(
  "$language: after a standstill, whoever goes on as told asks for no model that the task did without",
  (texts) => {
    const last = reportLines(result("stalled"), { ...ENGLISH, texts }).at(-1) ?? "";

    expect(last).toMatch(/[:：] ?e8 run --resume ID$/);
    for (const words of ["e8 show ID", "--model", "--agent-command"]) expect(last).toContain(words);
  },
);

const changed = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  ...{ path, status: "modified", added: 2, removed: 1 },
  ...more,
});

function told(files: ChangedFile[], more: Partial<LoopResult> = {}, style: Partial<ReportStyle> = {}): string[] {
  const totals = { changed_files: files, change_totals: totalsOf(files) };
  return reportLines(result("criteria_met", { ...totals, ...more }), { ...ENGLISH, ...style });
}

describe("what changed", () => {
  test("is the files with their lines, in paths that can be pasted where the reader is", () => {
    const files = [
      changed("src/a.ts"),
      changed("new one.ts", { status: "added", removed: 0 }),
      changed("logo.png", { status: "deleted", added: null, removed: null }),
      changed("/etc/hosts", { status: null, added: null, removed: null }),
    ];

    expect(told(files).slice(0, 5)).toEqual([
      "files changed: 4, +4 −1",
      "  changed  'my project/src/a.ts'    +2 −1",
      "  new      'my project/new one.ts'  +2",
      "  deleted  'my project/logo.png'",
      "           /etc/hosts",
    ]);
    expect(told(files, {}, { from: "/code/my project" })[1]).toMatch(/^ {2}changed {2}src\/a\.ts +\+2 −1$/);
  });

  test("is a short list, and says how many are left out", () => {
    const files = Array.from({ length: 22 }, (_, index) => changed(`${index}.txt`));

    expect(told(files).slice(0, 12)).toContainEqual("  and 12 more");
    expect(told(files).filter((line) => line.includes(".txt"))).toHaveLength(10);
  });

  test("counts files that the record leaves out", () => {
    const change_totals = { files: 1500, added: 9000, removed: 0 };

    const lines = told([changed("a.txt")], { change_totals });

    expect(lines.slice(0, 3)).toEqual([
      "files changed: 1500, +9000",
      expect.stringContaining("a.txt"),
      "  and 1499 more",
    ]);
  });

  test("is nothing, where nothing changed", () => {
    expect(told([])[0]).toBe("no file changed");
  });
});

describe("what the worker claims", () => {
  const output = ".e8/tasks/ID/output.md";

  test("is not told again where it has really changed", () => {
    const lines = told([changed("src/a.ts")], { artifacts: ["src/a.ts", "/code/my project/src/a.ts", output] });

    expect(lines.join("\n")).not.toContain("claimed");
    expect(lines).toContain("the worker's last text: 'my project/.e8/tasks/ID/output.md'");
  });

  test("is called a claim where no change was seen", () => {
    const lines = told([], { artifacts: ["src/b.ts", ...Array.from({ length: 9 }, (_, index) => `${index}.txt`)] });

    expect(lines.slice(1, 8)).toEqual([
      "claimed by the worker, but not seen to change:",
      ...["  src/b.ts", "  0.txt", "  1.txt", "  2.txt", "  3.txt", "  and 5 more"],
    ]);
  });

  test("is all there is in a record of the version before", () => {
    const lines = reportLines(result("cancelled", { artifacts: ["a.txt"] }), ENGLISH);

    expect(lines.slice(0, 2)).toEqual(["claimed by the worker:", "  a.txt"]);
  });

  test("does not steer the terminal, and neither do names of files", () => {
    const hostile = `${ESCAPE}[2Jevil\u0007.txt`;
    const lines = told([changed(hostile), changed("two\nlines")], { artifacts: [hostile, "two\nlines again"] });

    expect(lines.slice(0, 5).join("|")).not.toMatch(/\p{Cc}/u);
    expect(lines.slice(1, 3)).toEqual([expect.stringContaining("evil.txt"), expect.stringContaining("two lines")]);
  });
});

test.each([en, ja])("$language: the verdict comes last, and after it only what to do next", (texts) => {
  const lines = (stop_reason: StopReason) =>
    reportLines(result(stop_reason, { artifacts: ["x"] }), { ...ENGLISH, texts });

  expect(lines("criteria_met").at(-1)).toContain(texts.stop.criteria_met);
  expect(lines("max_iterations").at(-2)).toContain(texts.stop.max_iterations);
});

test("lines are not counted where the record has none", () => {
  const shown = (output: string, is_cut: boolean) => {
    const found = { id: 1, criterion: "x", is_met: false, confidence: 1, source: "command" } as const;
    const evaluation: Evaluation = { ...found, outcome: NO_PERMISSION, evidence: output, is_cut };
    const final_judgment = { is_complete: false, evaluations: [evaluation], overall_reason: "" };
    return reportLines(
      result("cancelled", { final_judgment: { ...final_judgment, suggested_next_action: null } }),
      ENGLISH,
    );
  };

  const output = "y\n".repeat(20).trim();
  expect(shown(output, false)).toContain("      … 8 lines left out");
  expect(shown(output, true)).toContain("      … earlier lines left out");
});
