import { statusOf } from "../judgment/moves.ts";
import type { Configuration } from "../model/configuration.ts";
import { asE8Error } from "../model/errors.ts";
import { message } from "../model/message.ts";
import { Proof } from "../model/proof-record.ts";
import type { Judgment, LandingRecord, LoopResult } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import type { Task } from "../model/task.ts";
import type { Changes } from "./changes.ts";
import type { Ending } from "./halt.ts";
import type { RunContext } from "./run-context.ts";

/** The one record that ends a run. */
export function resultOf(
  ending: Ending,
  { ports, meter, configuration }: RunContext,
  { state, changes }: { state: RunState; changes: Changes },
): LoopResult {
  const judgment = state.undecided ?? state.judgment;
  const error = ending.error === undefined ? undefined : asE8Error(ending.error);
  return {
    type: "final_result",
    task_id: ports.store.task.task_id,
    status: statusOf[ending.stop_reason],
    stop_reason: ending.stop_reason,
    iterations_used: state.iterations,
    final_judgment: judgment && withoutRecordKeys(judgment),
    ...proofIn(state, ending, configuration),
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

/** The proof of the claim that completed the run, or why it has none. */
function proofIn(
  { proof, judgment }: RunState,
  { stop_reason }: Ending,
  { proof: mode }: Configuration,
): Pick<LoopResult, "proof" | "unproved"> {
  if (proof?.holds && proof.iteration === judgment?.iteration) return { proof: Proof.parse(proof) };
  if (statusOf[stop_reason] !== "completed") return { proof: null };
  if (stop_reason === "already_true") return { proof: null, unproved: message("unproved_already_true", {}) };
  return { proof: null, unproved: message(mode === "none" ? "unproved_as_asked" : "unproved_claim", {}) };
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
