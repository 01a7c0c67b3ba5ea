import { randomUUID } from "node:crypto";
import { z } from "zod";
import { E8Error } from "../../../model/errors.ts";
import type { TaskId } from "../../../model/task.ts";
import type { Holder, OpenOptions } from "../../ports/task-store.ts";
import { whoIs } from "../files/lock.ts";
import { ownIdentity, ProcessIdentity } from "../files/process-identity.ts";
import type { Database, Patience, Row } from "./database.ts";

/** The present moment of the database, as records have theirs. */
export const NOW = `to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** True for a task that a run holds now. */
export const IS_HELD = "(fence is not null and lease_until > clock_timestamp())";

/** True for a task that waits for a worker of the fleet, or that one has. */
export const IS_OPEN = `exists (
  select from e8.submission where submission.task_id = task.task_id and cancelled_at is null and task.ending_seq <= since)`;

/** Clocks may differ by this part of a lease. */
const TOLERATED_PART = 1 / 4;

/** The present moment of the database, in milliseconds. */
const MOMENT = "extract(epoch from clock_timestamp())::double precision * 1000";

const HeldRow = z.object({ fence: z.string(), held_since: z.string(), holder: ProcessIdentity });

export interface TaskHolder extends Holder {
  fence: string;
  process: ProcessIdentity;
}

/** Who holds a task, or held it when its lease lapsed. */
export function holderIn(row: Row): TaskHolder | undefined {
  const held = HeldRow.safeParse(row).data;
  if (!held) return undefined;
  const { fence, held_since, holder } = held;
  return { fence, who: whoIs({ ...holder, token: fence, since: held_since }), since: held_since, process: holder };
}

/** A task whose lease is ours: its token stands in every write, so that a run that was frozen and replaced changes nothing. */
export interface Lease {
  readonly fence: string;
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** The present moment there, and the task as it is now that it is ours. What other tables say may be older: the statement may have waited. */
const TAKE = `
  update e8.task set fence = $3, lease_until = clock_timestamp() + make_interval(secs => $4), held_since = ${NOW}, holder = $5,
    held_from = records, cancel_for = null, pause_for = null, paused_for = null, last_active = greatest(last_active, ${NOW}),
    runs = runs + 1
  where task_id = $1 and project = $2 and (not ${IS_HELD} or fence = $3) and ($6 = false or ${IS_OPEN})
  returning ${MOMENT} as moment, task_id, doc::text, records, spendings, ending::text, spent_in_all, spent_since, runs`;

const RENEW =
  "update e8.task set lease_until = clock_timestamp() + make_interval(secs => $3) where task_id = $1 and fence = $2";

const RELEASE = `
  update e8.task set fence = null, lease_until = null, held_since = null, holder = null,
    cancel_for = null, pause_for = null, paused_for = null
  where task_id = $1 and fence = $2 returning pg_notify($3, task_id)`;

/** A task that has just become ours. */
export interface Taken {
  lease: Lease;
  row: Row;
}

/** Takes the task, also from a run whose lease has lapsed. Throws `task_locked`; of one that is over for the fleet, `task_not_in_line`. */
export async function takeLease(
  database: Database,
  { project, id }: { project: string; id: TaskId },
  { isOfFleet = false }: OpenOptions = {},
): Promise<Taken> {
  const { lease } = database.address;
  const fence = randomUUID().replaceAll("-", "");
  const before = Date.now();
  const values = [id, project, fence, lease, JSON.stringify(await ownIdentity()), isOfFleet];
  const [row] = await database.ask(TAKE, values);
  if (!row) throw await refusal(database, { project, id }, isOfFleet);
  const release = async () => void (await database.ask(RELEASE, [id, fence, database.channel("news")]));
  try {
    requireAlike(database, { before, there: Number(row.moment), after: Date.now() });
  } catch (error) {
    await release().catch(() => {}); // then it lapses
    throw error;
  }
  const renew = async () => void (await database.ask(RENEW, [id, fence, lease]));
  return { lease: { fence, renew, release }, row };
}

/** Why a statement about a task that nobody holds found none. */
export async function refusal(
  database: Database,
  { project, id }: { project: string; id: TaskId },
  isOfFleet = false,
): Promise<E8Error> {
  const sql = `select fence, held_since, holder, ${IS_OPEN} as is_open from e8.task where task_id = $1 and project = $2`;
  const [found] = await database.ask(sql, [id, project]);
  if (!found) return new E8Error("task_not_found", { id });
  if (isOfFleet && !found.is_open) return new E8Error("task_not_in_line", { id });
  const { who = "", since = "" } = holderIn(found) ?? {};
  return new E8Error("task_locked", { id, who, since });
}

/** The error of a write that the task's present state refuses. */
export async function takenBy(database: Database, id: TaskId, patience: Patience = {}): Promise<E8Error> {
  const [found] = await database.ask(
    "select fence, held_since, holder from e8.task where task_id = $1",
    [id],
    patience,
  );
  const { who = "", since = "" } = (found && holderIn(found)) ?? {};
  return new E8Error("task_taken", { id, who, since, has_lapsed: true });
}

/** Throws `clocks_differ`: the times of records, and who is late, would be wrong. */
export async function requireLikeClocks(database: Database, now: () => number = Date.now): Promise<void> {
  const before = now();
  const [row] = await database.ask(`select ${MOMENT} as moment`);
  requireAlike(database, { before, there: Number(row?.moment), after: now() });
}

/** The moment there was between the two here. */
function requireAlike(
  { address }: Database,
  { before, there, after }: Record<"before" | "there" | "after", number>,
): void {
  const apart = there < before ? before - there : Math.max(0, there - after);
  const limit = address.lease * TOLERATED_PART;
  if (apart / 1000 <= limit) return;
  throw new E8Error("clocks_differ", { store: address.name, seconds: Math.round(apart / 1000), limit });
}
