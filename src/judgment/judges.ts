import { type Criterion, criterionText, isCheck, numbered } from "../model/criterion.ts";
import type { Evaluation } from "../model/evaluation.ts";
import { message } from "../model/message.ts";
import type { JudgmentResult } from "../model/roles.ts";
import { wordOnEach } from "./judge-answer.ts";

/** What one judge said. */
export interface JudgeAnswer {
  model: string;
  /** Absent: it gave no usable answer. */
  answer?: JudgmentResult;
}

/** What the judges said together. */
export interface Panel {
  words: ReadonlyMap<number, Evaluation>;
  /** Every judge calls the task complete, and nothing unmet. */
  callsComplete: boolean;
  overall_reason: string;
  suggested_next_action: JudgmentResult["suggested_next_action"];
}

/** All judges must agree: a criterion that one of them does not call met is unmet, and so is one on which one has said nothing. */
export function panelOf(criteria: readonly Criterion[], judges: readonly JudgeAnswer[]): Panel {
  const answered = judges.filter((one) => one.answer !== undefined);
  const { answer: first } = answered.find(({ answer }) => !saysComplete(answer)) ?? answered[0] ?? {};
  const reasons = answered.map(({ model, answer }) => [model, answer?.overall_reason.trim() ?? ""] as const);
  return {
    words: wordsOf(criteria, judges),
    callsComplete: judges.length > 0 && judges.every(({ answer }) => saysComplete(answer)),
    overall_reason:
      judges.length < 2 ? (first?.overall_reason ?? "") : attributed(reasons.filter(([, said]) => said !== "")),
    suggested_next_action: first?.suggested_next_action ?? null,
  };
}

/** A judge that calls the task complete beside anything unmet has not called it complete. */
export function saysComplete(answer: JudgmentResult | undefined): boolean {
  return answer?.is_complete === true && answer.evaluations.every((evaluation) => evaluation.is_met);
}

function wordsOf(criteria: readonly Criterion[], judges: readonly JudgeAnswer[]): ReadonlyMap<number, Evaluation> {
  const each = judges.map(({ model, answer }) => ({ model, words: wordOnEach(criteria, answer?.evaluations ?? []) }));
  const [only] = each;
  if (only && each.length === 1) return only.words;
  const all = new Map<number, Evaluation>();
  for (const { id, criterion } of numbered(criteria)) {
    if (isCheck(criterion)) continue;
    const said = each.flatMap(({ model, words }) => {
      const word = words.get(id);
      return word ? [{ model, word }] : [];
    });
    if (said.length > 0) all.set(id, joined({ id, criterion: criterionText(criterion) }, said, each.length));
  }
  return all;
}

interface Said {
  model: string;
  word: Evaluation;
}

function joined(about: Pick<Evaluation, "id" | "criterion">, said: readonly Said[], judges: number): Evaluation {
  const unmet = said.filter(({ word }) => !word.is_met);
  const isSilent = unmet.length === 0 && said.length < judges;
  return {
    ...about,
    is_met: unmet.length === 0 && !isSilent,
    evidence: attributed(said.map(({ model, word }) => [model, word.evidence])),
    ...outcomeOf(said, isSilent),
    confidence: Math.min(...said.map(({ word }) => word.confidence)),
    said_by: said.map(({ model, word: { is_met, evidence, confidence, outcome } }) => ({
      model,
      is_met,
      evidence,
      confidence,
      ...(outcome && { outcome }),
    })),
    source: isSilent ? "nobody" : "judge",
  };
}

/** Who said what, where they differ; else why a word does not count. */
function outcomeOf(said: readonly Said[], isSilent: boolean): Pick<Evaluation, "outcome"> {
  const [met, unmet] = [true, false].map((wanted) =>
    said.filter(({ word }) => word.is_met === wanted).map(({ model }) => model),
  );
  if (met?.length && unmet?.length) return { outcome: message("judges_split", { met, unmet }) };
  if (isSilent) return { outcome: message("criterion_not_evaluated", {}) };
  const outcome = said.map(({ word }) => word.outcome).find((one) => one !== undefined);
  return outcome ? { outcome } : {};
}

/** The words of each judge, behind its name. */
function attributed(words: readonly (readonly [string, string])[]): string {
  return words.map(([model, said]) => `${model}: ${said}`).join("\n");
}
