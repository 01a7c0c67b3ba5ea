import { type Criterion, criterionText, isCheck, numbered } from "../model/criterion.ts";
import type { Phrases } from "../model/phrases.ts";
import { type Evaluation, isOfCheck, type Judgment } from "../model/records.ts";
import type { JudgmentResult } from "../model/roles.ts";
import type { Statement } from "../model/statement.ts";
import { phrased, type Told, told } from "../model/telling.ts";
import { wordOnEach } from "./judge-answer.ts";

/** What was gathered about one iteration: the outcome of every check, and the judge's answer where one was asked. */
export interface Evidence {
  checks: readonly Evaluation[];
  judge?: JudgmentResult;
  /** Why there is no judge's answer although one was needed. */
  judge_problem?: Statement;
}

/**
 * Complete only when every criterion is met, and the judge, where one was needed, says so too. A criterion nobody
 * evaluated counts as unmet; so does one that was called met without evidence, or both met and unmet.
 */
export function decide(criteria: readonly Criterion[], evidence: Evidence, phrases: Phrases): Judgment {
  const words = wordOnEach(criteria, evidence.judge?.evaluations ?? [], phrases);
  const evaluations = numbered(criteria).map(({ id, criterion }) => {
    const found = isCheck(criterion) ? evidence.checks.find((check) => check.id === id) : words.get(id);
    return found ?? unevaluated(id, criterion, phrases);
  });
  const needsJudge = !criteria.every(isCheck);
  const allMet = evaluations.length > 0 && evaluations.every((evaluation) => evaluation.is_met);
  const withheld = allMet && needsJudge && !callsComplete(evidence.judge);
  const { text: overall_reason, ...ours } = overallReason(evaluations, evidence, withheld, phrases);
  return {
    is_complete: allMet && !withheld,
    evaluations,
    overall_reason,
    suggested_next_action: evidence.judge?.suggested_next_action ?? null,
    ...ours,
  };
}

/** A judge that calls the task complete beside anything unmet has not called it complete. */
function callsComplete(judge: JudgmentResult | undefined): boolean {
  return judge?.is_complete === true && judge.evaluations.every((evaluation) => evaluation.is_met);
}

function unevaluated(id: number, criterion: Criterion, { language }: Phrases): Evaluation {
  const { text: evidence, ...ours } = told(language, [phrased(({ notEvaluated }) => notEvaluated)], "");
  return {
    id,
    criterion: criterionText(criterion),
    is_met: false,
    evidence,
    confidence: 0,
    source: "nobody",
    ...ours,
  };
}

function overallReason(
  evaluations: readonly Evaluation[],
  evidence: Evidence,
  withheld: boolean,
  { language }: Phrases,
): Told {
  const checks = evaluations.filter(isOfCheck);
  const failed = checks.filter((check) => !check.is_met).length;
  const { length } = checks;
  const problem = evidence.judge_problem;
  const ofChecks = phrased((say) => (failed === 0 ? say.allChecksPassed(length) : say.checksFailed(failed, length)));
  const parts: Statement[] = [
    length > 0 ? ofChecks : "",
    withheld ? phrased(({ judgeWithheld }) => judgeWithheld) : "",
    evidence.judge?.overall_reason ?? "",
    problem === undefined ? "" : phrased(({ judgeFailed }, say) => judgeFailed(say(problem))),
  ];
  return told(language, parts.filter(Boolean), " ");
}
