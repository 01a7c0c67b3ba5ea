import type { Expectation } from "../connection/ports/agent.ts";
import { giveUpFor, isAway, type Past, rosterOf, turnOf } from "../judgment/workers.ts";
import type { AgentFailure, Assignment } from "../model/agent.ts";
import type { Worker } from "../model/configuration.ts";
import type { RunEvent } from "../model/events.ts";
import type { HistoryRecord } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import { preferredOf, type WorkerRecord, workerName } from "../model/workers.ts";
import type { RunContext } from "./run-context.ts";

/** The records of a run, as far as changes of the worker need them. */
export interface TurnLog {
  readonly state: RunState;
  enter(record: HistoryRecord): Promise<void>;
}

/** Records that another worker takes over, then announces it. */
export async function* changeWorker(
  { ports }: RunContext,
  log: TurnLog,
  about: Omit<WorkerRecord, "type" | "timestamp">,
): AsyncGenerator<RunEvent, void> {
  const change: WorkerRecord = { type: "worker", ...about, timestamp: ports.clock.now().toISOString() };
  await log.enter(change);
  yield { type: "worker-change", change };
}

/**
 * While the preferred agent cannot be asked, another worker also takes its roles, with its own models: the one that works, or where that one
 * does not take the role, the first that does.
 */
export function standIn(context: RunContext, expected: Expectation): Pick<Assignment, "worker"> {
  const { state } = context.turns.log ?? {};
  const worker = state && substituteFor(context, expected, state);
  return worker ? { worker } : {};
}

function substituteFor(context: RunContext, expected: Expectation, past: Past): Worker | undefined {
  const { configuration, ports } = context;
  const now = ports.clock.now().getTime();
  if (!isAway(past, preferredOf(configuration), now)) return undefined;
  const all = [turnOf(configuration, past, now).worker, ...rosterOf(configuration, past)];
  return all.find((one) => !isAway(past, one, now) && takes(context, expected, one));
}

/** Whether this worker answers the role itself. A preferred agent may not take the role, and a model over an API is not a worker. */
function takes({ ports }: RunContext, expected: Expectation, worker: Worker): boolean {
  return ports.agents.answererOf({ ...expected, worker }) === workerName(worker);
}

/** The worker that answers in a role, if it is one of them. */
function askedIn(context: RunContext, expected: Expectation): Worker | undefined {
  const worker = standIn(context, expected).worker ?? preferredOf(context.configuration);
  return takes(context, expected, worker) ? worker : undefined;
}

/** Without a summary of a model, or an intake, the run can go on; without a judge, it cannot. */
export function isDispensable({ role }: Expectation): boolean {
  return role === "summarizer" || role === "intake";
}

/** The name of a worker that would have to answer in a role and cannot be asked now. */
export function missingIn(context: RunContext, expected: Expectation): string | undefined {
  const { ports, turns } = context;
  const worker = askedIn(context, expected);
  const isMissing = worker && turns.log && isAway(turns.log.state, worker, ports.clock.now().getTime());
  return isMissing ? workerName(worker) : undefined;
}

/** Records that a worker met a limit in a role. Returns whether another one takes the role over. */
export async function* giveRolesAway(
  context: RunContext,
  failure: AgentFailure,
  assignment: Assignment,
): AsyncGenerator<RunEvent, boolean> {
  const { configuration, ports, turns } = context;
  const { log } = turns;
  const asked = askedIn(context, assignment);
  const now = ports.clock.now().getTime();
  const giveUp = giveUpFor(failure, now);
  if (!log || !asked || !giveUp || isAway(log.state, asked, now)) return false;
  const from = workerName(asked);
  const after = { ...log.state, away: { ...log.state.away, [from]: giveUp.until ?? null } };
  const to = workerName(turnOf(configuration, after, now).worker);
  const isTaken = substituteFor(context, assignment, after) !== undefined;
  const works = workerName(turnOf(configuration, log.state, now).worker);
  const goesOn = isDispensable(assignment) && giveUp.cause === "limited" && to !== works;
  if (to === from || !(isTaken || goesOn)) return false;
  yield* changeWorker(context, log, { iteration: Math.max(1, assignment.iteration), from, to, ...giveUp });
  return isTaken;
}
