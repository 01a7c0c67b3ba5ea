import type { FailureCode } from "../agent.ts";
import type { Statement } from "../message.ts";

/** What a run finds out, and what it objects to in an answer. */
export interface ExecutionMessages {
  files_unchanged: { count: number };
  files_changed: { count: number };
  fewer_tests: { before: number; now: number };
  failures_reported: object;
  checks_passed: { count: number };
  checks_failed: { failed: number; count: number };
  criterion_not_evaluated: object;
  criterion_without_evidence: object;
  criterion_contradicted: object;
  judge_failed: { problem: Statement };
  judge_withheld: object;
  /** The models of the judges who call a criterion met, and of those who do not. */
  judges_split: { met: readonly string[]; unmet: readonly string[] };
  judges_not_asked: { models: readonly string[] };
  not_judged_again: { iteration: number };
  agent_failed: { code: FailureCode; problem: Statement };
  agent_said_nothing: object;
  answer_missing: object;
  answer_unstructured: object;
  reason_too_long: { tokens: number; limit: number };
  time_budget_used: object;
  deadline_passed: object;
  intake_criteria_count: { found: number; expected: number };
  intake_criteria_order: object;
  intake_question_missing: object;
  judge_skipped: { id: number };
  judge_contradicted: { id: number };
  judge_unfounded: { id: number };
  judge_inconsistent: { is_complete: boolean };
  proof_in_place_asked: object;
  proof_about_workspace: object;
  proof_judged_unmet: object;
  proof_without_snapshot: object;
  room_missing: { problem: Statement };
  hidden_check_not_run: { problem: Statement };
  snapshot_left_out: { count: number; files: string };
  snapshot_unreadable: { count: number; files: string };
  proof_not_clean: { problem?: Statement };
  proof_checks_failed: { count: number };
  /** `files`: made since the start, and ignored by git. */
  proof_rests_on: { files: string };
  unproved_as_asked: object;
  unproved_already_true: object;
  unproved_claim: object;
  unproved_open: object;
  work_not_kept: { problem: Statement };
  start_lost: object;
  links_out: { files: string };
  setup_broken: { problem: Statement; files: string };
  toolchain_changed: { files: string };
  /** `files`: `M path`, `A path`, `D path`. */
  protected_changed: { files: string };
}
