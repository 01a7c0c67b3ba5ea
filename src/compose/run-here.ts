import { openPlace } from "../connection/fleet/open-place.ts";
import type { ProjectPart, Prospect } from "../connection/stores/postgres/reading.ts";
import { folded } from "../execution/state.ts";
import type { Allowance } from "../model/allowance.ts";
import { E8Error } from "../model/errors.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { LoopResult } from "../model/records.ts";
import { NOTHING_DONE } from "../model/state.ts";
import type { RemoteRepository, Task, TaskId } from "../model/task.ts";
import { requireAllowed } from "./admission.ts";
import { runIn } from "./run-in.ts";
import type { RunOptions } from "./run-options.ts";
import { lendTo } from "./store.ts";

/** A task of a fleet, and the database that has it. */
export interface FleetTask {
  part: Pick<ProjectPart, "database" | "project" | "listener">;
  id: TaskId;
}

/** A run of a task that others have given. */
export interface HereOptions extends RunOptions {
  /** What this machine does for a fleet. */
  allowance: Allowance;
  /** What is known of the task, where it was looked at just now. */
  prospect?: Prospect | undefined;
}

/**
 * Goes on with a task on this machine, in a checkout of its own, from the last snapshot that its records name. Other machines can fetch
 * each snapshot before a record names it.
 */
export async function* runHere(
  { part, id }: FleetTask,
  { allowance, prospect, ...options }: HereOptions,
): AsyncGenerator<EventEnvelope, LoopResult> {
  const [{ databaseStore }, { Listener }] = await Promise.all([
    import("./database-store.ts"),
    import("../connection/stores/postgres/listener.ts"),
  ]);
  const listener = part.listener ?? new Listener(part.database);
  const environment = options.environment ?? process.env;
  const admits = (task: Task) => requireAllowed(task, allowance);
  const { repository, snapshot } = await standingOf({ ...part, directory: NOWHERE }, id, { admits, prospect });
  const signal = AbortSignal.any(options.signal ? [options.signal] : []);
  const machine = await openPlace({ task_id: id, repository, snapshot, signal }, environment);
  const here = databaseStore({ ...part, listener, directory: machine.directory });
  const forget = lendTo(machine.directory, here);
  try {
    const requiresSandbox = allowance.sandbox !== "off";
    return yield* runIn(
      { store: here.store, id },
      { is: "resumed" },
      { account: allowance.account, ...options, machine, admits, requiresSandbox },
    );
  } finally {
    forget();
    await machine.close();
  }
}

/** The task is only looked at; it has no directory on this machine yet. */
const NOWHERE = "/no-directory-on-this-machine";

async function standingOf(
  part: ProjectPart,
  id: TaskId,
  { admits, prospect }: { admits: (task: Task) => void; prospect: Prospect | undefined },
): Promise<{ repository: RemoteRepository; snapshot: string | undefined }> {
  const { lookAt } = await import("../connection/stores/postgres/reading.ts");
  const { task, recall } = prospect ?? (await lookAt(part, id));
  if (!task.repository) throw new E8Error("task_stays", { id, directory: task.project });
  admits(task); // before anything of it is fetched
  const { snapshot } = task.place ? NOTHING_DONE : await folded(await recall());
  return { repository: task.repository, snapshot: snapshot ?? undefined };
}
