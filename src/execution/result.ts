import { statusOf } from "../judgment/moves.ts";
import { asE8Error } from "../model/errors.ts";
import type { Judgment, LandingRecord, LoopResult } from "../model/records.ts";
import { refutedBy } from "../model/refuted.ts";
import type { RunState } from "../model/state.ts";
import type { Task } from "../model/task.ts";
import type { Changes } from "./changes.ts";
import type { Ending } from "./halt.ts";
import { verdictProof } from "./proof/verdict-proof.ts";
import type { RunContext } from "./run-context.ts";

/** The one record that ends a run. */
export function resultOf(
  ending: Ending,
  context: RunContext,
  { state, changes }: { state: RunState; changes: Changes },
): LoopResult {
  const { ports, meter } = context;
  const judgment = finalJudgment(state);
  const error = ending.error === undefined ? undefined : asE8Error(ending.error);
  return {
    type: "final_result",
    task_id: ports.store.task.task_id,
    status: statusOf[ending.stop_reason],
    stop_reason: ending.stop_reason,
    iterations_used: state.iterations,
    final_judgment: judgment && withoutRecordKeys(judgment),
    ...verdictProof(context, state, { ...ending, judgment }),
    landing: state.landing && landingIn(state.landing),
    ...(!ending.is_cleared && keptIn(ports.store.task)),
    ...workersIn(state),
    artifacts: state.artifacts,
    ...changes,
    clarification_questions: ending.clarification_questions ?? [],
    error_code: error?.code ?? null,
    error_details: error ? { ...error.details } : null,
    history_path: ports.store.history_path,
    usage: meter.total(),
    timestamp: ports.clock.now().toISOString(),
  };
}

/** The last word on the work: a claim that was refuted is not complete. */
function finalJudgment({ judgment, undecided, proof }: RunState): Judgment | null {
  if (undecided || !judgment) return undecided;
  return proof?.holds === false && proof.iteration === judgment.iteration ? refutedBy(judgment, proof) : judgment;
}

function workersIn({ worked, escalated }: RunState): Pick<LoopResult, "workers" | "escalated"> {
  const workers = Object.entries(worked).map(([worker, iterations]) => ({ worker, iterations }));
  return { ...(workers.length > 0 && { workers }), ...(escalated && { escalated }) };
}

/** A checkout of a fleet is gone afterwards. */
function keptIn({ place, repository }: Task): Pick<LoopResult, "kept_in"> {
  return place && !repository ? { kept_in: { worktree: place.worktree, branch: place.branch } } : {};
}

function landingIn({ type: _, timestamp: __, ...landing }: LandingRecord): LoopResult["landing"] {
  return landing;
}

function withoutRecordKeys({ is_complete, evaluations, overall_reason, reasons, suggested_next_action }: Judgment) {
  return { is_complete, evaluations, overall_reason, suggested_next_action, ...(reasons && { reasons }) };
}
