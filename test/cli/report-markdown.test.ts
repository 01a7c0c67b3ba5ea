import { describe, expect, test } from "vitest";
import { reportMarkdown } from "../../src/cli/render/report-markdown.ts";
import type { ReportData } from "../../src/model/dashboard.ts";
import { textsIn } from "../../src/texts/choose.ts";
import { diffOf } from "../support/page/diff.ts";
import { proofOf } from "../support/page/proof.ts";
import { runOf } from "../support/page/runs.ts";

const evidence = [
  {
    iteration: 8,
    id: 1,
    is_met: true,
    said: "exit code 0",
    quoted: "43 passed",
    is_cut: false,
    source: "command",
    confidence: 1,
  },
];

function dataOf(changes: Partial<ReportData["view"]> = {}, more: Partial<ReportData> = {}): ReportData {
  const view = { ...runOf(1, 8, false), proof: proofOf(8), ...changes };
  return {
    language: "en",
    made_at: "2026-03-04T10:00:00Z",
    view,
    evidence,
    diffs: [diffOf(0, 8, 3)],
    knowledge: [],
    ...more,
  };
}

describe("a run as a comment", () => {
  test("says its verdict, each criterion with its evidence, the proof, the cost and the changes", async () => {
    const text = reportMarkdown(dataOf(), await textsIn("en"));

    expect(text).toContain("## ✅ Done and proved");
    expect(text).toContain("**Criteria: 4 of 4 met**");
    expect(text).toContain("```text\nexit code 0\n43 passed\n```");
    expect(text).toContain("| npm test | failed | passed |");
    expect(text).toContain("8 iterations, $0.42, 82k tokens, 11 min 20 s");
    expect(text).toContain("Changes: 4 files, +22 −6");
  });

  test("says that a run is not done, or was done without a proof", async () => {
    const { proof: _, ...unproved } = dataOf().view;
    const texts = await textsIn("en");

    expect(reportMarkdown(dataOf({ status: "stalled" }), texts)).toContain("## ❌ Not done: ");
    expect(reportMarkdown({ ...dataOf(), view: unproved }, texts)).toContain("## ⚠️ Done, without a proof");
  });

  test("has the questions that are open, and what went wrong", async () => {
    const question = {
      question: "Which *rounding*?",
      context: "Two modules differ.",
      suggested_answers: ["up", "even"],
    };
    const asked = reportMarkdown(
      dataOf({ status: "clarification_needed", questions: [question] }),
      await textsIn("en"),
    );
    const { result } = dataOf().view;
    const failed = { ...result, error_message: "The agent is not signed in.", hint: "Sign in." } as typeof result;

    expect(asked).toContain("1. Which \\*rounding\\*?  \n   Two modules differ.  \n   Suggested: up / even");
    expect(
      reportMarkdown(dataOf({ status: "error", ...(failed && { result: failed }) }), await textsIn("en")),
    ).toContain("The agent is not signed in.  \nSign in.");
  });

  test("shows what agents and files say as text: no markup, no mention, no link, no end of its fence", async () => {
    const task = "<img src=x> @somebody see https://evil.example [here](https://evil.example) | `code`\n## A heading";
    const quoted = "```\n</details><b>\u202Eevil";
    const [one] = evidence;
    const text = reportMarkdown(dataOf({ task }, { evidence: one ? [{ ...one, quoted }] : [] }), await textsIn("en"));

    expect(text).toContain("> \\<img src=x\\>");
    expect(text).not.toMatch(/@somebody|https:\/\/evil|\]\(|^## A/m);
    expect(text).toContain("````text\nexit code 0\n```\n</details><b><U+202E>evil\n````");
  });

  test("is there in Japanese", async () => {
    expect(reportMarkdown(dataOf(), await textsIn("ja"))).toContain("**完了条件：4 件のうち 4 件を達成**");
  });
});
