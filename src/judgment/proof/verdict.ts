import type { ProofMode } from "../../model/configuration.ts";
import { type Evaluation, isOfCheck } from "../../model/evaluation.ts";
import { type Message, message } from "../../model/message.ts";
import type {
  Proof,
  ProofRecord,
  ProtectedChange,
  ProtectionPolicy,
  Review,
  ReviewRecord,
} from "../../model/proof-record.ts";
import type { Judgment } from "../../model/records.ts";
import { demands, objectionsIn, unreadIn, wantsFile } from "./review.ts";

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
  /** Links to what was written outside the project. */
  links_out: readonly string[];
  /** Why the work could not be kept as a snapshot, although the start could. */
  snapshot_problem?: Message | undefined;
  /** Why no clean room could be made. */
  room_problem?: Message | undefined;
  /** `setup` fails in the clean room, and the work has changed what it rests on. */
  setup_problem?: Message | undefined;
  /** `M path` and the like: programs, and settings in HOME. */
  toolchain_changes: readonly string[];
  /** `pending`: the verdict so far, without what is left to the reviewers. */
  review: ReviewRecord | "pending";
}

export type ProofVerdict = Pick<
  ProofRecord,
  "holds" | "method" | "weaker" | "evaluations" | "reasons" | "judged" | "is_undecided"
>;

/**
 * A claim holds only if every check passes again, no protected file has changed without a reason, and no reviewer objects. Checks that
 * need a build which the clean room does not have are believed in place where the reviewers call it a build, or where there are none and
 * no clean proof is asked for; the report says so.
 */
export function verdictOn(evidence: ProofEvidence): ProofVerdict {
  const { method, made_since, review, with_made } = evidence;
  const reviews = review === "pending" ? [] : review.reviews;
  const build = restingOnBuild(evidence, reviews);
  const evaluations = evidence.evaluations.map(
    (one) => (build.isForgiven && with_made.find(({ id }) => id === one.id)) || one,
  );
  const reasons = unique([
    ...factsAgainst({ ...evidence, evaluations }, build),
    ...protectionReasons(evidence, reviews),
    ...refusal(evidence.judgment),
    ...reviews.flatMap(objectionsIn),
    ...(review !== "pending" && wantsFile(review) ? [message("review_wants_file", {})] : []),
  ]);
  const judged = (evidence.judgment?.evaluations ?? []).filter((one) => !isOfCheck(one));
  const unread = unreadIn(reviews);
  const silent = reviews.filter(({ problem }) => problem !== undefined);
  const is_undecided = reasons.length === 0 && silent.length > 0;
  return {
    holds: reasons.length === 0 && !is_undecided,
    method: build.isForgiven ? "in-place" : method,
    weaker: [
      ...(build.isForgiven ? [message("proof_rests_on", { files: listed(made_since) })] : []),
      ...(unread.length > 0 ? [message("review_text_unread", { ids: unread.join(", ") })] : []),
    ],
    evaluations: [...evaluations, ...judged],
    judged: judged.map(({ id, criterion, is_met }) => ({ id, criterion, is_met })),
    reasons: is_undecided ? silent.map(unusable) : reasons,
    ...(is_undecided && { is_undecided }),
  };
}

/** Whether a check fails in the clean room for want of files made since, and whether that is forgiven. */
interface Build {
  isWanting: boolean;
  isForgiven: boolean;
  /** The reviewer that does not call it a build. */
  against: Review | undefined;
}

function restingOnBuild(evidence: ProofEvidence, reviews: readonly Review[]): Build {
  const { mode, with_made, protected_changes, policy } = evidence;
  const isWanting = with_made.length > 0;
  const isOnOriginals = policy === "restore" && protected_changes.length > 0; // then the originals may be what fails
  const against = reviews.find(
    ({ problem, ignored_files }) => problem === undefined && !(ignored_files?.is_build && ignored_files.is_verified),
  );
  return { isWanting, isForgiven: isWanting && mode === "auto" && !isOnOriginals && !against, against };
}

/** Both judges must call every sentence met. */
function refusal(judgment: Judgment | undefined): Message[] {
  if (!judgment || judgment.is_complete) return [];
  return [
    message("proof_judged_unmet", {}),
    ...(judgment.reasons ?? []).filter(({ code }) => code.startsWith("judge_")),
  ];
}

function factsAgainst(evidence: ProofEvidence, { isWanting, isForgiven, against }: Build): Message[] {
  const { evaluations, made_since, is_start_lost, snapshot_problem } = evidence;
  const { links_out, setup_problem, toolchain_changes } = evidence;
  const failed = evaluations.filter(({ is_met }) => !is_met);
  const files = listed(made_since);
  const explanation = against?.ignored_files?.explanation ?? "";
  return [
    ...notClean(evidence),
    ...(failed.length > 0 ? [message("proof_checks_failed", { count: failed.length })] : []),
    ...(isWanting && !isForgiven && !against ? [message("proof_rests_on", { files })] : []),
    ...(isWanting && against ? [message("review_stamp", { files, explanation })] : []),
    ...(snapshot_problem ? [message("work_not_kept", { problem: snapshot_problem })] : []),
    ...(setup_problem ? [setup_problem] : []),
    ...(is_start_lost ? [message("start_lost", {})] : []),
    ...(links_out.length > 0 ? [message("links_out", { files: listed(links_out) })] : []),
    ...(toolchain_changes.length > 0 ? [message("toolchain_changed", { files: listed(toolchain_changes) })] : []),
  ];
}

/** A broken snapshot or `setup` is a reason of its own. */
function notClean({
  mode,
  method,
  needs_room,
  room_problem,
  snapshot_problem,
  setup_problem,
}: ProofEvidence): Message[] {
  if (mode !== "clean" || method === "clean-room" || !needs_room || snapshot_problem || setup_problem) return [];
  return [message("proof_not_clean", room_problem ? { problem: room_problem } : {})];
}

/** Originals can be put back in a clean room only. */
function protectionReasons(evidence: ProofEvidence, reviews: readonly Review[]): Message[] {
  const { protected_changes, policy, method, review } = evidence;
  if (protected_changes.length === 0 || policy === "off") return [];
  if (policy === "restore" && method === "clean-room") return [];
  if (policy === "review" && review === "pending") return [];
  if (policy !== "review" || reviews.length === 0)
    return [message("protected_changed", { files: listed(protected_changes.map(asLine)) })];
  const usable = reviews.filter(({ problem }) => problem === undefined);
  return protected_changes.flatMap((change) => {
    const against = usable.find((one) => !demands(one, change.path));
    if (!against) return [];
    const said = against.protected_files.find((one) => one.file === change.path && !one.is_demanded);
    return [message("review_undemanded", { file: asLine(change), explanation: said?.explanation ?? "" })];
  });
}

function unusable({ model, problem = "" }: Review): Message {
  return message("review_unusable", { model, problem });
}

/** Several reviewers may find the same. */
function unique(reasons: readonly Message[]): Message[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
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
