import { type Criterion, criterionText, numbered } from "../model/criterion.ts";
import type { Phrases } from "../model/phrases.ts";
import type { Evaluation, Judgment } from "../model/records.ts";
import type { JudgmentResult } from "../model/roles.ts";
import { wordOnEach } from "./judge-answer.ts";

/** What was gathered about one iteration: the outcome of every check, and the judge's answer where one was asked. */
export interface Evidence {
  checks: readonly Evaluation[];
  judge?: JudgmentResult;
  /** Why there is no judge's answer although one was needed. */
  judge_problem?: string;
}

/**
 * Complete only when every criterion is met, and the judge, where one was needed, says so too. A criterion nobody
 * evaluated counts as unmet; so does one that was called met without evidence, or both met and unmet.
 */
export function decide(criteria: readonly Criterion[], evidence: Evidence, phrases: Phrases): Judgment {
  const words = wordOnEach(criteria, evidence.judge?.evaluations ?? [], phrases);
  const evaluations = numbered(criteria).map(({ id, criterion }) => {
    const found = criterion.type === "command" ? evidence.checks.find((check) => check.id === id) : words.get(id);
    return found ?? unevaluated(id, criterion, phrases);
  });
  const needsJudge = criteria.some((criterion) => criterion.type === "semantic");
  const allMet = evaluations.length > 0 && evaluations.every((evaluation) => evaluation.is_met);
  const withheld = allMet && needsJudge && !callsComplete(evidence.judge);
  return {
    is_complete: allMet && !withheld,
    evaluations,
    overall_reason: overallReason(evaluations, evidence, withheld, phrases),
    suggested_next_action: evidence.judge?.suggested_next_action ?? null,
  };
}

/** A judge that calls the task complete beside anything unmet has not called it complete. */
function callsComplete(judge: JudgmentResult | undefined): boolean {
  return judge?.is_complete === true && judge.evaluations.every((evaluation) => evaluation.is_met);
}

function unevaluated(id: number, criterion: Criterion, phrases: Phrases): Evaluation {
  return {
    id,
    criterion: criterionText(criterion),
    is_met: false,
    evidence: phrases.notEvaluated,
    confidence: 0,
    source: "nobody",
  };
}

function overallReason(
  evaluations: readonly Evaluation[],
  evidence: Evidence,
  withheld: boolean,
  phrases: Phrases,
): string {
  const checks = evaluations.filter((evaluation) => evaluation.source === "command");
  const failed = checks.filter((check) => !check.is_met).length;
  const parts = [
    checks.length > 0 &&
      (failed === 0 ? phrases.allChecksPassed(checks.length) : phrases.checksFailed(failed, checks.length)),
    withheld && phrases.judgeWithheld,
    evidence.judge?.overall_reason,
    evidence.judge_problem && phrases.judgeFailed(evidence.judge_problem),
  ];
  return parts.filter(Boolean).join(" ");
}
