import { openPlace } from "../connection/fleet/open-place.ts";
import type { TaskStore } from "../connection/ports/task-store.ts";
import type { ProjectPart } from "../connection/stores/postgres/reading.ts";
import { E8Error } from "../model/errors.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { LoopResult } from "../model/records.ts";
import type { RemoteRepository, TaskId } from "../model/task.ts";
import { lastSnapshot } from "./machine-place.ts";
import { type RunOptions, runIn } from "./run-in.ts";
import { lendTo } from "./store.ts";

/** A task of a fleet, and the database that has it. */
export interface FleetTask {
  part: Pick<ProjectPart, "database" | "project" | "listener">;
  id: TaskId;
}

/**
 * Goes on with a task on this machine, in a checkout of its own, from the last snapshot that its records name. Other machines can fetch
 * each snapshot before a record names it.
 */
export async function* runHere(
  { part, id }: FleetTask,
  options: RunOptions = {},
): AsyncGenerator<EventEnvelope, LoopResult> {
  const [{ postgresStore }, { Listener }] = await Promise.all([
    import("../connection/stores/postgres/postgres-store.ts"),
    import("../connection/stores/postgres/listener.ts"),
  ]);
  const listener = part.listener ?? new Listener(part.database);
  const environment = options.environment ?? process.env;
  const { repository, snapshot } = await standingOf(postgresStore({ ...part, directory: NOWHERE }), id);
  const signal = AbortSignal.any(options.signal ? [options.signal] : []);
  const machine = await openPlace({ task_id: id, repository, snapshot, signal }, environment);
  const here = { ...part, listener, directory: machine.directory };
  const store = postgresStore(here);
  const forget = lendTo(machine.directory, { store, part: here });
  try {
    return yield* runIn({ store, id }, { is: "resumed" }, { ...options, machine });
  } finally {
    forget();
    await machine.close();
  }
}

/** The task is only looked at; it has no directory on this machine yet. */
const NOWHERE = "/";

async function standingOf(
  store: TaskStore,
  id: TaskId,
): Promise<{ repository: RemoteRepository; snapshot: string | undefined }> {
  const { task, records } = await store.past(id);
  if (!task.repository) throw new E8Error("task_stays", { id, directory: task.project });
  return { repository: task.repository, snapshot: task.place ? undefined : lastSnapshot(records) };
}
