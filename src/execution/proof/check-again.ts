import type { Place } from "../../connection/ports/workspace.ts";
import type { RunEvent } from "../../model/events.ts";
import { type Message, message } from "../../model/message.ts";
import type { Evaluation } from "../../model/records.ts";
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
  /** Files that the snapshot does not have. */
  left_out?: readonly string[];
}

interface ClaimedWork extends KeptWork {
  iteration: number;
  /** Ignored files that the room does not have. */
  made_since: readonly string[];
}

/** Runs the checks in reverse, in a clean checkout where one can be made. */
export async function* checkAgain(
  context: RunContext,
  claim: Claim,
  work: ClaimedWork,
): AsyncGenerator<RunEvent, CheckedClaim> {
  const { iteration, made_since } = work;
  const room = claim.needs_room ? yield* roomFor(context, work) : { weaker: [message("proof_about_workspace", {})] };
  if ("weaker" in room) {
    const checks = yield* claim.check(iteration, undefined);
    return { method: "in-place", weaker: room.weaker, checks, with_made: [] };
  }
  try {
    const checks = yield* claim.check(iteration, room);
    const failed = checks.filter(({ evaluation, is_in_place }) => !evaluation.is_met && !is_in_place);
    let again: CheckedAgain[] = [];
    if (failed.length > 0 && made_since.length > 0) {
      await room.add(made_since);
      const only = failed.map(({ evaluation }) => evaluation.id);
      again = yield* claim.check(iteration, room, only);
    }
    const with_made = again.map(({ evaluation }) => evaluation).filter(({ is_met }) => is_met);
    return { method: "clean-room", weaker: [], checks, with_made };
  } finally {
    await room.release();
  }
}

/** A clean checkout with its setup done, or why there is none. */
async function* roomFor(
  context: RunContext,
  { commit, problem, iteration }: ClaimedWork,
): AsyncGenerator<RunEvent, Place | { weaker: Message[] }> {
  const { configuration, ports } = context;
  if (configuration.proof === "in-place") return { weaker: [message("proof_in_place_asked", {})] };
  const missing = (why: Message) => ({ weaker: [message("room_missing", { problem: why })] });
  if (commit === null) return missing(problem ?? message("proof_without_snapshot", {}));
  const room = await ports.workspace.checkout(commit, await toolchainOfSetup(context));
  if ("problem" in room) return missing(room.problem);
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

async function toolchainOfSetup({ configuration: { setup }, ports }: RunContext) {
  return setup.length > 0 ? ports.commands.toolchain(setup) : {};
}
