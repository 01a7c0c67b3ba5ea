import type { IgnoredChange, Place } from "../../connection/ports/workspace.ts";
import { isDependency, isWrittenByRuns } from "../../judgment/proof/file-kinds.ts";
import type { Digests } from "../../model/digests.ts";
import { E8Error } from "../../model/errors.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import { type Message, message } from "../../model/message.ts";
import type { RunContext } from "../run-context.ts";
import type { CheckedAgain, Claim } from "./claim.ts";
import { setUp } from "./set-up.ts";

/** How the checks came out when they ran again. */
interface CheckedClaim {
  method: "clean-room" | "in-place";
  weaker: Message[];
  checks: CheckedAgain[];
  /** Those that failed in the clean room and pass there once the files made since are added. */
  with_made: Evaluation[];
}

/** The snapshots of the start and of the work, and why one is missing. */
export interface KeptWork {
  start: string | null;
  commit: string | null;
  problem?: Message;
  /** Files that the snapshot does not have: too many or too large, or not readable. */
  left_out?: readonly string[];
  unreadable?: readonly string[];
}

interface ClaimedWork extends KeptWork {
  iteration: number;
  /** Ignored files that the room does not have. */
  made_since: readonly string[];
}

/** Where a claim is proved: a clean checkout, or why there is none. `problem`: one was wanted, and could not be made. */
export type Room = Place | { weaker: Message[]; problem?: Message };

/** Runs the checks in reverse, in a clean checkout where there is one. */
export async function* checkAgain(
  claim: Claim,
  room: Room,
  { iteration, made_since }: Pick<ClaimedWork, "iteration" | "made_since">,
): AsyncGenerator<RunEvent, CheckedClaim> {
  if ("weaker" in room) {
    const checks = yield* claim.check(iteration, undefined);
    return { method: "in-place", weaker: room.weaker, checks, with_made: [] };
  }
  const checks = yield* claim.check(iteration, room);
  const failed = checks.filter(({ evaluation, is_in_place }) => !evaluation.is_met && !is_in_place);
  if (failed.length > 0) await room.verifySpace();
  let again: CheckedAgain[] = [];
  if (failed.length > 0 && made_since.length > 0) {
    await room.add(made_since);
    const only = failed.map(({ evaluation }) => evaluation.id);
    again = yield* claim.check(iteration, room, only);
  }
  const with_made = again.map(({ evaluation }) => evaluation).filter(({ is_met }) => is_met);
  return { method: "clean-room", weaker: [], checks, with_made };
}

/** Opens the clean checkout of the work. Who opens it releases it. */
export async function* roomOf(
  context: RunContext,
  { needs_room }: Pick<Claim, "needs_room">,
  work: Omit<ClaimedWork, "made_since">,
): AsyncGenerator<RunEvent, Room> {
  return needs_room ? yield* roomFor(context, work) : { weaker: [message("proof_about_workspace", {})] };
}

/** A clean checkout with its setup done, or why there is none. */
async function* roomFor(
  context: RunContext,
  { start, commit, problem, iteration }: Omit<ClaimedWork, "made_since">,
): AsyncGenerator<RunEvent, Room> {
  const { configuration, ports } = context;
  if (configuration.proof === "in-place") return { weaker: [message("proof_in_place_asked", {})] };
  const missing = (why: Message) => ({ weaker: [message("room_missing", { problem: why })], problem: why });
  if (commit === null) {
    const why = problem ?? message("proof_without_snapshot", {});
    if (start === null) refuseWeaker(context, why);
    return missing(why);
  }
  const toolchain = await toolchainOfSetup(context);
  const room = await ports.workspace.checkout(commit, toolchain);
  if ("problem" in room) {
    if (!(await isOfWork(context, room.problem, { start, toolchain }))) refuseWeaker(context, room.problem);
    return missing(room.problem);
  }
  if (!room.needs_setup) return room;
  let failure: Message | undefined;
  let isOver = false;
  try {
    failure = yield* setUp(context, room, iteration);
    isOver = true;
  } finally {
    if (!isOver || failure) await room.release();
  }
  return failure ? missing(failure) : room;
}

/** Where nothing but a clean proof is asked for, no worker can help what keeps it from being made: the run ends. */
export function refuseWeaker({ configuration }: RunContext, problem: Message): void {
  if (configuration.proof !== "clean") return;
  const { path } = problem.params as { path?: string };
  if (problem.code === "room_full" && path !== undefined) throw new E8Error("disk_full", { path });
  throw new E8Error("clean_room_missing", { problem });
}

/** Whether only the files of the work cannot be checked out, and those of the start can: then a worker can put it right. */
async function isOfWork(
  { configuration, ports }: RunContext,
  problem: Message,
  { start, toolchain }: { start: string | null; toolchain: Digests },
): Promise<boolean> {
  if (configuration.proof !== "clean" || problem.code !== "room_failed" || start === null) return false;
  const room = await ports.workspace.checkout(start, toolchain);
  if ("problem" in room) return false;
  await room.release();
  return true;
}

async function toolchainOfSetup({ configuration: { setup }, ports }: RunContext): Promise<Digests> {
  return setup.length > 0 ? ports.commands.toolchain(setup) : {};
}

/** Ignored files that a room does not have: made or built anew since the start. What test runs write does not count. */
export function madeSince(ignored: readonly IgnoredChange[]): string[] {
  const isMeant = ({ path, status, is_made_by_setup }: IgnoredChange) =>
    (status === "added" || (status === "modified" && !isDependency(path))) &&
    !isWrittenByRuns(path) &&
    !is_made_by_setup;
  return ignored.filter(isMeant).map(({ path }) => path);
}
