import { systemClock } from "../../connection/clock.ts";
import type { TakenTask } from "../../connection/ports/task-queue.ts";
import { lookAt, type ProjectPart, type Prospect } from "../../connection/stores/postgres/reading.ts";
import { HandedBack } from "../../execution/halt.ts";
import { recover } from "../../execution/state.ts";
import type { Allowance } from "../../model/allowance.ts";
import type { Environment } from "../../model/environment.ts";
import { asE8Error, E8Error, type ErrorCode } from "../../model/errors.ts";
import { drain } from "../../model/event-stream.ts";
import type { EventEnvelope } from "../../model/events.ts";
import type { WorkerEvent } from "../../model/fleet.ts";
import type { Language } from "../../model/language.ts";
import { LoopResult } from "../../model/records.ts";
import type { Task, TaskId } from "../../model/task.ts";
import { requireAllowed } from "../admission.ts";
import { databaseStore } from "../database-store.ts";
import { runHere } from "../run-here.ts";
import { runIn } from "../run-in.ts";
import type { RunOptions } from "../run-options.ts";
import type { DatabaseStore } from "../store.ts";

export interface CarryOptions {
  /** The run ends after the iteration in hand, and the task is handed back. */
  drain: AbortSignal;
  /** The iteration in hand is given up, and the task is handed back. */
  stop: AbortSignal;
  /** What still winds down is ended at once. */
  hurry: AbortSignal;
  environment: Environment;
  language: Language;
  /** What this machine does for the fleet. */
  allowance: Allowance;
  samePlace: boolean;
  tell(event: WorkerEvent): void;
}

/** Why a task cannot run now, while it can later or elsewhere. */
const PASSING: readonly ErrorCode[] = [
  "task_locked",
  "place_taken",
  "branch_taken",
  "clocks_differ",
  "remote_unreachable",
  "place_unusable",
  "disk_full",
  "task_not_allowed",
  "sandbox_needed",
  "fleet_limit_reached",
  "fleet_budget_spent",
];
const POSTPONED_SECONDS = 5;
const AGAIN_MILLISECONDS = 500;
/** A worker that has died has its lease for so many seconds longer than its lock in the line, at most. */
const LEASE_MARGIN = 5;

/** Works on a task from where its records end, until it has an ending, another worker has it, or it is handed back. */
export async function carryTask(taken: TakenTask, found: DatabaseStore, options: CarryOptions): Promise<void> {
  const { id } = taken;
  const { store, part } = partOf(found, taken.project);
  const { tell } = options;
  const stop = handingBack(taken, options.stop);
  try {
    const prospect = await prospectOf(part, id, stop);
    if (!prospect?.isOpen) return await taken.done();
    tell({ type: "task-taken", task_id: id, project: taken.project });
    const result = await ran(taken, { store, part }, { ...options, stop, prospect });
    if (result.error_code === "task_taken") return tell({ type: "task-lost", task_id: id });
    await taken.done();
    tell({ type: "task-end", task_id: id, status: result.status });
  } catch (error) {
    await putBack(taken, { store, part }, { error, tell });
  }
}

function partOf(found: DatabaseStore, project: string): DatabaseStore {
  if (project === found.part.project) return found;
  return databaseStore({ ...found.part, project });
}

/** Undefined for a task that was removed. */
async function prospectOf(part: ProjectPart, id: TaskId, signal: AbortSignal): Promise<Prospect | undefined> {
  try {
    return await lookAt(part, id, { isPatient: true, signal });
  } catch (error) {
    if (error instanceof E8Error && error.code === "task_not_found") return undefined;
    throw error;
  }
}

/** Of the many runs of a worker, each has a signal of its own: what listens to it goes with it. */
function handingBack(taken: TakenTask, stop: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const asked = AbortSignal.any([taken.lost, stop]);
  const give = () => controller.abort(new HandedBack());
  asked.addEventListener("abort", give, { once: true });
  if (asked.aborted) give();
  return controller.signal;
}

/** The worker before may have a lease that has not yet lapsed. */
async function ran({ id }: TakenTask, found: DatabaseStore, options: CarryOptions & Looked): Promise<LoopResult> {
  const { part } = found;
  let { prospect } = options;
  const { stop: signal, drain: handBack, environment, language, samePlace, hurry, tell } = options;
  const settings: RunOptions = { signal, handBack, environment, language, samePlace, hurry, isOfFleet: true };
  const patience = (part.database.address.lease + LEASE_MARGIN) * 1000;
  for (const began = Date.now(); ; ) {
    try {
      const events = await runOf(id, found, { ...settings, prospect, allowance: options.allowance });
      return await drain(events, (envelope) => tell({ type: "run", task_id: id, envelope }));
    } catch (error) {
      signal.throwIfAborted();
      if (!isLocked(error) || Date.now() - began > patience) throw error;
      await systemClock.sleep(AGAIN_MILLISECONDS, signal);
      prospect = await lookAt(part, id);
    }
  }
}

interface Looked {
  prospect: Prospect;
}

/** A task of a repository has a checkout of its own; another one works in the directory of this worker. */
async function runOf(
  id: TaskId,
  { store, part }: DatabaseStore,
  { allowance, prospect, ...options }: RunOptions & Pick<CarryOptions, "allowance"> & Looked,
): Promise<AsyncGenerator<EventEnvelope, LoopResult>> {
  const { task, isNew } = prospect;
  if (!task.repository) {
    const start = isNew ? ({ is: "new", keeps: true } as const) : ({ is: "resumed" } as const);
    const admits = (one: Task) => requireAllowed(one, allowance, { isOfDirectory: true });
    const requiresSandbox = allowance.sandbox !== "off";
    return runIn({ store, id }, start, { account: allowance.account, ...options, admits, requiresSandbox });
  }
  return runHere({ part, id }, { ...options, allowance, prospect });
}

function isLocked(error: unknown): boolean {
  return error instanceof E8Error && error.code === "task_locked";
}

/** Another worker has ended it meanwhile. */
function isOver(error: unknown): boolean {
  return error instanceof E8Error && error.code === "task_not_in_line";
}

/** What follows from a run that has no ending. */
async function putBack(
  taken: TakenTask,
  { store, part }: DatabaseStore,
  { error, tell }: { error: unknown; tell: CarryOptions["tell"] },
): Promise<void> {
  const { id: task_id } = taken;
  if (taken.lost.aborted || (error instanceof E8Error && error.code === "task_taken"))
    return tell({ type: "task-lost", task_id });
  if (error instanceof HandedBack && error.cause === undefined) {
    await taken.handBack();
    return tell({ type: "task-handed-back", task_id });
  }
  if (isOver(error)) {
    await taken.done();
    return tell({ type: "task-lost", task_id });
  }
  const fault = asE8Error(error instanceof HandedBack ? error.cause : error);
  const { code: error_code, details: error_details } = fault;
  if (PASSING.includes(error_code) || error_code.startsWith("store_")) {
    await taken.postpone(POSTPONED_SECONDS * 1000, !isSameForAll(error_code));
    return tell({ type: "task-postponed", task_id, seconds: POSTPONED_SECONDS, error_code, error_details });
  }
  try {
    await recordFailure(store, task_id, fault);
    await taken.done();
    tell({ type: "task-failed", task_id, error_code, error_details });
  } catch (failure) {
    if (isOver(failure)) return putBack(taken, { store, part }, { error: failure, tell });
    await taken.postpone(POSTPONED_SECONDS * 1000); // it cannot be recorded now
    tell({ type: "task-postponed", task_id, seconds: POSTPONED_SECONDS, error_code, error_details });
  }
}

/** The database and its limits refuse a task to every worker. */
function isSameForAll(code: ErrorCode): boolean {
  return code.startsWith("store_") || code.startsWith("fleet_");
}

/** An error that kept the run from beginning is its ending, for those who wait for it elsewhere. */
async function recordFailure(store: DatabaseStore["store"], id: string, { code, details }: E8Error): Promise<void> {
  const task = await store.open(id, { isOfFleet: true });
  try {
    const { state } = await recover(await task.history.recall());
    const [iterations, spent] = [state.iterations, await task.ledger.spent(state.ended)];
    const result = LoopResult.parse({
      ...{ type: "final_result", task_id: id, status: "error", stop_reason: "error" },
      ...{ iterations_used: iterations, usage: spent, error_code: code, error_details: { ...details } },
      timestamp: new Date().toISOString(),
    });
    await task.history.append(result);
    await task.events.append({ type: "run-end", result });
  } finally {
    await task.release();
  }
}
