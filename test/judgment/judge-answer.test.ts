import { describe, expect, test } from "vitest";
import { objections } from "../../src/judgment/judge-answer.ts";
import type { Criterion } from "../../src/model/criterion.ts";
import type { Message } from "../../src/model/message.ts";
import type { JudgeEvaluation } from "../../src/model/roles.ts";
import { saying } from "../support/saying.ts";

const criteria: Criterion[] = [
  { type: "semantic", text: "Clear" },
  { type: "command", command: "npm test" },
  { type: "semantic", text: "Short" },
];

describe("what is put to a judge whose answer cannot be used", () => {
  test("nothing, when every sentence has its evaluation and the whole follows from them", () => {
    expect(objectionsTo([word(1), word(3)], true)).toEqual([]);
    expect(objectionsTo([word(1), word(3, { is_met: false })], false)).toEqual([]);
  });

  test("a sentence without an evaluation is named; a check needs none", () => {
    expect(objectionsTo([word(1)], true)).toEqual([saying("criterion 3 has no evaluation")]);
  });

  test("evaluations that contradict each other are named", () => {
    const found = objectionsTo([word(1), word(3), word(3, { is_met: false })], false);
    expect(found).toEqual([saying("the evaluations of criterion 3 contradict each other")]);
  });

  test("met without evidence is named", () => {
    expect(objectionsTo([word(1, { evidence: "" }), word(3)], true)).toEqual([
      saying("criterion 1 is called met without evidence"),
    ]);
  });

  test("a text that is another criterion's makes both of them contradictory", () => {
    expect(objectionsTo([word(1, { criterion: "Short" }), word(3)], true)).toHaveLength(2);
  });

  test.each([
    { name: "complete beside an unmet sentence", met: false, checksPassed: true, is_complete: true },
    { name: "complete beside a failed check", met: true, checksPassed: false, is_complete: true },
    { name: "not complete although all is met", met: true, checksPassed: true, is_complete: false },
  ])("$name contradicts itself", ({ met, checksPassed, is_complete }) => {
    const answer = {
      is_complete,
      evaluations: [word(1), word(3, { is_met: met })],
      overall_reason: "",
      suggested_next_action: null,
    };
    expect(objections(criteria, answer, checksPassed)).toEqual([
      saying(`is_complete is ${is_complete}, which contradicts the evaluations and check results`),
    ]);
  });
});

test("a judge's long answer to a long list is read once, not once for every pair of the two", () => {
  let reads = 0;
  const texts = Array.from({ length: 40 }, (_, index) => `Sentence ${index}`);
  const evaluations = texts.map((text, index) => {
    const get = () => {
      reads += 1;
      return text;
    };
    return Object.defineProperty(word(index + 1), "criterion", { get, enumerable: true });
  });
  const answer = { is_complete: true, evaluations, overall_reason: "", suggested_next_action: null };

  const found = objections(
    texts.map((text) => ({ type: "semantic", text })),
    answer,
    true,
  );

  expect(found).toEqual([]);
  expect(reads).toBeLessThanOrEqual(2 * texts.length);
});

function objectionsTo(evaluations: JudgeEvaluation[], is_complete: boolean): Message[] {
  return objections(criteria, { is_complete, evaluations, overall_reason: "", suggested_next_action: null }, true);
}

function word(id: number, more: Partial<JudgeEvaluation> = {}): JudgeEvaluation {
  return { id, criterion: "", is_met: true, evidence: "seen", confidence: 1, ...more };
}
