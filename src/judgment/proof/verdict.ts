import type { ProofMode } from "../../model/configuration.ts";
import { type Message, message } from "../../model/message.ts";
import {
  type Evaluation,
  isOfCheck,
  type Judgment,
  type Proof,
  type ProofRecord,
  type ProtectedChange,
} from "../../model/records.ts";
import type { ProtectionPolicy } from "./protection.ts";

/** What the proof has found out. */
export interface ProofEvidence {
  mode: ProofMode;
  /** Whether any check can run in a clean room. */
  needs_room: boolean;
  method: Proof["method"];
  /** How each check came out, in the clean room where there is one. */
  evaluations: readonly Evaluation[];
  /** Of those that failed in the clean room, the ones that pass there once the files made since are added. */
  with_made: readonly Evaluation[];
  /** A fresh judge's word on the sentences. Absent: it was not asked. */
  judgment?: Judgment;
  protected_changes: readonly ProtectedChange[];
  policy: ProtectionPolicy;
  made_since: readonly string[];
  /** The snapshot of the start is gone, so that nothing can be compared with it. */
  is_start_lost: boolean;
  /** `M path` and the like: programs, and settings in HOME. */
  toolchain_changes: readonly string[];
}

export type ProofVerdict = Pick<ProofRecord, "holds" | "method" | "weaker" | "evaluations" | "reasons" | "judged">;

/**
 * A claim holds only if every check passes again and no protected file has changed. Checks that need a build which the clean room does
 * not have are believed in place, where no reviewer can look and no clean proof is asked for; the report says so.
 */
export function verdictOn(evidence: ProofEvidence): ProofVerdict {
  const { mode, method, with_made, protected_changes, policy, made_since, toolchain_changes } = evidence;
  const restsOnBuild = with_made.length > 0;
  const isForgiven = restsOnBuild && mode === "auto";
  const evaluations = evidence.evaluations.map(
    (one) => (isForgiven && with_made.find(({ id }) => id === one.id)) || one,
  );
  const failed = evaluations.filter(({ is_met }) => !is_met);
  const files = { files: listed(made_since) };
  const isUnclean = mode === "clean" && evidence.needs_room && method !== "clean-room";
  const reasons: Message[] = [
    ...(isUnclean ? [message("proof_not_clean", {})] : []),
    ...(failed.length > 0 ? [message("proof_checks_failed", { count: failed.length })] : []),
    ...(restsOnBuild && !isForgiven ? [message("proof_rests_on", files)] : []),
    ...(protected_changes.length > 0 && policy !== "off"
      ? [message("protected_changed", { files: listed(protected_changes.map(asLine)) })]
      : []),
    ...(evidence.is_start_lost ? [message("start_lost", {})] : []),
    ...(toolchain_changes.length > 0 ? [message("toolchain_changed", { files: listed(toolchain_changes) })] : []),
    ...refusal(evidence.judgment),
  ];
  const judged = (evidence.judgment?.evaluations ?? []).filter((one) => !isOfCheck(one));
  return {
    holds: reasons.length === 0,
    method: isForgiven ? "in-place" : method,
    weaker: isForgiven ? [message("proof_rests_on", files)] : [],
    evaluations: [...evaluations, ...judged],
    judged: judged.map(({ id, criterion, is_met }) => ({ id, criterion, is_met })),
    reasons,
  };
}

/** Both judges must call every sentence met. */
function refusal(judgment: Judgment | undefined): Message[] {
  if (!judgment || judgment.is_complete) return [];
  return [
    message("proof_judged_unmet", {}),
    ...(judgment.reasons ?? []).filter(({ code }) => code.startsWith("judge_")),
  ];
}

function asLine({ path, status }: ProtectedChange): string {
  return `${LETTERS[status]} ${path}`;
}

const LETTERS = { added: "A", modified: "M", deleted: "D" } as const;
const MOST_NAMED = 20;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`+${more}`] : [])].join(", ");
}
