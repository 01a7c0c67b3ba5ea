import { describe, expect, test } from "vitest";
import { gapsIn, type ReviewQuestions, reviewOf, unfoundIn } from "../../../src/judgment/proof/review.ts";
import { ReviewerResult } from "../../../src/model/roles.ts";

const QUESTIONS: ReviewQuestions = {
  criteria: [{ id: 2, criterion: "The page greets the user" }],
  protected_files: ["test/a.test.js"],
  asks_ignored: false,
  is_untouched: false,
  own_words: ["Rename greet()\n  and update the tests", "The page greets the user"],
};
const MET = { id: 2, is_met: true, file: "page.html", line: 1, quote: "Hello" };
const DEMANDED = {
  file: "test/a.test.js",
  line: 1,
  quote: "welcome()",
  is_demanded: true,
  demand: "and update the tests",
};

const answer = (parts: object = {}) =>
  ReviewerResult.parse({ findings: [], criteria: [MET], protected_files: [DEMANDED], ...parts });
const everywhere = () => ({ side: "after", line: 1, is_changed: true }) as const;
const nowhere = () => undefined;

describe("an answer", () => {
  test("that answers everything once has no gap", () => {
    expect(gapsIn(answer(), QUESTIONS)).toEqual([]);
    expect(gapsIn(answer({ criteria: [MET, { ...MET, quote: "Hi" }] }), QUESTIONS)).toEqual([]);
  });

  test.each([
    ["leaves out a criterion", { criteria: [] }, "review_criterion_skipped"],
    ["has another number", { criteria: [{ ...MET, id: 1 }] }, "review_criterion_skipped"],
    ["contradicts itself", { criteria: [MET, { ...MET, is_met: false }] }, "review_criterion_contradicted"],
    ["leaves out a protected file", { protected_files: [] }, "review_file_skipped"],
    [
      "says both of a file",
      { protected_files: [DEMANDED, { ...DEMANDED, is_demanded: false }] },
      "review_file_contradicted",
    ],
  ])("that %s has one", (_, parts, code) => {
    expect(gapsIn(answer(parts), QUESTIONS).map((one) => one.code)).toEqual([code]);
  });

  test("must say what the ignored files are, where it was asked", () => {
    const asked = { ...QUESTIONS, asks_ignored: true };
    expect(gapsIn(answer(), asked)).toEqual([{ code: "review_ignored_skipped", params: {} }]);
    expect(gapsIn(answer({ ignored_files: { is_build: false } }), asked)).toEqual([]);
  });
});

describe("a review", () => {
  test("says of each quotation whether it was found", () => {
    const finding = { kind: "special_case", file: "a.js", line: 2, quote: "if (n === 3)", explanation: "for the test" };
    const found = reviewOf("m", { answer: answer({ findings: [finding] }) }, QUESTIONS, everywhere);
    expect(found).toMatchObject({
      model: "m",
      findings: [{ ...finding, is_verified: true }],
      criteria: [{ id: 2, criterion: "The page greets the user", is_verified: true }],
      protected_files: [{ is_verified: true, is_demand_verified: true }],
      ignored_files: null,
    });
    expect(unfoundIn(found)).toEqual([]);

    const missing = reviewOf("m", { answer: answer({ findings: [finding] }) }, QUESTIONS, nowhere);
    expect(missing.findings).toMatchObject([{ is_verified: false }]);
    expect(unfoundIn(missing).map(({ code }) => code)).toEqual(Array(3).fill("review_quote_missing"));
  });

  test("does not object to quotations that are not needed", () => {
    const refusing = answer({
      criteria: [{ ...MET, is_met: false }],
      protected_files: [{ ...DEMANDED, is_demanded: false, demand: "" }],
    });
    expect(unfoundIn(reviewOf("m", { answer: refusing }, QUESTIONS, nowhere))).toEqual([]);
  });

  test("takes a change for demanded only if the quoted line has changed", () => {
    const unchanged = () => ({ side: "after", line: 1, is_changed: false }) as const;
    expect(reviewOf("m", { answer: answer() }, QUESTIONS, unchanged).protected_files).toMatchObject([
      { is_verified: false },
    ]);
  });

  test.each([
    ["Rename greet() and update the tests", true],
    ["update the tests", true],
    ["delete the tests", false],
    ["", false],
    ["a", false],
  ])("looks for the demand %j in the user's own words", (demand, is_demand_verified) => {
    const demanding = answer({ protected_files: [{ ...DEMANDED, demand }] });
    expect(reviewOf("m", { answer: demanding }, QUESTIONS, everywhere).protected_files).toMatchObject([
      { is_demand_verified },
    ]);
  });

  test("keeps nothing about criteria and files that it was not asked about", () => {
    const talkative = answer({
      criteria: [MET, { ...MET, id: 9 }],
      protected_files: [DEMANDED, { ...DEMANDED, file: "other.js" }],
      ignored_files: { is_build: true },
    });
    const found = reviewOf("m", { answer: talkative }, QUESTIONS, everywhere);
    expect([found.criteria.length, found.protected_files.length, found.ignored_files]).toEqual([1, 1, null]);
  });

  test("cuts long quotations in the record, after they were looked up", () => {
    const quote = "x".repeat(10_000);
    const found = reviewOf("m", { answer: answer({ criteria: [{ ...MET, quote }] }) }, QUESTIONS, (one) =>
      one.quote === quote ? everywhere() : undefined,
    );
    expect(found.criteria[0]).toMatchObject({ is_verified: true });
    expect(found.criteria[0]?.quote.length).toBeLessThan(3_000);
  });
});
