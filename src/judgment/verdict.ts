import { type Criterion, criterionText, isCheck, numbered } from "../model/criterion.ts";
import { type Message, message, type Statement } from "../model/message.ts";
import { type Evaluation, isOfCheck, type Judgment } from "../model/records.ts";
import type { JudgmentResult } from "../model/roles.ts";
import { wordOnEach } from "./judge-answer.ts";

/** What was gathered about one iteration: the outcome of every check, and the judge's answer where one was asked. */
export interface Evidence {
  checks: readonly Evaluation[];
  judge?: JudgmentResult;
  /** Why there is no judge's answer although one was needed. */
  judge_problem?: Statement;
}

/**
 * Complete only when every criterion is met, and the judge, where one was needed, says so too. A criterion without an
 * evaluation counts as unmet; so does one that was called met without evidence, or both met and unmet.
 */
export function decide(criteria: readonly Criterion[], evidence: Evidence): Judgment {
  const words = wordOnEach(criteria, evidence.judge?.evaluations ?? []);
  const evaluations = numbered(criteria).map(({ id, criterion }) => {
    const found = isCheck(criterion) ? evidence.checks.find((check) => check.id === id) : words.get(id);
    return found ?? unevaluated(id, criterion);
  });
  const needsJudge = !criteria.every(isCheck);
  const allMet = evaluations.length > 0 && evaluations.every((evaluation) => evaluation.is_met);
  const withheld = allMet && needsJudge && !callsComplete(evidence.judge);
  return {
    is_complete: allMet && !withheld,
    evaluations,
    overall_reason: evidence.judge?.overall_reason ?? "",
    reasons: reasonsFor(evaluations, evidence, withheld),
    suggested_next_action: evidence.judge?.suggested_next_action ?? null,
  };
}

/** A judge that calls the task complete beside anything unmet has not called it complete. */
function callsComplete(judge: JudgmentResult | undefined): boolean {
  return judge?.is_complete === true && judge.evaluations.every((evaluation) => evaluation.is_met);
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
  { judge_problem: problem }: Evidence,
  withheld: boolean,
): Message[] {
  const checks = evaluations.filter(isOfCheck);
  const failed = checks.filter((check) => !check.is_met).length;
  const { length: count } = checks;
  const ofChecks = failed === 0 ? message("checks_passed", { count }) : message("checks_failed", { failed, count });
  return [
    ...(count > 0 ? [ofChecks] : []),
    ...(withheld ? [message("judge_withheld", {})] : []),
    ...(problem === undefined ? [] : [message("judge_failed", { problem })]),
  ];
}
