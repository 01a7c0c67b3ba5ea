import { expect, test } from "vitest";
import { Evaluation } from "../../src/model/evaluation.ts";
import { message } from "../../src/model/message.ts";
import { ExecutionSummary, Judgment, LoopResult } from "../../src/model/records.ts";
import { evaluationText, judgmentReason, readableResult, readableSummary } from "../../src/texts/readable.ts";

const denied = message("no_permission", {});
const quoted = "expected '[… cut …]'\nbut got '［… 省略 …］'";

function evaluation(more: Partial<Evaluation>): Evaluation {
  return { id: 1, criterion: "x", is_met: false, evidence: quoted, confidence: 1, source: "command", ...more };
}

test("a check says how it ended in the reader's language, and quotes its output unchanged", () => {
  expect(evaluationText(evaluation({ outcome: denied }), "en")).toBe(`no permission; output ends with:\n${quoted}`);
  expect(evaluationText(evaluation({ outcome: denied }), "ja")).toBe(`権限がありません。出力の末尾：\n${quoted}`);
  expect(evaluationText(evaluation({ outcome: denied, evidence: "" }), "en")).toBe("no permission");
});

test("a cut is marked outside of the quotation, where something is missing", () => {
  const ofCommand = evaluation({ outcome: denied, is_cut: true });

  expect(evaluationText(ofCommand, "en")).toBe(`no permission; output ends with:\n[… cut …]\n${quoted}`);
  expect(evaluationText({ ...ofCommand, source: "files" }, "ja")).toBe(`権限がありません：\n${quoted}\n［… 省略 …］`);
});

test("the judge's words stand behind our objection to them", () => {
  expect(evaluationText(evaluation({ outcome: denied, source: "judge", evidence: "it is done" }), "en")).toBe(
    "no permission it is done",
  );
});

test("our reasons come before the judge's", () => {
  const judgment = { is_complete: false, evaluations: [], suggested_next_action: null };

  expect(judgmentReason(Judgment.parse({ ...judgment, overall_reason: "Why.", reasons: [denied] }), "ja")).toBe(
    "権限がありません Why.",
  );
  expect(judgmentReason(Judgment.parse({ ...judgment, overall_reason: "" }), "en")).toBe("");
});

test("a worker that failed is summarized by its failure and its own last words", () => {
  const summary = ExecutionSummary.parse({
    ...{ type: "summary", iteration: 1, approach: "", result: "error", reason: "I was about to", timestamp: "t" },
    ...{ failure: denied, is_cut: true },
  });

  expect(readableSummary(summary, "en")).toMatchObject({
    approach: "no permission",
    reason: "[… cut …]\nno permission\n\nI was about to",
  });
});

test("records of the version before are read as they were written", () => {
  const old = Evaluation.parse({
    ...evaluation({ evidence: "終了コード 3（0.1 秒）" }),
    wordings: [{ en: "exit code 3 after 0.1 s", ja: "終了コード 3（0.1 秒）" }],
  });
  const ending = {
    type: "final_result",
    task_id: "t",
    status: "error",
    stop_reason: "error",
    iterations_used: 1,
    timestamp: "t",
  };
  const result = LoopResult.parse({
    ...ending,
    error_code: "of_another_version",
    error_message: "Oh no.",
    hint: "Wait.",
  });

  expect(evaluationText(old, "en")).toBe(old.evidence);
  expect(readableResult(result, "ja")).toMatchObject({ error_message: "Oh no.", hint: "Wait." });
});

test("a result says its error in the reader's language, also with causes that hold both languages", () => {
  const result = LoopResult.parse({
    ...{
      type: "final_result",
      task_id: "t",
      status: "error",
      stop_reason: "error",
      iterations_used: 1,
      timestamp: "t",
    },
    ...{ error_code: "billing", error_details: { message: { en: "no money", ja: "残高がありません" } } },
  });

  expect(readableResult(result, "en").error_message).toBe("The account cannot pay: no money");
  expect(readableResult(result, "ja").error_message).toContain("残高がありません");
  expect(readableResult({ ...result, error_code: null }, "en")).toMatchObject({ error_message: null, hint: null });
});
