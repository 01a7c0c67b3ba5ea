import type { AgentFailure, AgentReply, Assignment } from "../../model/agent.ts";
import { NOTHING_SPENT } from "../../model/usage.ts";
import type { Agent } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";
import type { Doors, Entry } from "../ports/doors.ts";

/** After a limit has ended, one run tries first, and the others follow at these intervals: all at once would meet it again. */
const INTERVAL_MILLISECONDS = 5000;

const OPEN: Entry = { leave: async () => {} };

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
    enter(account) {
      const door = closed.get(account);
      const now = clock.now().getTime();
      if (!door) return OPEN;
      if (now < door.next) return { refusal: { ...door.failure, retry_at: door.next } };
      if (now > door.next + INTERVAL_MILLISECONDS) closed.delete(account);
      door.next = now + INTERVAL_MILLISECONDS;
      return OPEN;
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
    const entry = await doors.enter(account, signal);
    if ("refusal" in entry) return refused(entry.refusal);
    try {
      const reply = yield* agent.work(assignment, signal);
      const { failure } = reply;
      if (failure?.code === "usage_limit" && failure.retry_at !== undefined)
        await doors.close(account, failure, failure.retry_at);
      return reply;
    } finally {
      await entry.leave();
    }
  };
}

/** Doors of a fleet, on which the accounts of this machine have names of their own. */
export function namedDoors(doors: Doors, nameOf: (account: string) => string): Doors {
  return {
    enter: (account, signal) => doors.enter(nameOf(account), signal),
    close: (account, failure, until) => doors.close(nameOf(account), failure, until),
  };
}

function refused(failure: AgentFailure): AgentReply {
  return { text: "", failure, usage: NOTHING_SPENT, tools_used: [], files_modified: [] };
}
