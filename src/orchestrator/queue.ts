import type { EndedTurnRecord, QueueRecord } from "../model/backlog.ts";
import type { Statement } from "../model/message.ts";
import type { EffectStage } from "../model/records.ts";
import type { TaskId } from "../model/task.ts";

/** One run for an issue, as the queue knows it. */
export interface KnownTurn {
  task_id: TaskId;
  phase?: string;
  agent?: string;
  ended?: EndedTurnRecord;
  is_settled: boolean;
}

export interface KnownItem {
  title: string;
  /** Oldest first. */
  turns: readonly KnownTurn[];
  effects: Readonly<Record<string, EffectStage>>;
  /** Why it waits for a person. */
  parked?: Statement | undefined;
}

export type QueueState = ReadonlyMap<number, KnownItem>;

const NEW: KnownItem = { title: "", turns: [], effects: {} };

export function itemIn(state: QueueState, issue: number): KnownItem {
  return state.get(issue) ?? NEW;
}

/** The turn that has not come to its end yet: its run was cut off, or the tracker has not heard of it. */
export function openTurn({ turns }: KnownItem): KnownTurn | undefined {
  const last = turns.at(-1);
  return last && !last.is_settled ? last : undefined;
}

/** Folds a record into the state, in place of the former one of its issue. */
export function foldQueue(state: Map<number, KnownItem>, record: QueueRecord): void {
  state.set(record.issue, folded(itemIn(state, record.issue), record));
}

function folded(item: KnownItem, record: QueueRecord): KnownItem {
  switch (record.type) {
    case "turn": {
      const { task_id, phase, agent, title } = record;
      const turn = {
        task_id,
        ...(phase !== undefined && { phase }),
        ...(agent !== undefined && { agent }),
        is_settled: false,
      };
      const ran = item.turns.filter(({ ended }) => ended); // the task of another one was never made, or is gone
      return { ...item, title, turns: [...ran, turn], parked: undefined };
    }
    case "ended":
      return withTurn(item, record.task_id, { ended: record });
    case "settled":
      return withTurn(item, record.task_id, { is_settled: true });
    case "effect":
      return { ...item, effects: { ...item.effects, [record.key]: record.stage } };
    case "parked":
      return { ...item, title: record.title, parked: record.problem };
    case "taken":
      return withoutEnd({ ...item, parked: undefined });
  }
}

function withTurn(item: KnownItem, task_id: TaskId, change: Partial<KnownTurn>): KnownItem {
  return { ...item, turns: item.turns.map((turn) => (turn.task_id === task_id ? { ...turn, ...change } : turn)) };
}

/** The run of a turn that did not complete goes on. */
function withoutEnd(item: KnownItem): KnownItem {
  const turn = openTurn(item);
  if (!turn?.ended || turn.ended.status === "completed") return item;
  const { ended: _, ...unended } = turn;
  return { ...item, turns: [...item.turns.slice(0, -1), unended] };
}
