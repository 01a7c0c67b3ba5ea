import type { Lane } from "../../ports/branch.ts";
import type { FencedTask } from "./fenced.ts";
import { takenBy } from "./lease.ts";

const LOOK_MILLISECONDS = 500;
/** A place is renewed so many times before it would lapse. */
const RENEWALS = 4;

/**
 * The line before each base, over all machines: the most urgent task first, then the one that was ready first. A task has one place there,
 * so every statement names the token of the lease: a run that was frozen and replaced leaves its successor's place alone. That nothing is
 * overwritten on the base is the landing's own care.
 */
export function databaseLane(task: FencedTask, project: string): Lane {
  const { database, id, fence, patience } = task;
  const { lease } = database.address;
  return {
    hold: async (base, signal) => {
      const place = [`${project} ${base}`, id, fence];
      const step = Math.min(LOOK_MILLISECONDS, (lease * 1000) / RENEWALS);
      const leave = () => database.ask(LEAVE, place).catch(() => []); // then it lapses
      try {
        for (;;) {
          signal.throwIfAborted();
          const joined = await database.ask(JOIN, [...place, new Date().toISOString(), lease], { ...patience, signal });
          if (joined.length === 0) throw await takenBy(database, id, patience);
          if (await isFirst(task, [...place, lease])) break;
          await pause(step, signal);
        }
      } catch (error) {
        await leave();
        throw error;
      }
      const renew = () => void database.ask(RENEW, [...place, lease]).catch(() => {});
      const renewing = setInterval(renew, (lease * 1000) / RENEWALS).unref();
      return () => {
        clearInterval(renewing);
        void leave();
      };
    },
  };
}

/** One at a time decides who is first, so that two cannot both be. */
async function isFirst({ database }: FencedTask, values: readonly unknown[]): Promise<boolean> {
  return database.inTransaction(async (ask) => {
    await ask("select pg_advisory_xact_lock(hashtext($1))", [`e8 lane ${values[0]}`]);
    return (await ask(HOLD, values)).length > 0;
  });
}

const HELD = "exists (select from e8.task where task_id = $2 and fence = $3)";

/** A conflict does not cost a task its place: it keeps the moment at which it was ready for the first time. */
const JOIN = `
  insert into e8.lane (name, task_id, rank, since, wants, seen_until)
  select $1, $2, coalesce((select rank from e8.submission where task_id = $2), 0), $4, true,
    clock_timestamp() + make_interval(secs => $5) where ${HELD}
  on conflict (name, task_id) do update set wants = true, seen_until = excluded.seen_until returning 1 as joined`;

const HOLD = `
  update e8.lane set holds_until = clock_timestamp() + make_interval(secs => $4) where name = $1 and task_id = $2 and ${HELD}
    and not exists (select from e8.lane as other
      where other.name = $1 and other.task_id <> $2 and other.holds_until > clock_timestamp())
    and task_id = (select first.task_id from e8.lane as first
      where first.name = $1 and first.wants and first.seen_until > clock_timestamp() order by rank, since, task_id limit 1)
  returning 1 as held`;

const RENEW = `
  update e8.lane set holds_until = clock_timestamp() + make_interval(secs => $4), seen_until = clock_timestamp() + make_interval(secs => $4)
  where name = $1 and task_id = $2 and holds_until is not null and ${HELD}`;

/** Also when the lease has just been given back: the place is given back beside it. */
const LEAVE = `
  update e8.lane set holds_until = null, wants = false where name = $1 and task_id = $2
    and exists (select from e8.task where task_id = $2 and (fence = $3 or fence is null))`;

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
