import { describe, expect, test } from "vitest";
import { acceptedAfterJudgment, standingAfterWork } from "../../src/judgment/accepted-evidence.ts";
import { JudgmentRecord } from "../../src/model/records.ts";
import { summary } from "../support/stored.ts";

describe("evidence that a judge accepts", () => {
  test.each([
    "src/search.ts answers in 40 ms",
    "README.md has a Testing section",
    "結果はdocs/設計.mdにある",
    "see `test/a.test.ts`.",
  ])("is kept if it names a file: %s", (evidence) => {
    expect(acceptedAfterJudgment([], judged({ evidence }))).toMatchObject([{ id: 1, evidence, iteration: 1 }]);
  });

  test.each(["the record says so", "coverage is 92.5 %", "it is fast, e.g. at home", ""])(
    "is not kept if it names none, because nobody could notice a change: %s",
    (evidence) => {
      expect(acceptedAfterJudgment([], judged({ evidence }))).toEqual([]);
    },
  );

  test("does not include what checks found: they run again", () => {
    expect(acceptedAfterJudgment([], judged({ evidence: "a.ts ok", source: "command" }))).toEqual([]);
  });

  test("is renewed by later evidence, and kept where the later names no file or nobody evaluated", () => {
    const first = acceptedAfterJudgment([], judged({ evidence: "a.ts has it" }));
    expect(acceptedAfterJudgment(first, judged({ evidence: "as before" }, 2))).toEqual(first);
    expect(acceptedAfterJudgment(first, judged({ evidence: "", is_met: false, source: "nobody" }, 2))).toEqual(first);
    expect(acceptedAfterJudgment(first, judged({ evidence: "b.ts has it" }, 2))).toMatchObject([
      { evidence: "b.ts has it", iteration: 2 },
    ]);
  });

  test("ends when the judge calls the criterion unmet", () => {
    const first = acceptedAfterJudgment([], judged({ evidence: "a.ts has it" }));
    expect(acceptedAfterJudgment(first, judged({ is_met: false, evidence: "a.ts lost it" }, 2))).toEqual([]);
  });
});

describe("after further work", () => {
  test.each([
    { evidence: "src/a.ts has it", changed: "src/a.ts" },
    { evidence: "a.ts has it", changed: "src/a.ts" },
    { evidence: "./src/a.ts, line 3", changed: "src/a.ts" },
    { evidence: "lib/b.ts uses what is in src/", changed: "src/deep/a.ts" },
    { evidence: "結果はREADME.mdにある", changed: "README.md" },
    { evidence: "b.ts, built by the Makefile", changed: "Makefile" },
    { evidence: "b.ts", changed: "/elsewhere/b.ts" },
  ])("evidence that names a changed file is gone: $evidence, $changed", ({ evidence, changed }) => {
    expect(standing(evidence, [changed])).toEqual([]);
  });

  test.each([
    { evidence: "src/a.ts has it", changed: "src/b.ts" },
    { evidence: "src/a.ts has it", changed: "src/a.tsx" },
    { evidence: "src/data.ts has it", changed: "a.ts" },
    { evidence: "src/a.ts has it", changed: "src/a" },
  ])("other evidence stands, with the files that were changed: $evidence, $changed", ({ evidence, changed }) => {
    expect(standing(evidence, [changed])).toMatchObject([{ iteration: 1, changed_since: [changed] }]);
  });

  test("evidence is gone if the criterion itself names the changed file", () => {
    const accepted = acceptedAfterJudgment([], judged({ criterion: "README.md is whole", evidence: "docs/a.md" }));
    expect(standingAfterWork(accepted, worked(["README.md"]))).toEqual([]);
  });

  test("no evidence stands when more files were changed than a record lists", () => {
    expect(
      standing(
        "a.ts",
        Array.from({ length: 100 }, (_, index) => `${index}.md`),
      ),
    ).toEqual([]);
  });
});

function standing(evidence: string, files: string[]) {
  return standingAfterWork(acceptedAfterJudgment([], judged({ evidence })), worked(files));
}

function worked(files_modified: string[]) {
  return summary(2, { metadata: { ...summary(2).metadata, files_modified } });
}

function judged(evaluation: object, iteration = 1): JudgmentRecord {
  const common = { id: 1, criterion: "It works", is_met: true, confidence: 1, source: "judge" };
  const verdict = { is_complete: false, evaluations: [{ ...common, ...evaluation }], overall_reason: "" };
  return JudgmentRecord.parse({ type: "judgment", iteration, ...verdict, timestamp: "2026-01-23T10:05:00Z" });
}
