import type { Place } from "../../connection/ports/workspace.ts";
import { isTest, isWrittenByRuns } from "../../judgment/proof/file-kinds.ts";
import { isCompared } from "../../judgment/proof/manifests.ts";
import { protectedChanges, protectionOf } from "../../judgment/proof/protection.ts";
import { verdictOn } from "../../judgment/proof/verdict.ts";
import type { ChangedFile } from "../../model/changes.ts";
import { differencesBetween } from "../../model/digests.ts";
import type { RunEvent } from "../../model/events.ts";
import { type Message, message } from "../../model/message.ts";
import type { Evaluation, ProofRecord, ProtectedChange } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import { CheckRun } from "../goal/checks.ts";
import { type Goal, goalOf } from "../goal/goal.ts";
import type { RunContext } from "../run-context.ts";
import { commandsIn } from "./before.ts";

/**
 * Proves a claim once: the checks run again, in reverse, in a clean checkout of the work where one can be made, and the files that they
 * rest on are compared with those of the start.
 */
export async function* prove(context: RunContext, state: RunState): AsyncGenerator<RunEvent, ProofRecord> {
  const iteration = state.judgment?.iteration ?? state.iterations;
  yield { type: "phase-start", phase: "prove", iteration };
  const goal = goalOf(context.ports.store.task);
  const work = await keptWork(context, iteration);
  const protection = protectionOf(context.configuration.protect, context.has_reviewer);
  const files = await changedFiles(context, goal, { ...work, files: protection.files });
  const checked = yield* checkAgain(context, goal, { ...work, iteration });
  const verdict = verdictOn({
    ...checked,
    mode: context.configuration.proof,
    policy: protection.policy,
    protected_changes: files.protected_changes,
    made_since: files.made_since,
    is_start_lost: files.is_start_lost ?? false,
    toolchain_changes: await toolchainChanges(context, goal),
  });
  const { before = {} } = context.ports.store.task;
  return {
    type: "proof",
    iteration,
    ...verdict,
    weaker: [...checked.weaker, ...verdict.weaker],
    start: work.start,
    commit: work.commit,
    checks: checked.evaluations.map(({ id, criterion, is_met }) => ({
      id,
      criterion,
      before: before[String(id)] ?? null,
      after: is_met,
      ...(checked.failed_in_room.includes(id) && { fails_in_room: true }),
    })),
    protected_changes: files.protected_changes,
    made_since: files.made_since.slice(0, MOST_NAMED),
    timestamp: context.ports.clock.now().toISOString(),
  };
}

const MOST_NAMED = 50;

/** What is different outside the project since the start. Nothing is known of a task without checks at its start. */
async function toolchainChanges({ ports }: RunContext, goal: Goal): Promise<string[]> {
  const { toolchain } = ports.store.task;
  return toolchain ? differencesBetween(toolchain, await ports.commands.toolchain(commandsIn(goal.criteria))) : [];
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
  goal: Goal,
  { start, commit, files }: KeptWork & { files: readonly string[] },
): Promise<{ protected_changes: ProtectedChange[]; made_since: string[]; is_start_lost?: boolean }> {
  const ignored = await workspace.ignoredChanges();
  const made_since = ignored.filter(({ path, status }) => status !== "deleted" && !isWrittenByRuns(path));
  if (start === null || commit === null) return { protected_changes: [], made_since: made_since.map(pathOf) };
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
    commands: commandsIn(goal.criteria),
    task: configuration.task,
    files,
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
interface CheckedAgain {
  method: "clean-room" | "in-place";
  weaker: Message[];
  evaluations: Evaluation[];
  failed_in_room: number[];
}

/** A check that fails in the clean room is run once more in the workspace: it may rest on files that the room does not have. */
async function* checkAgain(
  context: RunContext,
  goal: Goal,
  { commit, problem, iteration }: KeptWork & { iteration: number },
): AsyncGenerator<RunEvent, CheckedAgain> {
  const room = await roomFor(context, commit, problem);
  if ("weaker" in room) {
    const evaluations = yield* runChecks(context, goal, { iteration });
    return { method: "in-place", weaker: room.weaker, evaluations, failed_in_room: [] };
  }
  try {
    const inRoom = yield* runChecks(context, goal, { iteration, place: room });
    const failed = inRoom.filter(({ is_met }) => !is_met).map(({ id }) => id);
    return { method: "clean-room", weaker: [], evaluations: inRoom, failed_in_room: failed };
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

async function* runChecks(
  context: RunContext,
  goal: Goal,
  { iteration, place }: { iteration: number; place?: Place },
): AsyncGenerator<RunEvent, Evaluation[]> {
  const checks = new CheckRun(context, iteration, { place, isReversed: true });
  try {
    checks.start(goal.criteria);
    const evaluations = yield* checks.finish();
    return evaluations.toSorted((left, right) => left.id - right.id);
  } finally {
    await checks.close();
  }
}
