import { type Criterion, criterionText, type NumberedCriterion, numbered } from "../model/criterion.ts";
import type { Evaluation } from "../model/evaluation.ts";
import { type Message, message } from "../model/message.ts";
import type { JudgeEvaluation, JudgmentResult } from "../model/roles.ts";

/**
 * The judge's word on each semantic criterion. The number decides which one is meant, so a paraphrased text or another
 * order changes nothing; a text that is exactly another criterion's makes the word ambiguous, and ambiguous is unmet.
 */
export function wordOnEach(
  criteria: readonly Criterion[],
  evaluations: readonly JudgeEvaluation[],
): Map<number, Evaluation> {
  const all = numbered(criteria);
  const said = saidOfEach(all, evaluations);
  const words = new Map<number, Evaluation>();
  for (const { id, criterion } of all.filter(isSemantic)) {
    const about = said.get(id);
    if (about) words.set(id, settle({ id, criterion }, about));
  }
  return words;
}

/** What is wrong with the judge's answer, in words that can be put to it. Empty: nothing. */
export function objections(criteria: readonly Criterion[], answer: JudgmentResult, checksPassed: boolean): Message[] {
  const all = numbered(criteria);
  const said = saidOfEach(all, answer.evaluations);
  const found: Message[] = [];
  for (const { id } of all.filter(isSemantic)) {
    const about = said.get(id) ?? [];
    if (about.length === 0) found.push(message("judge_skipped", { id }));
    else if (isAmbiguous(about)) found.push(message("judge_contradicted", { id }));
    else if (about.some(metWithoutEvidence)) found.push(message("judge_unfounded", { id }));
  }
  const allMet = checksPassed && answer.evaluations.every((evaluation) => evaluation.is_met);
  if (found.length === 0 && allMet !== answer.is_complete)
    found.push(message("judge_inconsistent", { is_complete: answer.is_complete }));
  return found;
}

function isSemantic({ criterion }: NumberedCriterion): boolean {
  return criterion.type === "semantic";
}

/** An evaluation of a criterion. Another one may be meant as well, checks among them. */
interface Said extends JudgeEvaluation {
  isAboutSeveral: boolean;
}

/** The evaluations of each criterion: those with its number, and those whose text is exactly its own. */
function saidOfEach(
  all: readonly NumberedCriterion[],
  evaluations: readonly JudgeEvaluation[],
): ReadonlyMap<number, readonly Said[]> {
  const byText = new Map<string, number[]>();
  for (const { id, criterion } of all) append(byText, plain(criterionText(criterion)), id);
  const said = new Map<number, Said[]>();
  for (const evaluation of evaluations) {
    const named = byText.get(plain(evaluation.criterion)) ?? [];
    const numbers = all.some(({ id }) => id === evaluation.id) ? [evaluation.id] : [];
    const meant = new Set(named.includes(evaluation.id) ? numbers : [...numbers, ...named]);
    for (const id of meant) append(said, id, { ...evaluation, isAboutSeveral: meant.size > 1 });
  }
  return said;
}

function append<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  list.push(item);
}

function settle({ id, criterion }: NumberedCriterion, about: readonly Said[]): Evaluation {
  const outcome = objectionTo(about);
  const evidence = about.map((one) => one.evidence.trim()).filter(Boolean);
  return {
    id,
    criterion: criterionText(criterion),
    is_met: outcome === undefined && about.every((evaluation) => evaluation.is_met),
    evidence: evidence.join(" "),
    ...(outcome && { outcome }),
    confidence: outcome === undefined ? Math.min(...about.map((evaluation) => evaluation.confidence)) : 0,
    source: "judge",
  };
}

/** Why the judge's word on a criterion does not count. */
function objectionTo(about: readonly Said[]): Message | undefined {
  if (isAmbiguous(about)) return message("criterion_contradicted", {});
  return about.some(metWithoutEvidence) ? message("criterion_without_evidence", {}) : undefined;
}

function isAmbiguous(about: readonly Said[]): boolean {
  const saysBoth = new Set(about.map((evaluation) => evaluation.is_met)).size > 1;
  return saysBoth || about.some((evaluation) => evaluation.isAboutSeveral);
}

function metWithoutEvidence(evaluation: JudgeEvaluation): boolean {
  return evaluation.is_met && evaluation.evidence.trim() === "";
}

function plain(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}
