import type { BacklogItem } from "../model/backlog.ts";
import type { TrackedItem } from "../model/issue.ts";
import { itemIn, type KnownItem, type QueueState } from "./queue.ts";

interface Session {
  /** What the open issues wait for. */
  blocked: ReadonlyMap<number, readonly number[]>;
  begun: ReadonlySet<number>;
}

/** How every issue stands at the end of a session: those that were begun, and those that could not be. */
export function reportOf(
  issues: readonly TrackedItem[],
  state: QueueState,
  { blocked, begun }: Session,
): BacklogItem[] {
  return issues.flatMap(({ number, title }): BacklogItem[] => {
    const known = itemIn(state, number);
    const blocked_by = [...(blocked.get(number) ?? [])];
    const item = { issue: number, title, ...lastTurn(known) };
    if (known.parked !== undefined) return [{ ...item, state: "parked", problem: known.parked }];
    if (blocked_by.length > 0) return [{ ...item, state: "waits", blocked_by }];
    if (known.turns.at(-1)?.is_settled) return begun.has(number) ? [{ ...item, state: "done" }] : [];
    return begun.has(number) || blocked.has(number) ? [{ ...item, state: "left" }] : [];
  });
}

function lastTurn({ turns }: KnownItem): Pick<BacklogItem, "task_id" | "landing"> {
  const last = turns.at(-1);
  return { ...(last && { task_id: last.task_id }), ...(last?.ended?.landing && { landing: last.ended.landing }) };
}
