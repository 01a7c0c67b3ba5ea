import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptedAfterJudgment } from "../../src/judgment/accepted-evidence.ts";
import type { JudgeAnswer } from "../../src/judgment/judges.ts";
import { formerWords } from "../../src/judgment/new-evidence.ts";
import { decide } from "../../src/judgment/verdict.ts";
import { type Criterion, criterionText } from "../../src/model/criterion.ts";
import { refutationOf } from "../../src/model/evaluation.ts";
import { message } from "../../src/model/message.ts";
import type { JudgmentRecord } from "../../src/model/records.ts";

const CRITERIA: Criterion[] = [
  { type: "semantic", text: "The README is clear" },
  { type: "semantic", text: "The tests are honest" },
];

describe("several judges", () => {
  test("complete a task only if every one of them calls every criterion met and the whole complete", () => {
    const answers = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(answers, (said) => {
        const judges = said.map(([first, second, whole], index) => by(`judge-${index}`, [first, second], whole));
        const { is_complete, evaluations } = decide(CRITERIA, { checks: [], judges });
        expect(is_complete).toBe(said.every((one) => one.every(Boolean)));
        expect(evaluations.map(({ is_met }) => is_met)).toEqual([0, 1].map((place) => said.every((one) => one[place])));
      }),
    );
  });

  test("that disagree leave a criterion unmet, and the record says who said what", () => {
    const { evaluations, is_complete } = decide(CRITERIA, {
      checks: [],
      judges: [by("sonnet", [true, true]), by("openai:gpt-5", [true, false])],
    });

    expect(is_complete).toBe(false);
    expect(evaluations[0]).toMatchObject({ is_met: true });
    expect(evaluations[1]).toMatchObject({
      is_met: false,
      source: "judge",
      outcome: message("judges_split", { met: ["sonnet"], unmet: ["openai:gpt-5"] }),
      evidence: "sonnet: sonnet read 2\nopenai:gpt-5: openai:gpt-5 read 2",
      said_by: [
        { model: "sonnet", is_met: true, evidence: "sonnet read 2" },
        { model: "openai:gpt-5", is_met: false, evidence: "openai:gpt-5 read 2" },
      ],
    });
    expect(refutationOf("success", evaluations).refuted_by).toHaveLength(1);
  });

  test("one of which gives no usable answer have not called anything met", () => {
    const judges = [by("sonnet", [true, true]), { model: "openai:gpt-5" }];
    const { is_complete, evaluations } = decide(CRITERIA, { checks: [], judges });

    expect(is_complete).toBe(false);
    expect(evaluations).toMatchObject([
      { is_met: false, source: "nobody", said_by: [{ model: "sonnet", is_met: true }] },
      { is_met: false, source: "nobody" },
    ]);
    expect(refutationOf("success", evaluations)).toEqual({});
  });

  test("speak as one where there is only one: no names, no list", () => {
    const { evaluations, overall_reason } = decide(CRITERIA, { checks: [], judges: [by("sonnet", [true, true])] });
    expect(evaluations[0]).toEqual({
      id: 1,
      criterion: "The README is clear",
      is_met: true,
      evidence: "sonnet read 1",
      confidence: 0.9,
      source: "judge",
    });
    expect(overall_reason).toBe("sonnet looked");
  });
});

describe("the former words of several judges", () => {
  test("come to the same judgment again", () => {
    const judges = [by("sonnet", [true, true]), by("opus", [true, false])];
    const before = decide(CRITERIA, { checks: [], judges });
    const again = decide(CRITERIA, { checks: [], judges: formerWords(recordOf(before), ["sonnet", "opus"]) ?? [] });
    expect(again.evaluations).toEqual(before.evaluations);
    expect(again.is_complete).toBe(false);
  });

  test("do not stand for a judge who was added since", () => {
    const before = recordOf(decide(CRITERIA, { checks: [], judges: [by("sonnet", [true, true])] }));
    expect(formerWords(before, ["sonnet"])).toHaveLength(1);
    expect(formerWords(before, ["sonnet", "opus"])).toBeUndefined();
  });
});

describe("accepted evidence", () => {
  const judges = [by("sonnet", [true, true], true, "README.md")];

  test("needs the words of all judges", () => {
    const asked = recordOf(decide(CRITERIA, { checks: [], judges }));
    const half = recordOf(decide(CRITERIA, { checks: [], judges, unasked: ["opus"] }));
    expect(acceptedAfterJudgment([], asked)).toHaveLength(2);
    expect(acceptedAfterJudgment([], half)).toEqual([]);
  });

  test("must name a file itself: the name of a judge is none", () => {
    const named = ["anthropic.claude-opus", "eu.anthropic.claude"].map((model) => by(model, [true, true], true, "yes"));
    expect(acceptedAfterJudgment([], recordOf(decide(CRITERIA, { checks: [], judges: named })))).toEqual([]);
  });
});

function by(model: string, met: readonly boolean[], whole = met.every(Boolean), evidence?: string): JudgeAnswer {
  const evaluations = met.map((is_met, index) => ({
    id: index + 1,
    criterion: criterionText(CRITERIA[index] as Criterion),
    is_met,
    evidence: evidence ?? `${model} read ${index + 1}`,
    confidence: 0.9,
  }));
  return {
    model,
    answer: { is_complete: whole, evaluations, overall_reason: `${model} looked`, suggested_next_action: null },
  };
}

function recordOf(judgment: ReturnType<typeof decide>): JudgmentRecord {
  return { type: "judgment", iteration: 1, ...judgment, timestamp: "" };
}
