import { type Criterion, criterionText, isCheck, numbered } from "../model/criterion.ts";
import { type Evaluation, isOfCheck } from "../model/evaluation.ts";
import { type Message, message, type Statement } from "../model/message.ts";
import type { Judgment } from "../model/records.ts";
import { type JudgeAnswer, panelOf } from "./judges.ts";

/** What was gathered about one iteration: the outcome of every check, and the answers of the judges that were asked. */
export interface Evidence {
  checks: readonly Evaluation[];
  judges?: readonly JudgeAnswer[];
  /** Judges that were not asked, because one before them had objected. */
  unasked?: readonly string[];
  /** Why there is no judge's answer although one was needed. */
  judge_problem?: Statement;
}

/**
 * Complete only when every criterion is met, and the judge, where one was needed, says so too. A criterion without an
 * evaluation counts as unmet; so does one that was called met without evidence, or both met and unmet.
 */
export function decide(criteria: readonly Criterion[], evidence: Evidence): Judgment {
  const panel = panelOf(criteria, evidence.judges ?? []);
  const evaluations = numbered(criteria).map(({ id, criterion }) => {
    const found = isCheck(criterion) ? evidence.checks.find((check) => check.id === id) : panel.words.get(id);
    return found ?? unevaluated(id, criterion);
  });
  const needsJudge = !criteria.every(isCheck);
  const allMet = evaluations.length > 0 && evaluations.every((evaluation) => evaluation.is_met);
  const withheld = allMet && needsJudge && !panel.callsComplete;
  return {
    is_complete: allMet && !withheld,
    evaluations,
    overall_reason: panel.overall_reason,
    reasons: reasonsFor(evaluations, evidence, withheld),
    suggested_next_action: panel.suggested_next_action,
  };
}

function unevaluated(id: number, criterion: Criterion): Evaluation {
  return {
    id,
    criterion: criterionText(criterion),
    is_met: false,
    evidence: "",
    outcome: message("criterion_not_evaluated", {}),
    confidence: 0,
    source: "nobody",
  };
}

function reasonsFor(
  evaluations: readonly Evaluation[],
  { judge_problem: problem, unasked = [] }: Evidence,
  withheld: boolean,
): Message[] {
  const checks = evaluations.filter(isOfCheck);
  const failed = checks.filter((check) => !check.is_met).length;
  const { length: count } = checks;
  const ofChecks = failed === 0 ? message("checks_passed", { count }) : message("checks_failed", { failed, count });
  return [
    ...(count > 0 ? [ofChecks] : []),
    ...(withheld ? [message("judge_withheld", {})] : []),
    ...(unasked.length > 0 ? [message("judges_not_asked", { models: unasked })] : []),
    ...(problem === undefined ? [] : [message("judge_failed", { problem })]),
  ];
}
