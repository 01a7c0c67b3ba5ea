import type { Recalled } from "../connection/ports/open-task.ts";
import { acceptedAfterJudgment, standingAfterWork } from "../judgment/accepted-evidence.ts";
import { standsFromBefore } from "../judgment/new-evidence.ts";
import { isOverruled } from "../judgment/proof/test-count.ts";
import { standsStill } from "../judgment/standstill.ts";
import { type Evaluation, isOfCheck } from "../model/evaluation.ts";
import { message } from "../model/message.ts";
import type { ProofRecord } from "../model/proof-record.ts";
import type { ExecutionSummary, HistoryRecord, JudgmentRecord, LandingRecord, LoopResult } from "../model/records.ts";
import { NOTHING_DONE, type RunState } from "../model/state.ts";
import type { WorkerRecord } from "../model/workers.ts";

const ARTIFACTS_KEPT = 200;
const FILES_KEPT = 5000;

/** The state after one more record. */
export function fold(state: RunState, record: HistoryRecord): RunState {
  switch (record.type) {
    case "summary":
      return {
        ...state,
        iterations: record.iteration,
        summary: record,
        ...committedBy(state, record.snapshot),
        artifacts: [...new Set([...state.artifacts, ...record.artifacts])].slice(-ARTIFACTS_KEPT),
        accepted: standingAfterWork(state.accepted, record),
        ...workedBy(state, record),
        files_seen: [...new Set([...state.files_seen, ...record.metadata.files_modified])].slice(-FILES_KEPT),
      };
    case "judgment":
      if (record.is_undecided) return { ...state, undecided: record };
      return {
        ...state,
        judgment: record,
        judged: standsFromBefore(record) ? state.judged : state.summary,
        checked: checkedAfter(state, record.evaluations),
        undecided: null,
        standstill: standstillAfter(state, record),
        accepted: acceptedAfterJudgment(state.accepted, record),
      };
    case "proof":
      if (record.is_undecided) return { ...state, ...committedBy(state, record.commit) }; // the claim is proved again
      return {
        ...state,
        ...committedBy(state, record.commit),
        proof: record,
        standstill: standstillAfterProof(state, record),
        checked: provedAfter(state, record.evaluations),
      };
    case "worker":
      return afterTurn(state, record);
    case "landing":
      return { ...afterLanding(state, record), landed_last: true };
    case "effect":
      return { ...state, effects: { ...state.effects, [record.key]: record.stage } };
    case "note":
      return { ...state, notes: [...state.notes, record] };
    case "final_result": // starting the run again gives it a new chance
      return {
        ...state,
        ended: { usage: record.usage, timestamp: record.timestamp },
        standstill: 0,
        conflicts: 0,
        failed_in_a_row: {},
        away: Object.fromEntries(Object.entries(state.away).filter(([, until]) => until !== null)),
        landing: state.landing?.outcome === "failed" ? null : state.landing,
        ...(record.stop_reason === "conditions_failed" && {
          judgment: withoutAttempts(state.judgment),
          proof: withoutAttempts(state.proof),
        }),
      };
  }
}

function committedBy(state: RunState, commit: string | null | undefined): Pick<RunState, "snapshot" | "landed_last"> {
  const { snapshot, landed_last } = state;
  return commit == null ? { snapshot, landed_last } : { snapshot: commit, landed_last: false };
}

/** An iteration without checks, such as a step of a flow, says nothing about those of the one before. */
function checkedAfter({ checked, summary }: RunState, evaluations: readonly Evaluation[]): RunState["checked"] {
  if (!evaluations.some(isOfCheck)) return checked;
  return summary?.snapshot === undefined ? null : { snapshot: summary.snapshot, failed: waveringIn(evaluations) };
}

/** The proof looks at the same files. */
function provedAfter({ checked }: RunState, evaluations: readonly Evaluation[]): RunState["checked"] {
  return checked && { ...checked, failed: [...new Set([...checked.failed, ...waveringIn(evaluations)])] };
}

function waveringIn(evaluations: readonly Evaluation[]): string[] {
  const wavering = evaluations.filter((one) => isOfCheck(one) && (one.is_flaky || (!one.is_met && !isOverruled(one))));
  return wavering.map(({ criterion }) => criterion);
}

/** A step that a program does is no worker's. */
function workedBy(
  { failed_in_a_row, worked }: RunState,
  { worker, failure }: ExecutionSummary,
): Pick<RunState, "failed_in_a_row" | "worked"> {
  if (worker === undefined) return { failed_in_a_row, worked };
  const failed = failure ? (failed_in_a_row[worker] ?? 0) + 1 : 0;
  return {
    failed_in_a_row: { ...failed_in_a_row, [worker]: failed },
    worked: { ...worked, [worker]: (worked[worker] ?? 0) + 1 },
  };
}

/** One that has yet to fail begins without the standstill of those before it. */
function afterTurn(state: RunState, { from, to, cause, until, iteration }: WorkerRecord): RunState {
  const isFresh = cause === "stalled" || (cause === "failing" && (state.failed_in_a_row[to] ?? 0) === 0);
  const isAway = cause === "limited" || cause === "unavailable";
  return {
    ...state,
    worker: to,
    ...(isFresh && { standstill: 0 }),
    ...(isAway && { away: { ...state.away, [from]: until ?? null } }),
    ...(cause === "stalled" && { escalated: { iteration, to } }),
  };
}

/** A merge makes another tree, which nothing has proved. A conflict takes the claim back: the next worker settles it. */
function afterLanding(state: RunState, record: LandingRecord): RunState {
  const { outcome, base, files = [] } = record;
  if (outcome === "merged") return { ...state, landing: record, proof: null };
  if (outcome !== "conflict") return { ...state, landing: record };
  const reasons = [message("merge_conflict", { base, files })];
  const judgment = state.judgment && { ...state.judgment, is_complete: false, reasons };
  return { ...state, landing: record, proof: null, judgment, conflicts: state.conflicts + 1, standstill: 0 };
}

function standstillAfter({ summary, judgment, proof, standstill }: RunState, record: JudgmentRecord): number {
  const claimsAgain = record.is_complete && proof?.holds === false;
  if (claimsAgain && summary?.metadata.files_modified.length === 0) return standstill;
  return summary && standsStill(judgment, summary, record) ? standstill + 1 : 0;
}

/** A refuted claim that comes again without a changed file gets nowhere. */
function standstillAfterProof({ summary, standstill }: RunState, { holds }: ProofRecord): number {
  return holds || (summary?.metadata.files_modified.length ?? 0) > 0 ? 0 : standstill + 1;
}

function withoutAttempts<R extends JudgmentRecord | ProofRecord>(record: R | null): R | null {
  return record?.flow ? { ...record, flow: { ...record.flow, attempts: {} } } : record;
}

function isFinal(record: HistoryRecord): boolean {
  return (record.type === "judgment" && record.is_complete) || (record.type === "proof" && record.holds);
}

/** Where the next run continues. */
export interface Recovery {
  state: RunState;
  /** The iteration that a run judged complete before it was killed. */
  unconfirmed: number | undefined;
  /** How the last run ended; undefined where it was killed. */
  result: LoopResult | undefined;
}

/**
 * Folds all records of a task. A final verdict without a following effect or ending does not count: records are flushed to the
 * disk, but the worker's files are not, so a power cut may have lost the work.
 */
export async function recover(recalled: Recalled, effectsBegun = false): Promise<Recovery> {
  let state = recalled.state ?? NOTHING_DONE; // after a summary, which is no verdict
  let beforeVerdict: RunState | undefined;
  let result: LoopResult | undefined;
  for await (const record of recalled.records) {
    beforeVerdict = isFinal(record) ? state : undefined;
    state = fold(state, record);
    result = record.type === "final_result" ? record : undefined;
  }
  if (!beforeVerdict || effectsBegun) return { state, unconfirmed: undefined, result };
  return { state: beforeVerdict, unconfirmed: state.judgment?.iteration, result };
}

/** All that the records say, an unconfirmed verdict included. */
export async function folded(recalled: Recalled): Promise<RunState> {
  let state = recalled.state ?? NOTHING_DONE;
  for await (const record of recalled.records) state = fold(state, record);
  return state;
}
