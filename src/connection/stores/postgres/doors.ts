import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type AgentFailure, FailureCode } from "../../../model/agent.ts";
import { E8Error } from "../../../model/errors.ts";
import { jsonIn } from "../../../model/json.ts";
import { StatementRecord } from "../../../model/message-record.ts";
import type { Doors } from "../../ports/doors.ts";
import type { FencedTask } from "./fenced.ts";
import { takenBy } from "./lease.ts";

/** After a limit has ended, one run of the fleet tries first, and the others follow at these intervals. */
const INTERVAL = "interval '5 seconds'";
const LOOK_AGAIN_MILLISECONDS = 1000;

/** The row is locked first: one that waits for another's update would else go by what it saw before. */
const REFUSAL = `
  with seen as (select account, failure, next_at from e8.door where account = $1 for update),
    passed as (
      update e8.door set next_at = clock_timestamp() + ${INTERVAL} from seen
      where door.account = seen.account and seen.next_at <= clock_timestamp() and seen.next_at > clock_timestamp() - ${INTERVAL} * 2)
  select failure::text, extract(epoch from next_at)::double precision * 1000 as next
  from seen where next_at > clock_timestamp()`;

const CLOSE = `
  with closed as (
    insert into e8.door (account, failure, until, next_at) values ($1, $2, to_timestamp($3), to_timestamp($3))
    on conflict (account) do update set failure = excluded.failure, until = excluded.until, next_at = excluded.next_at
    where e8.door.until < excluded.until returning account)
  select pg_notify($4, 'door ' || account) from closed`;

/** Without what only one machine knows. */
const StoredFailure = z.object({ code: FailureCode, message: StatementRecord }) satisfies z.ZodType<AgentFailure>;

const Entered = z.discriminatedUnion("is", [
  z.object({ is: z.literal("entered"), pass: z.number() }),
  z.object({ is: z.literal("full") }),
  z.object({ is: z.literal("lost") }),
  z.object({ is: z.literal("spent"), project: z.string(), left: z.number(), wish: z.number() }),
]);

/** The accounts of a whole fleet, as its database knows them: every worker of the store sees the same. */
export function fleetDoors(task: FencedTask): Doors {
  const { database, id, fence, patience } = task;
  const enter = async (account: string) => {
    const [row] = await database.ask("select e8.enter($1, $2, $3) as entered", [account, id, fence], patience);
    return Entered.parse(row?.entered);
  };
  return {
    refusal: async (account) => {
      const [row] = await database.ask(REFUSAL, [account], patience);
      const failure = row && StoredFailure.safeParse(jsonIn(String(row.failure))).data;
      return failure && { ...failure, retry_at: Number(row?.next) };
    },
    close: async (account, failure, until) => {
      await database.ask(CLOSE, [account, JSON.stringify(failure), until / 1000, database.channel], patience);
    },
    enter: async (account, signal) => {
      for (;;) {
        const found = await enter(account);
        if (found.is === "entered") {
          const { pass } = found;
          return async () =>
            void (await database.ask("update e8.pass set is_over = true where pass_id = $1", [pass], patience));
        }
        if (found.is === "lost") throw await takenBy(database, id, patience);
        if (found.is === "spent") throw new E8Error("fleet_budget_spent", { project: found.project });
        await pause(LOOK_AGAIN_MILLISECONDS, undefined, { signal });
      }
    },
  };
}
