import { type Criterion, criterionText, numbered } from "../../model/criterion.ts";
import type { Phase } from "../../model/events.ts";
import type { Evaluation } from "../../model/records.ts";

/** A criterion of the task, or a condition that an agent's definition names and that becomes known when it is checked. */
export interface LiveCriterion {
  id: number;
  type: Criterion["type"] | "condition";
  text: string;
  /** What the last look at it said. */
  mark: "open" | "met" | "unmet";
  isBeingChecked: boolean;
}

export function criteriaOf(criteria: readonly Criterion[], evaluations: readonly Evaluation[]): LiveCriterion[] {
  const declared = numbered(criteria).map<LiveCriterion>(({ id, criterion }) => ({
    id,
    type: criterion.type,
    text: criterionText(criterion),
    mark: "open",
    isBeingChecked: false,
  }));
  return afterJudgment(declared, evaluations);
}

/** The intake rewords sentences one by one; commands stay. */
export function afterIntake(criteria: readonly LiveCriterion[], refined: readonly string[]): LiveCriterion[] {
  const texts = refined.values();
  return criteria.map((criterion) =>
    criterion.type === "semantic" ? { ...criterion, text: texts.next().value?.trim() || criterion.text } : criterion,
  );
}

/** Commands run one after the other; the judge looks at all sentences at once. */
export function lookedAtIn(phase: Phase, criteria: readonly LiveCriterion[]): LiveCriterion[] {
  const firstCheck = criteria.find(({ type }) => type === "command");
  return criteria.map((criterion) => ({
    ...criterion,
    isBeingChecked:
      (phase === "check" && criterion === firstCheck) || (phase === "judge" && criterion.type === "semantic"),
  }));
}

export function afterCheck(criteria: readonly LiveCriterion[], evaluation: Evaluation): LiveCriterion[] {
  const marked = marking(criteria, evaluation);
  const next = marked.find(({ id, type }) => type === "command" && id > evaluation.id);
  return marked.map((criterion) => ({ ...criterion, isBeingChecked: criterion === next }));
}

export function afterJudgment(criteria: readonly LiveCriterion[], evaluations: readonly Evaluation[]): LiveCriterion[] {
  const declared = criteria.filter(({ type }) => type !== "condition");
  const known = evaluations.length > 0 ? declared : criteria;
  return evaluations
    .reduce<readonly LiveCriterion[]>(marking, known)
    .map((criterion) => ({ ...criterion, isBeingChecked: false }));
}

function marking(criteria: readonly LiveCriterion[], evaluation: Evaluation): LiveCriterion[] {
  const mark = evaluation.is_met ? "met" : "unmet";
  const isMeant = ({ id, type, text }: LiveCriterion) =>
    type === "condition" ? text === evaluation.criterion : id === evaluation.id;
  if (criteria.some(isMeant)) return criteria.map((one) => (isMeant(one) ? { ...one, mark } : one));
  const condition = { type: "condition", text: evaluation.criterion, mark, isBeingChecked: false } as const;
  return [...criteria, { id: criteria.length + 1, ...condition }];
}
