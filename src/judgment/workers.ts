import { type AgentFailure, FailureCode } from "../model/agent.ts";
import type { Configuration, Worker } from "../model/configuration.ts";
import type { RunState } from "../model/state.ts";
import { preferredOf, strongerOf, type WorkerRecord, workerName, workersOf } from "../model/workers.ts";
import { consequenceOf } from "./failures.ts";

/** After so many failures in a row the next worker has its turn: before the run counts as standing still. */
const FAILURES_IN_A_ROW = 3;

type Workers = Pick<Configuration, "agent" | "fallbacks" | "escalate_to" | "stall_limit">;
/** What the records say about the workers. */
export type Past = Pick<RunState, "worker" | "away" | "failed_in_a_row" | "escalated">;

/** Who may work, the preferred one first. After a standstill the stronger one stays preferred. */
export function rosterOf(configuration: Workers, { escalated }: Pick<RunState, "escalated">): Worker[] {
  const stronger = strongerOf(configuration);
  const all = escalated && stronger ? [stronger, ...workersOf(configuration)] : workersOf(configuration);
  const names = all.map(workerName);
  return all.filter((one, index) => names.indexOf(workerName(one)) === index);
}

/** Whether several workers may take turns. */
export function takesTurns({ fallbacks, escalate_to }: Workers): boolean {
  return fallbacks.length > 0 || escalate_to !== null;
}

interface Turn {
  worker: Worker;
  /** Whether another one could take over at once. */
  hasOthers: boolean;
}

/**
 * Who works next: of those that can be had, the one with the fewest rounds of failures, else the first. When none can be had, the one
 * that will be had first.
 */
export function turnOf(configuration: Workers, past: Past, now: number): Turn {
  const roster = rosterOf(configuration, past);
  const rounds = (one: Worker) => Math.floor(failuresOf(past, workerName(one)) / mostFailures(configuration));
  const here = roster.filter((one) => !isAway(past, one, now)).toSorted((left, right) => rounds(left) - rounds(right));
  const soonest = roster.toSorted((left, right) => returnOf(past, left) - returnOf(past, right));
  const worker = here[0] ?? soonest[0] ?? preferredOf(configuration);
  return { worker, hasOthers: here.length > 1 };
}

/** Whether a worker cannot be asked now. */
export function isAway(past: Pick<Past, "away">, worker: Worker, now: number): boolean {
  return returnOf(past, worker) > now;
}

/** Epoch milliseconds from which a worker can be asked: 0 where nothing is known against it. */
function returnOf({ away }: Pick<Past, "away">, worker: Worker): number {
  const until = away[workerName(worker)];
  if (until === undefined) return 0;
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}

function failuresOf({ failed_in_a_row }: Past, name: string): number {
  return failed_in_a_row[name] ?? 0;
}

function mostFailures({ stall_limit }: Workers): number {
  return Math.min(FAILURES_IN_A_ROW, stall_limit ?? FAILURES_IN_A_ROW);
}

/** Who takes over before the next iteration, and why; undefined where the last one goes on. */
export function nextTurn(
  configuration: Workers,
  past: Past,
  now: number,
): Pick<WorkerRecord, "from" | "to" | "cause"> | undefined {
  const from = past.worker ?? workerName(preferredOf(configuration));
  const to = workerName(turnOf(configuration, past, now).worker);
  if (from === to) return undefined;
  return { from, to, cause: failuresOf(past, from) >= mostFailures(configuration) ? "failing" : "back" };
}

/** Whether a worker that has yet to fail takes over from one that keeps failing: then the run does not stand still. */
export function hasFreshTurn(configuration: Workers, past: Past, now: number): boolean {
  const turn = nextTurn(configuration, past, now);
  return turn?.cause === "failing" && failuresOf(past, turn.to) === 0;
}

const MINUTE = 60_000;
/** Where nobody says when a model is in reach again. */
const RETRY_MINUTES = 30;

/** What follows from a failure that the run does not wait out because another worker can take over; undefined for one of the work. */
export function giveUpFor(
  failure: AgentFailure,
  now: number,
): Pick<WorkerRecord, "cause" | "reason" | "until"> | undefined {
  const { code, message: reason, retry_at } = failure;
  if (isForUser(code)) return { cause: "unavailable", reason };
  if (consequenceOf[code] !== "wait") return undefined;
  const until = retry_at !== undefined && retry_at > now ? retry_at : now + RETRY_MINUTES * MINUTE;
  return { cause: "limited", reason, until: new Date(until).toISOString() };
}

/** An account that only the user can mend: another agent may have another one. */
export function isForUser(code: FailureCode): boolean {
  return code === FailureCode.enum.authentication || code === FailureCode.enum.billing;
}
