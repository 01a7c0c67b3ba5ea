import type { TaskId } from "../../../model/task.ts";
import type { Lane } from "../../ports/branch.ts";
import type { Database } from "./database.ts";

const LOOK_MILLISECONDS = 500;
/** A place is renewed so many times before it would lapse. */
const RENEWALS = 4;

/**
 * The line before each base, over all machines: the most urgent task first, then the one that was ready first. Only order and thrift depend
 * on it; that nothing is overwritten is the landing's own care.
 */
export function databaseLane(database: Database, { id, project }: { id: TaskId; project: string }): Lane {
  return {
    hold: async (base, signal) => {
      const name = `${project} ${base}`;
      const patience = { isPatient: true, signal };
      const lease = database.address.lease;
      const step = Math.min(LOOK_MILLISECONDS, (lease * 1000) / RENEWALS);
      const leave = () => database.ask(LEAVE, [name, id]).catch(() => []); // then it lapses
      try {
        for (;;) {
          signal.throwIfAborted();
          await database.ask(JOIN, [name, id, new Date().toISOString(), lease], patience);
          if (await isFirst(database, [name, id, lease])) break;
          await pause(step, signal);
        }
      } catch (error) {
        await leave();
        throw error;
      }
      const renewing = setInterval(
        () => {
          database.ask(RENEW, [name, id, lease]).catch(() => {});
        },
        (lease * 1000) / RENEWALS,
      ).unref();
      return () => {
        clearInterval(renewing);
        void leave();
      };
    },
  };
}

/** One at a time decides who is first, so that two cannot both be. */
async function isFirst(database: Database, [name, id, lease]: [string, TaskId, number]): Promise<boolean> {
  return database.inTransaction(async (ask) => {
    await ask("select pg_advisory_xact_lock(hashtext($1))", [`e8 lane ${name}`]);
    return (await ask(HOLD, [name, id, lease])).length > 0;
  });
}

/** A conflict does not cost a task its place: it keeps the moment at which it was ready for the first time. */
const JOIN = `
  insert into e8.lane (name, task_id, rank, since, wants, seen_until)
  values ($1, $2, coalesce((select rank from e8.submission where task_id = $2), 0), $3, true,
    clock_timestamp() + make_interval(secs => $4))
  on conflict (name, task_id) do update set wants = true, seen_until = excluded.seen_until`;

const HOLD = `
  update e8.lane set holds_until = clock_timestamp() + make_interval(secs => $3) where name = $1 and task_id = $2
    and not exists (select from e8.lane as other
      where other.name = $1 and other.task_id <> $2 and other.holds_until > clock_timestamp())
    and task_id = (select first.task_id from e8.lane as first
      where first.name = $1 and first.wants and first.seen_until > clock_timestamp() order by rank, since, task_id limit 1)
  returning 1 as held`;

const RENEW = `
  update e8.lane set holds_until = clock_timestamp() + make_interval(secs => $3), seen_until = clock_timestamp() + make_interval(secs => $3)
  where name = $1 and task_id = $2 and holds_until is not null`;

const LEAVE = "update e8.lane set holds_until = null, wants = false where name = $1 and task_id = $2";

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
  });
}
