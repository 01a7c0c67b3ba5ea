import type { AgentFailure, AgentReply, Assignment } from "../../model/agent.ts";
import { NOTHING_SPENT } from "../../model/usage.ts";
import type { Agent } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";
import type { Doors } from "../ports/doors.ts";

/** After a limit has ended, one run tries first, and the others follow at these intervals: all at once would meet it again. */
const INTERVAL_MILLISECONDS = 5000;

interface ClosedDoor {
  failure: AgentFailure;
  until: number;
  /** When the next one may pass. */
  next: number;
}

/** Doors of the accounts that the runs of this process share. */
export function sharedDoors(clock: Pick<Clock, "now">): Doors {
  const closed = new Map<string, ClosedDoor>();
  return {
    refusal(account) {
      const door = closed.get(account);
      const now = clock.now().getTime();
      if (!door) return undefined;
      if (now < door.next) return { ...door.failure, retry_at: door.next };
      if (now > door.next + INTERVAL_MILLISECONDS) closed.delete(account);
      door.next = now + INTERVAL_MILLISECONDS;
      return undefined;
    },
    close(account, failure, until) {
      const before = closed.get(account);
      if (!before || before.until < until) closed.set(account, { failure, until, next: until });
    },
  };
}

/** An agent that is not asked while its account has no more use. Its answer is then the failure that another run has met. */
export function behindDoor(agent: Agent, account: string, doors: Doors): Agent["work"] {
  return async function* (assignment: Assignment, signal: AbortSignal) {
    const refusal = await doors.refusal(account);
    if (refusal) return refused(refusal);
    const leave = await doors.enter?.(account, signal);
    try {
      const reply = yield* agent.work(assignment, signal);
      const { failure } = reply;
      if (failure?.code === "usage_limit" && failure.retry_at !== undefined)
        await doors.close(account, failure, failure.retry_at);
      return reply;
    } finally {
      await leave?.();
    }
  };
}

/** Doors of a fleet, on which the accounts of this machine have names of their own. */
export function namedDoors(doors: Doors, nameOf: (account: string) => string): Doors {
  const { enter } = doors;
  return {
    refusal: (account) => doors.refusal(nameOf(account)),
    close: (account, failure, until) => doors.close(nameOf(account), failure, until),
    ...(enter && { enter: (account, signal) => enter(nameOf(account), signal) }),
  };
}

function refused(failure: AgentFailure): AgentReply {
  return { text: "", failure, usage: NOTHING_SPENT, tools_used: [], files_modified: [] };
}
