import { statusOf } from "../../judgment/moves.ts";
import type { ProofMode } from "../../model/configuration.ts";
import { criterionText, isCheck, numbered } from "../../model/criterion.ts";
import { isOfCheck } from "../../model/evaluation.ts";
import { type Message, message } from "../../model/message.ts";
import { type ProvedCheck, VerdictProof } from "../../model/proof-record.ts";
import type { Judgment, LoopResult, LoopStatus, StopReason } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import type { RunContext } from "../run-context.ts";

interface Ended {
  stop_reason: StopReason;
  judgment: Judgment | null;
}

/** How the verdict was reached: by a proof, or without one, and then why. */
export function verdictProof(
  context: RunContext,
  state: RunState,
  { stop_reason, judgment }: Ended,
): Pick<LoopResult, "proof" | "unproved"> {
  const decided = proofOf(state, { status: statusOf[stop_reason], mode: context.configuration.proof });
  if (decided) return { proof: VerdictProof.parse(decided) };
  const checks = stop_reason === "already_true" ? greenChecks(context) : lastChecks(context, judgment);
  const proof = VerdictProof.parse({
    method: "none",
    holds: null,
    start: null,
    commit: null,
    checks,
    protected_changes: [],
    sandbox: context.sandbox,
  });
  return { proof, unproved: whyUnproved(context, stop_reason) };
}

/** The proof that the verdict rests on: of the last judgment's claim, or of an earlier one that was refuted and not made again. */
function proofOf({ proof, judgment }: RunState, { status, mode }: { status: LoopStatus; mode: ProofMode }) {
  const isOfLast = proof?.iteration === judgment?.iteration;
  const isOpen = proof?.holds === false && status !== "completed" && mode !== "none";
  return proof && (isOfLast || isOpen) ? proof : undefined;
}

/** Every check passed before the work, and there was none. */
function greenChecks({ configuration: { criteria } }: RunContext): ProvedCheck[] {
  return numbered(criteria).flatMap(({ id, criterion }) =>
    isCheck(criterion) ? [{ id, criterion: criterionText(criterion), before: true, after: true }] : [],
  );
}

/** The checks of a task are known by their numbers, the conditions of a flow by their names. */
function lastChecks({ ports }: RunContext, judgment: Judgment | null): ProvedCheck[] {
  const { before = {} } = ports.store.task;
  const checks = (judgment?.evaluations ?? []).filter(isOfCheck);
  return checks.map(({ id, criterion, is_met, passes, is_flaky }) => ({
    id,
    criterion,
    before: before[String(id)] ?? before[criterion] ?? null,
    after: is_met,
    ...(passes && { passes }),
    ...(is_flaky && { is_flaky }),
  }));
}

function whyUnproved({ configuration }: RunContext, stop_reason: StopReason): Message {
  if (stop_reason === "already_true") return message("unproved_already_true", {});
  if (configuration.proof === "none") return message("unproved_as_asked", {});
  return message(statusOf[stop_reason] === "completed" ? "unproved_claim" : "unproved_open", {});
}
