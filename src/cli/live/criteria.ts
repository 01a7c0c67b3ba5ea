import { type Criterion, criterionText, numbered } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { Phase } from "../../model/events.ts";

/** A criterion of the task, or a condition of an agent made of steps. */
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

/** Adds conditions that are not shown yet, at the end, so that nothing that is shown moves. */
export function withConditions(criteria: readonly LiveCriterion[], conditions: readonly string[]): LiveCriterion[] {
  const isKnown = (text: string) => criteria.some((criterion) => criterion.text === text);
  const added = [...new Set(conditions)].filter((text) => !isKnown(text));
  return [...criteria, ...added.map((text, index) => condition(text, criteria.length + index + 1))];
}

/** Checks and conditions run one after the other; the judge evaluates all sentences at once. */
export function lookedAtIn(
  phase: Phase,
  criteria: readonly LiveCriterion[],
  conditions: readonly string[],
): LiveCriterion[] {
  const firstCheck = criteria.find((one) => isDeclaredCheck(one) || one.text === conditions[0]);
  const isLookedAt = (criterion: LiveCriterion) => {
    if (phase === "check") return criterion === firstCheck;
    // A condition may be a sentence for the judge: it stays the one being checked.
    return phase === "judge" && (criterion.type === "semantic" || criterion.isBeingChecked);
  };
  return criteria.map((criterion) => ({ ...criterion, isBeingChecked: isLookedAt(criterion) }));
}

export function afterCheck(
  criteria: readonly LiveCriterion[],
  evaluation: Evaluation,
  conditions: readonly string[],
): LiveCriterion[] {
  const marked = marking(criteria, evaluation);
  const place = conditions.indexOf(evaluation.criterion);
  const following = place < 0 ? undefined : conditions[place + 1];
  const next = marked.find((one) =>
    one.type === "condition" ? one.text === following : isDeclaredCheck(one) && one.id > evaluation.id,
  );
  return marked.map((criterion) => ({ ...criterion, isBeingChecked: criterion === next }));
}

export function afterJudgment(criteria: readonly LiveCriterion[], evaluations: readonly Evaluation[]): LiveCriterion[] {
  return evaluations
    .reduce<readonly LiveCriterion[]>(marking, criteria)
    .map((criterion) => ({ ...criterion, isBeingChecked: false }));
}

function marking(criteria: readonly LiveCriterion[], evaluation: Evaluation): LiveCriterion[] {
  const mark = evaluation.is_met ? "met" : "unmet";
  const isMeant = ({ id, type, text }: LiveCriterion) =>
    type === "condition" ? text === evaluation.criterion : id === evaluation.id;
  if (criteria.some(isMeant)) return criteria.map((one) => (isMeant(one) ? { ...one, mark } : one));
  return [...criteria, { ...condition(evaluation.criterion, criteria.length + 1), mark }];
}

function isDeclaredCheck({ type }: LiveCriterion): boolean {
  return type === "command" || type === "unchanged";
}

function condition(text: string, id: number): LiveCriterion {
  return { id, type: "condition", text, mark: "open", isBeingChecked: false };
}
