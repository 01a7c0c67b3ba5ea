import type { IgnoredChange, Originals } from "../../connection/ports/workspace.ts";
import { isManifest } from "../../judgment/proof/file-kinds.ts";
import { isLock } from "../../judgment/proof/manifests.ts";
import { type Protection, protectionOf } from "../../judgment/proof/protection.ts";
import { type ProofEvidence, type ProofVerdict, verdictOn } from "../../judgment/proof/verdict.ts";
import type { ChangedFile } from "../../model/changes.ts";
import { differencesBetween } from "../../model/digests.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import { type Message, message } from "../../model/message.ts";
import type { ProofRecord, ProtectedChange, ProvedCheck, ReviewRecord } from "../../model/proof-record.ts";
import type { RunState } from "../../model/state.ts";
import type { RunContext } from "../run-context.ts";
import { changedFiles, compared } from "./changed-files.ts";
import { checkAgain, type KeptWork, madeSince, type Room, roomOf } from "./check-again.ts";
import { scriptsOfChecks } from "./check-scripts.ts";
import type { CheckedAgain, Claim } from "./claim.ts";
import { type ReviewMaterial, reviewWork } from "./review.ts";

/**
 * Proves a claim once: the checks run again, in reverse, in a clean checkout of the work where one can be made, the files that they
 * rest on are compared with those of the start, and where nothing speaks against the claim yet, the reviewers read what has changed.
 */
export async function* prove(
  context: RunContext,
  claim: Claim,
  state: RunState,
): AsyncGenerator<RunEvent, ProofRecord> {
  const iteration = state.judgment?.iteration ?? state.iterations;
  yield { type: "phase-start", phase: "prove", iteration };
  const work = await keptWork(context, iteration, state);
  const looking = Promise.all([compared(context, work), context.ports.workspace.ignoredChanges()]);
  looking.catch(() => {}); // told where it is awaited
  const room = yield* roomOf(context, claim, { ...work, iteration });
  try {
    return yield* proveIn(context, claim, { room, work, looking, state });
  } finally {
    if (!("weaker" in room)) await room.release();
  }
}

/** What has changed since the start, and which ignored files have: found out while the clean checkout is made. */
type Looking = Promise<[Awaited<ReturnType<typeof compared>>, IgnoredChange[]]>;

async function* proveIn(
  context: RunContext,
  claim: Claim,
  { room, work, looking, state }: { room: Room; work: KeptWork; looking: Looking; state: RunState },
): AsyncGenerator<RunEvent, ProofRecord> {
  const iteration = state.judgment?.iteration ?? state.iterations;
  const place = "weaker" in room ? undefined : room;
  const room_problem = "weaker" in room ? room.problem : undefined;
  const protection = protectionOf(context.configuration.protect, context.has_reviewer);
  const [comparison, all] = await looking;
  const made_since = madeSince(all);
  const ignored = place ? all.filter((one) => !one.is_made_by_setup) : all;
  const { changes, ...files } = await changedFiles(context, claim, {
    comparison,
    files: protection.files,
    ignored,
  });
  const unallowed = files.protected_changes.filter(({ is_allowed }) => !is_allowed);
  const originals = originalsOf(protection, work, unallowed);
  if (originals) await place?.putBack(originals);
  const { checks, ...checked } = yield* checkAgain(claim, room, { iteration, made_since });
  const protected_changes = unallowed.filter((change) => !isLeftOutside(change, { ...checked, made_since }));
  const evidence = {
    ...checked,
    ...{ ...files, protected_changes },
    evaluations: checks.map(({ evaluation }) => evaluation),
    needs_room: claim.needs_room,
    mode: context.configuration.proof,
    policy: protection.policy,
    made_since,
    toolchain_changes: await toolchainChanges(context, claim),
    snapshot_problem: snapshotProblem(work),
    setup_problem: setupProblem(room_problem, changes),
    room_problem,
  };
  const notes = state.notes.map(({ text }) => text);
  const { review, ...verdict } = yield* opinions(context, claim, {
    evidence,
    material: {
      ...{ iteration, notes, ...work, changes, ignored, place, earlier: state.proof },
      protected_changes,
      checks: checks.map((one) => provedCheck(claim, one, evidence)),
    },
  });
  return {
    type: "proof",
    iteration,
    ...verdict,
    weaker: [...checked.weaker, ...verdict.weaker, ...leftOut(work)],
    start: work.start,
    commit: work.commit,
    checks: checks.map((one) => provedCheck(claim, one, { ...checked, evaluations: verdict.evaluations })),
    protected_changes: [...files.protected_changes.filter(({ is_allowed }) => is_allowed), ...protected_changes],
    protection: protection.policy,
    made_since: made_since.slice(0, MOST_NAMED),
    review,
    sandbox: context.sandbox,
    timestamp: context.ports.clock.now().toISOString(),
  };
}

interface Opined {
  evidence: Omit<ProofEvidence, "review">;
  material: Omit<ReviewMaterial, "is_refuted" | "rests_on_ignored" | "decides_files">;
}

/** Asks a fresh judge and then the reviewers, each as long as nothing else refutes the claim. */
async function* opinions(
  context: RunContext,
  claim: Claim,
  { evidence, material }: Opined,
): AsyncGenerator<RunEvent, ProofVerdict & { review: ReviewRecord }> {
  const pending = verdictOn({ ...evidence, review: "pending" });
  const judgment =
    pending.holds && claim.judge ? yield* claim.judge(material.iteration, evidence.evaluations) : undefined;
  const judged = { ...evidence, ...(judgment && { judgment }) };
  const review = yield* reviewWork(context, claim.demand, {
    ...material,
    rests_on_ignored: evidence.with_made.length > 0,
    decides_files: evidence.policy === "review",
    is_refuted: !verdictOn({ ...judged, review: "pending" }).holds,
  });
  return { ...verdictOn({ ...judged, review }), review };
}

/** The clean room does not have what was made since and is ignored. Where all checks pass without it, they do not rest on it. */
function isLeftOutside(
  { path, status }: ProtectedChange,
  { method, with_made, made_since }: Pick<ProofEvidence, "method" | "with_made" | "made_since">,
): boolean {
  return method === "clean-room" && with_made.length === 0 && status === "added" && made_since.includes(path);
}

/** The protected files of the start, where the checks are to run on them. */
function originalsOf(
  { policy }: Protection,
  { start }: KeptWork,
  protected_changes: readonly ProtectedChange[],
): Originals | undefined {
  if (policy !== "restore" || start === null || protected_changes.length === 0) return undefined;
  return { commit: start, paths: protected_changes.map(pathOf) };
}

/** `evaluations`: the final ones, which count a check that rests on files made since as met. */
function provedCheck(
  claim: Claim,
  { evaluation, is_in_place }: CheckedAgain,
  { method, evaluations }: Pick<ProofEvidence, "method" | "evaluations">,
): ProvedCheck {
  const { id, criterion, is_met } = evaluation;
  const final = evaluations.find((one: Evaluation) => one.id === id) ?? evaluation;
  return {
    id,
    criterion,
    before: claim.before(evaluation),
    after: final.is_met,
    ...(method === "clean-room" && !is_met && !is_in_place && { fails_in_room: true }),
    ...(is_in_place && { is_in_place }),
    ...(evaluation.passes && { passes: evaluation.passes }),
    ...(evaluation.is_flaky && { is_flaky: true }),
  };
}

const MOST_NAMED = 50;

/** A worker must not get round the comparison with the start. Where the start could not be kept either, there is none. */
function snapshotProblem({ start, commit, problem }: KeptWork): Message | undefined {
  return start !== null && commit === null ? problem : undefined;
}

/** A worker must not get round the clean checkout by breaking what `setup` reads. */
function setupProblem(problem: Message | undefined, changes: readonly ChangedFile[]): Message | undefined {
  const files = changes.map(pathOf).filter((path) => isManifest(path) || isLock(path));
  return problem?.code === "setup_failed" && files.length > 0
    ? message("setup_broken", { problem, files: files.slice(0, 5).join(", ") })
    : undefined;
}

/** The work is compared with its start without them. */
function leftOut({ left_out = [], unreadable = [] }: KeptWork): Message[] {
  const named = (files: readonly string[]) => ({ count: files.length, files: files.slice(0, 5).join(", ") });
  return [
    ...(left_out.length > 0 ? [message("snapshot_left_out", named(left_out))] : []),
    ...(unreadable.length > 0 ? [message("snapshot_unreadable", named(unreadable))] : []),
  ];
}

/** What is different outside the project since the start. Of programs nothing is known where the task had no checks at its start. */
async function toolchainChanges(context: RunContext, { commands }: Claim): Promise<string[]> {
  const { ports } = context;
  const { toolchain, model_settings } = ports.store.task;
  const settings = model_settings ? differencesBetween(model_settings, await ports.commands.modelSettings()) : [];
  if (!toolchain) return settings;
  const now = await ports.commands.toolchain(await scriptsOfChecks(context, commands));
  return [...new Set([...settings, ...differencesBetween(toolchain, now)])];
}

/** Once the base was merged, the work is what differs from the base: its other changes are not the worker's. */
async function keptWork({ ports }: RunContext, iteration: number, { landing }: RunState): Promise<KeptWork> {
  const { store, workspace } = ports;
  const base = landing?.base_commit;
  const start =
    base === undefined ? (store.task.protected_start ?? store.task.start ?? null) : await workspace.whole(base);
  const kept = await workspace.snapshot(String(iteration));
  if ("problem" in kept) return { start, commit: null, problem: kept.problem };
  return { start, ...kept };
}

function pathOf({ path }: { path: string }): string {
  return path;
}
