import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type AgentFailure, FailureCode } from "../../../model/agent.ts";
import { E8Error } from "../../../model/errors.ts";
import { StatementRecord } from "../../../model/message-record.ts";
import type { Doors } from "../../ports/doors.ts";
import type { FencedTask } from "./fenced.ts";
import { takenBy } from "./lease.ts";

const LOOK_AGAIN_MILLISECONDS = 1000;

const CLOSE = `
  insert into e8.door (account, failure, until, next_at) values ($1, $2, to_timestamp($3), to_timestamp($3))
  on conflict (account) do update set failure = excluded.failure, until = excluded.until, next_at = excluded.next_at
  where e8.door.until < excluded.until`;

const LEAVE = "update e8.pass set is_over = true where pass_id = $1";

/** Without what only one machine knows. */
const StoredFailure = z.object({ code: FailureCode, message: StatementRecord }) satisfies z.ZodType<AgentFailure>;

const Entered = z.discriminatedUnion("is", [
  z.object({ is: z.literal("entered"), pass: z.number() }),
  z.object({ is: z.literal("closed"), failure: StoredFailure, next: z.number() }),
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
    close: async (account, failure, until) => {
      await database.ask(CLOSE, [account, JSON.stringify(failure), until / 1000], patience);
    },
    enter: async (account, signal) => {
      for (;;) {
        const found = await enter(account);
        if (found.is === "closed") return { refusal: { ...found.failure, retry_at: found.next } };
        if (found.is === "entered") {
          const { pass } = found;
          return { leave: async () => void (await database.ask(LEAVE, [pass], patience)) };
        }
        if (found.is === "lost") throw await takenBy(database, id, patience);
        if (found.is === "spent") throw new E8Error("fleet_budget_spent", { project: found.project });
        await pause(LOOK_AGAIN_MILLISECONDS, undefined, { signal });
      }
    },
  };
}
