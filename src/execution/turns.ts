import { giveUpFor, hasFreshTurn, nextTurn, takesTurns, turnOf } from "../judgment/workers.ts";
import type { AgentReply, Assignment } from "../model/agent.ts";
import type { Worker } from "../model/configuration.ts";
import type { RunEvent } from "../model/events.ts";
import type { ExecutionSummary } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import { preferredOf, strongerOf, workerName } from "../model/workers.ts";
import { hasSpentAll } from "./ask.ts";
import type { Course } from "./course.ts";
import type { RunContext } from "./run-context.ts";
import { changeWorker, type TurnLog } from "./stand-in.ts";

/** Who is to work. A part of what the agents are told beforehand, so that the right one gets ready. */
export function workerNow({ configuration, ports }: RunContext, state: RunState): { worker?: Worker } {
  const { worker } = turnOf(configuration, state, ports.clock.now().getTime());
  return workerName(worker) === workerName(preferredOf(configuration)) ? {} : { worker };
}

/** What the workers say about a standstill. */
export function turnsOf({ configuration, ports }: RunContext, state: RunState) {
  const has_fresh_turn = hasFreshTurn(configuration, state, ports.clock.now().getTime());
  const stronger = strongerOf(configuration);
  const escalates =
    stronger !== undefined && workerName(stronger) !== (state.worker ?? workerName(preferredOf(configuration)));
  return { escalates, has_fresh_turn };
}

/** Before an iteration: gives the turn to a worker that is preferred to the last one, or takes it from one that keeps failing. */
export async function* takeTurn(context: RunContext, log: TurnLog, iteration: number): AsyncGenerator<RunEvent, void> {
  const turn = nextTurn(context.configuration, log.state, context.ports.clock.now().getTime());
  if (turn) yield* changeWorker(context, log, { iteration, ...turn });
}

/** Has the work done by the worker that the assignment names, else by the one whose turn it is. One that cannot be had for long gives way to the next within the iteration. */
export async function* workInTurns(
  course: Course,
  context: RunContext,
  { book, assignment }: { book: TurnLog; assignment: Assignment },
): AsyncGenerator<RunEvent, { reply: AgentReply; worker: Pick<ExecutionSummary, "worker"> }> {
  const { configuration, ports } = context;
  if (assignment.worker || !takesTurns(configuration)) return { reply: yield* course.work(assignment), worker: {} };
  for (;;) {
    const { worker, hasOthers } = turnOf(configuration, book.state, ports.clock.now().getTime());
    const name = workerName(worker);
    const patience = hasOthers ? { patience: configuration.fallback_after * 60 } : {};
    const reply = yield* course.work({ ...assignedTo(context, assignment, worker), ...patience });
    const now = ports.clock.now().getTime();
    const isOver = !hasOthers || hasSpentAll(context);
    const giveUp = reply.failure && !isOver ? giveUpFor(reply.failure, now) : undefined;
    if (!giveUp) return { reply, worker: { worker: name } };
    const away = { ...book.state.away, [name]: giveUp.until ?? null };
    const to = workerName(turnOf(configuration, { ...book.state, away }, now).worker);
    yield* changeWorker(context, book, { iteration: assignment.iteration, from: name, to, ...giveUp });
  }
}

/** A step's own model is the preferred agent's, and means nothing to another one. */
function assignedTo({ configuration }: RunContext, assignment: Assignment, worker: Worker): Assignment {
  if (workerName(worker) === workerName(preferredOf(configuration))) return assignment;
  const { model: _, ...rest } = assignment;
  return { ...rest, worker };
}

/** The run stands still: from now on the stronger worker has the turn. */
export async function* escalate(context: RunContext, log: TurnLog): AsyncGenerator<RunEvent, void> {
  const { configuration } = context;
  const stronger = strongerOf(configuration);
  if (!stronger) return;
  const from = log.state.worker ?? workerName(preferredOf(configuration));
  yield* changeWorker(context, log, {
    iteration: log.state.iterations + 1,
    from,
    to: workerName(stronger),
    cause: "stalled",
  });
}
