import type { TaskId } from "../../model/task.ts";

/** Where a task stands in line. */
export interface QueuePlace {
  /** The name of the project in the store. */
  project: string;
  /** What a worker must have; sorted. */
  labels: readonly string[];
  /** The smaller, the sooner. A task that waits keeps its number while the numbers of new tasks grow, so that all have their turn. */
  rank: number;
}

/** Which tasks a worker takes. */
export interface QueueOffer {
  projects: readonly string[];
  labels: readonly string[];
}

/**
 * Hands every waiting task to one worker at a time, and to another one when that shows no life any more. A task may be handed out twice: the
 * lease of the store decides who writes. Calls wait for a database that is away, except `add` and `take`.
 */
export interface TaskQueue {
  /** Puts a task in line. Harmless for one that is there already. */
  add(id: TaskId, place: QueuePlace): Promise<void>;
  /** The first task that fits, or undefined. */
  take(offer: QueueOffer): Promise<TakenTask | undefined>;
  /** Puts the tasks whose workers show no life back in line, before all that wait, among those that fit. */
  reclaim(offer: QueueOffer): Promise<TaskId[]>;
  /** Gives nothing back: what was taken is handed to others when it shows no life any more. */
  close(): Promise<void>;
}

export interface TakenTask {
  readonly id: TaskId;
  readonly project: string;
  /** Aborts when the task was handed to another worker. */
  readonly lost: AbortSignal;
  /** The task needs no worker any more. */
  done(): Promise<void>;
  /** Another worker may take it at once. */
  handBack(): Promise<void>;
  /** The same after so many milliseconds. Where others may be able to, this one has it again only some seconds later. */
  postpone(milliseconds: number, othersMayBeAble?: boolean): Promise<void>;
}
