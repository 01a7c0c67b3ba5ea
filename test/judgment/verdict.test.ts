import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JudgeAnswer } from "../../src/judgment/judges.ts";
import { decide, type Evidence } from "../../src/judgment/verdict.ts";
import { type Criterion, criterionText } from "../../src/model/criterion.ts";
import type { Evaluation } from "../../src/model/evaluation.ts";
import { message } from "../../src/model/message.ts";
import type { JudgeEvaluation, JudgmentResult } from "../../src/model/roles.ts";
import { teller } from "../../src/texts/tell.ts";
import { saying as says } from "../support/saying.ts";

describe("whatever the judge says [FR-008]", () => {
  test("a complete task has no criterion that is unmet, unevaluated, evidence-free or contradicted", () => {
    fc.assert(
      fc.property(situations, ({ criteria, evidence }) => {
        fc.pre(decide(criteria, evidence).is_complete);
        expect(criteria).not.toEqual([]);
        for (const [index, criterion] of criteria.entries()) {
          if (criterion.type === "command") expect(checkOf(evidence, index + 1)?.is_met).toBe(true);
          else expectPlainYes(criteria, index + 1, evidence.judges?.[0]?.answer?.evaluations ?? []);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("is_complete beside any unmet evaluation never completes", () => {
    fc.assert(
      fc.property(situations, ({ criteria, evidence }) => {
        fc.pre(
          evidence.judges?.[0]?.answer?.evaluations.some(({ is_met }) => !is_met) === true && hasSemantic(criteria),
        );
        expect(decide(criteria, evidence).is_complete).toBe(false);
      }),
    );
  });

  test("a sentence criterion never completes unless the judge calls the whole complete", () => {
    fc.assert(
      fc.property(honestSituations, ({ criteria, evidence }) => {
        fc.pre(hasSemantic(criteria));
        const judge = { ...answerOf(evidence), is_complete: false };
        const judgment = decide(criteria, { ...evidence, judges: by(judge) });
        expect(judgment.is_complete).toBe(false);
        expect(judgment.evaluations.every(({ is_met }) => is_met)).toBe(true);
        expect(judgment.reasons).toContainEqual(message("judge_withheld", {}));
        expect(judgment.overall_reason).toBe(judge.overall_reason);
      }),
    );
  });

  test("every criterion gets exactly one evaluation, in the user's order", () => {
    fc.assert(
      fc.property(situations, ({ criteria, evidence }) => {
        const { evaluations } = decide(criteria, evidence);
        expect(evaluations.map(({ id }) => id)).toEqual(criteria.map((_, index) => index + 1));
      }),
    );
  });
});

describe("an honest judge", () => {
  test("completes a task all of whose criteria are met, whatever they are", () => {
    fc.assert(
      fc.property(honestSituations, ({ criteria, evidence }) => {
        expect(decide(criteria, evidence).is_complete).toBe(true);
      }),
    );
  });

  test("may answer in another order and in other words", () => {
    fc.assert(
      fc.property(honestSituations, fc.infiniteStream(fc.nat()), fc.boolean(), (situation, numbers, is_met) => {
        const { criteria, evidence } = situation;
        const judge = answerOf(evidence);
        const evaluations = judge.evaluations.map((one, index) => ({ ...one, is_met: index > 0 || is_met }));
        const reworded = evaluations
          .map((one) => ({
            order: numbers.next().value,
            one: { ...one, criterion: `in other words: ${one.criterion}` },
          }))
          .sort((left, right) => left.order - right.order)
          .map(({ one }) => one);
        const plain = decide(criteria, { ...evidence, judges: by({ ...judge, evaluations }) });
        const changed = decide(criteria, { ...evidence, judges: by({ ...judge, evaluations: reworded }) });
        expect(changed).toEqual(plain);
      }),
    );
  });
});

test("one check is not spoken of as many, in either language", () => {
  const tell = [teller("en"), teller("ja")];
  const passed = message("checks_passed", { count: 1 });
  expect(tell.map((say) => say(passed))).toEqual(["The check passed.", "チェックは成功しました。"]);
  const failed = message("checks_failed", { failed: 1, count: 1 });
  expect(tell.map((say) => say(failed))).toEqual(["The check failed.", "チェックは失敗しました。"]);
  expect(teller("ja")(message("checks_failed", { failed: 1, count: 2 }))).toBe("2 件中 1 件のチェックが失敗しました。");
});

describe("pessimism", () => {
  const two: Criterion[] = [
    { type: "semantic", text: "The README is clear" },
    { type: "semantic", text: "The tests pass" },
  ];

  test("an empty list of criteria is never complete", () => {
    const judge = { is_complete: true, evaluations: [], overall_reason: "all good", suggested_next_action: null };
    expect(decide([], { checks: [], judges: by(judge) }).is_complete).toBe(false);
  });

  test("a criterion that the judge passed over is unmet, and the record says that it was not evaluated", () => {
    const judgment = decide(two, { checks: [], judges: by(saying(yes(1))) });
    expect(judgment.is_complete).toBe(false);
    expect(judgment.evaluations[1]).toMatchObject({
      is_met: false,
      source: "nobody",
      evidence: "",
      outcome: says("did not evaluate this criterion"),
    });
  });

  test("met without evidence is unmet", () => {
    const judgment = decide(two, { checks: [], judges: by(saying(yes(1), { ...yes(2), evidence: " \n" })) });
    expect(judgment.evaluations[1]).toMatchObject({
      is_met: false,
      confidence: 0,
      evidence: "",
      outcome: says("without any evidence"),
    });
  });

  test("met and unmet at once is unmet, and both pieces of evidence are kept", () => {
    const no = { ...yes(2), is_met: false, evidence: "one test fails" };
    const judgment = decide(two, { checks: [], judges: by(saying(yes(1), yes(2), no)) });
    expect(judgment.evaluations[1]).toMatchObject({
      is_met: false,
      evidence: "seen one test fails",
      outcome: says("contradict each other"),
    });
  });

  test("a number with another criterion's exact text speaks for neither", () => {
    const crossed = { ...yes(1), criterion: "the  TESTS pass" };
    const judgment = decide(two, { checks: [], judges: by(saying(crossed, yes(2))) });
    expect(judgment.evaluations.map(({ is_met }) => is_met)).toEqual([false, false]);
  });

  test("a number with a check's exact text does not speak for the sentence of that number", () => {
    const criteria: Criterion[] = [
      { type: "semantic", text: "The README is clear" },
      { type: "command", command: "npm test", description: "The tests pass" },
    ];
    const aboutTheCheck = { ...yes(1), criterion: "The tests pass", evidence: "12 passed" };
    const judgment = decide(criteria, { checks: [check(2, true)], judges: by(saying(aboutTheCheck)) });
    expect(judgment.is_complete).toBe(false);
  });

  test("a judge cannot overrule a failed check", () => {
    const criteria: Criterion[] = [
      { type: "semantic", text: "Clear" },
      { type: "command", command: "npm test" },
    ];
    const judgment = decide(criteria, { checks: [check(2, false)], judges: by(saying(yes(1), yes(2))) });
    expect(judgment.is_complete).toBe(false);
    expect(judgment.evaluations[1]).toMatchObject({ is_met: false, source: "command" });
    expect(judgment.reasons).toEqual([message("checks_failed", { failed: 1, count: 1 })]);
    expect(judgment.overall_reason).toBe("looked");
  });

  test("a judge that gave no usable answer leaves everything unmet and says why", () => {
    const judgment = decide(two, { checks: [], judge_problem: "it stayed silent" });
    expect(judgment.is_complete).toBe(false);
    expect(judgment.reasons).toEqual([says("The judge gave no usable answer: it stayed silent.")]);
    expect(judgment.overall_reason).toBe("");
  });
});

const texts = fc.constantFrom("The tests pass", "The README is clear", "テストが通る", "`npm test` exits 0");
const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  texts.map((text) => ({ type: "semantic" as const, text })),
  fc.record({ type: fc.constant("command" as const), command: fc.constant("npm test") }),
  texts.map((description) => ({ type: "command" as const, command: "make", description, hidden: true })),
);

const judgeEvaluation: fc.Arbitrary<JudgeEvaluation> = fc.record({
  id: fc.integer({ min: -1, max: 5 }),
  criterion: fc.oneof(texts, fc.string()),
  is_met: fc.boolean(),
  evidence: fc.constantFrom("", "  ", "seen", "also seen"),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
});

const judgeAnswer: fc.Arbitrary<JudgmentResult> = fc.record({
  is_complete: fc.boolean(),
  evaluations: fc.array(judgeEvaluation, { maxLength: 8 }),
  overall_reason: fc.string(),
  suggested_next_action: fc.option(fc.string()),
});

/** An answer that is nearly right more often than chance would make it. */
function nearlyRight(criteria: readonly Criterion[]): fc.Arbitrary<JudgmentResult> {
  const evaluations = fc.tuple(
    ...criteria.map((one, index) =>
      fc.record({
        id: fc.constant(index + 1),
        criterion: fc.oneof(fc.constant(criterionText(one)), texts, fc.constant("")),
        is_met: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() }),
        evidence: fc.oneof({ weight: 9, arbitrary: fc.constant("seen") }, { weight: 1, arbitrary: fc.constant("") }),
        confidence: fc.constant(0.8),
      }),
    ),
  );
  const extra = fc.oneof(fc.constant([]), fc.array(judgeEvaluation, { maxLength: 2 }));
  return fc
    .tuple(judgeAnswer, evaluations, extra)
    .map(([answer, own, more]) => ({ ...answer, is_complete: true, evaluations: [...own, ...more] }));
}

const situations = fc.array(criterion, { maxLength: 4 }).chain((criteria) =>
  fc.record({
    criteria: fc.constant(criteria),
    evidence: fc
      .tuple(fc.oneof(judgeAnswer, nearlyRight(criteria)), fc.array(fc.constantFrom(true, true, true, false, null)))
      .map(([judge, outcomes]): Evidence => ({ judges: by(judge), checks: checksFor(criteria, outcomes) })),
  }),
);

const honestSituations = fc.uniqueArray(texts, { minLength: 1 }).chain((unique) =>
  fc.array(fc.boolean(), { minLength: unique.length, maxLength: unique.length }).map((semantic) => {
    const criteria = unique.map(
      (text, index): Criterion =>
        semantic[index] ? { type: "semantic", text } : { type: "command", command: "make", description: text },
    );
    const evaluations = criteria.flatMap((one, index) =>
      one.type === "semantic" ? [{ ...yes(index + 1), criterion: one.text }] : [],
    );
    return {
      criteria,
      evidence: { checks: checksFor(criteria, []), judges: by(saying(...evaluations)) } satisfies Evidence,
    };
  }),
);

function checksFor(criteria: readonly Criterion[], outcomes: readonly (boolean | null)[]): Evaluation[] {
  return criteria.flatMap(({ type }, index) => {
    const outcome = outcomes[index] === undefined ? true : outcomes[index];
    return type === "semantic" || outcome === null ? [] : [check(index + 1, outcome)];
  });
}

function check(id: number, is_met: boolean): Evaluation {
  return { id, criterion: "", is_met, evidence: "exit code", confidence: 1, source: "command" };
}

function yes(id: number): JudgeEvaluation {
  return { id, criterion: "", is_met: true, evidence: "seen", confidence: 0.9 };
}

function saying(...evaluations: JudgeEvaluation[]): JudgmentResult {
  return { is_complete: true, evaluations, overall_reason: "looked", suggested_next_action: null };
}

function by(answer: JudgmentResult): JudgeAnswer[] {
  return [{ model: "sonnet", answer }];
}

function answerOf({ judges }: Evidence): JudgmentResult {
  const judge = judges?.[0]?.answer;
  if (!judge) throw new Error("this situation has no judge");
  return judge;
}

function hasSemantic(criteria: readonly Criterion[]): boolean {
  return criteria.some(({ type }) => type === "semantic");
}

function checkOf({ checks }: Evidence, id: number): Evaluation | undefined {
  return checks.find((one) => one.id === id);
}

/** What a reader of the answer alone would accept: number or exact text says yes with evidence, and nothing speaks against it. */
function expectPlainYes(criteria: readonly Criterion[], id: number, evaluations: readonly JudgeEvaluation[]): void {
  const own = criterionText(criteria[id - 1] as Criterion);
  const texts = criteria.map(criterionText);
  const others = texts.filter((text) => text !== own);
  const about = evaluations.filter(
    (one) => one.id === id || (one.criterion === own && texts[one.id - 1] !== one.criterion),
  );
  expect(about.length).toBeGreaterThan(0);
  for (const one of about) {
    expect(one).toMatchObject({ is_met: true, evidence: expect.stringMatching(/\S/) });
    expect(others).not.toContain(one.criterion);
  }
}
