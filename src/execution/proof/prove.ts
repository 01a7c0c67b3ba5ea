import type { Place } from "../../connection/ports/workspace.ts";
import { isTest, isWrittenByRuns } from "../../judgment/proof/file-kinds.ts";
import { isCompared } from "../../judgment/proof/own-tests.ts";
import { protectedChanges, protectionOf } from "../../judgment/proof/protection.ts";
import { type ProofEvidence, type ProofVerdict, verdictOn } from "../../judgment/proof/verdict.ts";
import type { ChangedFile } from "../../model/changes.ts";
import { differencesBetween } from "../../model/digests.ts";
import type { RunEvent } from "../../model/events.ts";
import { type Message, message } from "../../model/message.ts";
import type { ProofRecord, ProtectedChange, ProvedCheck } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import type { RunContext } from "../run-context.ts";
import { commandsBehind, scriptsOfChecks } from "./check-scripts.ts";
import type { CheckedAgain, Claim } from "./claim.ts";

/**
 * Proves a claim once: the checks run again, in reverse, in a clean checkout of the work where one can be made, and the files that they
 * rest on are compared with those of the start.
 */
export async function* prove(
  context: RunContext,
  claim: Claim,
  state: RunState,
): AsyncGenerator<RunEvent, ProofRecord> {
  const iteration = state.judgment?.iteration ?? state.iterations;
  yield { type: "phase-start", phase: "prove", iteration };
  const work = await keptWork(context, iteration);
  const protection = protectionOf(context.configuration.protect, context.has_reviewer);
  const files = await changedFiles(context, claim, { ...work, files: protection.files });
  const checked = yield* checkAgain(context, claim, { ...work, iteration });
  const { checks, ...found } = checked;
  const evaluations = checks.map(({ evaluation }) => evaluation);
  const evidence = {
    ...found,
    evaluations,
    needs_room: claim.needs_room,
    mode: context.configuration.proof,
    policy: protection.policy,
    protected_changes: files.protected_changes,
    made_since: files.made_since,
    is_start_lost: files.is_start_lost ?? false,
    toolchain_changes: await toolchainChanges(context, claim),
  };
  const verdict = yield* judgedAfresh(claim, { iteration, evidence });
  return {
    type: "proof",
    iteration,
    ...verdict,
    weaker: [...checked.weaker, ...verdict.weaker],
    start: work.start,
    commit: work.commit,
    checks: checks.map((one) => provedCheck(claim, one, found.failed_in_room)),
    protected_changes: files.protected_changes,
    made_since: files.made_since.slice(0, MOST_NAMED),
    timestamp: context.ports.clock.now().toISOString(),
  };
}

/** Asks a fresh judge, where there is something to judge and nothing else refutes the claim. */
async function* judgedAfresh(
  claim: Claim,
  { iteration, evidence }: { iteration: number; evidence: ProofEvidence },
): AsyncGenerator<RunEvent, ProofVerdict> {
  const verdict = verdictOn(evidence);
  if (!verdict.holds || !claim.judge) return verdict;
  return verdictOn({ ...evidence, judgment: yield* claim.judge(iteration, evidence.evaluations) });
}

function provedCheck(
  claim: Claim,
  { evaluation, is_in_place }: CheckedAgain,
  failedInRoom: readonly number[],
): ProvedCheck {
  const { id, criterion, is_met } = evaluation;
  return {
    id,
    criterion,
    before: claim.before(evaluation),
    after: is_met,
    ...(failedInRoom.includes(id) && { fails_in_room: true }),
    ...(is_in_place && { is_in_place }),
    ...(evaluation.passes && { passes: evaluation.passes }),
    ...(evaluation.is_flaky && { is_flaky: true }),
  };
}

const MOST_NAMED = 50;

/** What is different outside the project since the start. Nothing is known of a task without checks at its start. */
async function toolchainChanges(context: RunContext, { commands }: Claim): Promise<string[]> {
  const { ports } = context;
  const { toolchain } = ports.store.task;
  if (!toolchain) return [];
  return differencesBetween(toolchain, await ports.commands.toolchain(await scriptsOfChecks(context, commands)));
}

/** The snapshots of the start and of the work, and why one is missing. */
interface KeptWork {
  start: string | null;
  commit: string | null;
  problem?: Message;
}

async function keptWork({ ports }: RunContext, iteration: number): Promise<KeptWork> {
  const { store, workspace } = ports;
  const start = store.task.start ?? null;
  const kept = await workspace.snapshot(String(iteration));
  return "commit" in kept ? { start, commit: kept.commit } : { start, commit: null, problem: kept.problem };
}

async function changedFiles(
  { ports: { workspace }, configuration }: RunContext,
  { commands, rests_on_tests }: Claim,
  { start, commit, files }: KeptWork & { files: readonly string[] },
): Promise<{ protected_changes: ProtectedChange[]; made_since: string[]; is_start_lost?: boolean }> {
  const ignored = await workspace.ignoredChanges();
  const made_since = ignored.filter(({ path, status }) => status !== "deleted" && !isWrittenByRuns(path));
  if (start === null || commit === null) {
    const is_start_lost = start !== null && !(await workspace.changes(start, start));
    return { protected_changes: [], made_since: made_since.map(pathOf), is_start_lost };
  }
  const found = await workspace.changes(start, commit);
  if (!found) return { protected_changes: [], made_since: [], is_start_lost: true };
  const changes = found.filter(hasStatus);
  const paths = changes.map(pathOf).filter(isCompared);
  const [before, now, all] = await Promise.all([
    workspace.textsAt(start, paths),
    workspace.textsAt(commit, paths),
    workspace.paths(start),
  ]);
  const protected_changes = protectedChanges({
    changes: [
      ...changes.map(({ path, status }) => ({ path, status, is_ignored: false })),
      ...ignored.map(({ path, status }) => ({ path, status, is_ignored: true })),
    ],
    commands: await commandsBehind(workspace, { commands, start, paths: all }),
    task: configuration.task,
    files,
    named_only: !rests_on_tests,
    may_change: configuration.may_change,
    had_tests: all.some(isTest),
    text: (path, when) => (when === "start" ? before : now).get(path),
  });
  return { protected_changes, made_since: made_since.filter(({ status }) => status === "added").map(pathOf) };
}

function pathOf({ path }: { path: string }): string {
  return path;
}

function hasStatus(file: ChangedFile): file is ChangedFile & { status: NonNullable<ChangedFile["status"]> } {
  return file.status !== null;
}

/** How the checks came out when they ran again. */
interface CheckedClaim {
  method: "clean-room" | "in-place";
  weaker: Message[];
  checks: CheckedAgain[];
  failed_in_room: number[];
}

async function* checkAgain(
  context: RunContext,
  claim: Claim,
  { commit, problem, iteration }: KeptWork & { iteration: number },
): AsyncGenerator<RunEvent, CheckedClaim> {
  const room = claim.needs_room
    ? await roomFor(context, commit, problem)
    : { weaker: [message("proof_about_workspace", {})] };
  if ("weaker" in room) {
    const checks = yield* claim.check(iteration, undefined);
    return { method: "in-place", weaker: room.weaker, checks, failed_in_room: [] };
  }
  try {
    const checks = yield* claim.check(iteration, room);
    const failed = checks.filter(({ evaluation, is_in_place }) => !evaluation.is_met && !is_in_place);
    return { method: "clean-room", weaker: [], checks, failed_in_room: failed.map(({ evaluation }) => evaluation.id) };
  } finally {
    await room.release();
  }
}

async function roomFor(
  { configuration, ports }: RunContext,
  commit: string | null,
  problem: Message | undefined,
): Promise<Place | { weaker: Message[] }> {
  if (configuration.proof === "in-place") return { weaker: [message("proof_in_place_asked", {})] };
  const room =
    commit === null
      ? { problem: problem ?? message("proof_without_snapshot", {}) }
      : await ports.workspace.checkout(commit);
  return "problem" in room ? { weaker: [message("room_missing", { problem: room.problem })] } : room;
}
