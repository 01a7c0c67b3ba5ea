import type { BacklogQueue } from "../connection/ports/backlog.ts";
import type { Clock } from "../connection/ports/clock.ts";
import type { QueueRecord } from "../model/backlog.ts";
import { foldQueue, itemIn, type KnownItem, type QueueState } from "./queue.ts";

type Unstamped<R> = R extends QueueRecord ? Omit<R, "timestamp"> : never;

/** The queue's records, and the state that they fold to. */
export class QueueBook {
  readonly #queue: BacklogQueue;
  readonly #clock: Clock;
  readonly #state = new Map<number, KnownItem>();

  constructor(queue: BacklogQueue, clock: Clock) {
    this.#queue = queue;
    this.#clock = clock;
  }

  async open(): Promise<void> {
    for await (const record of this.#queue.records()) foldQueue(this.#state, record);
  }

  get state(): QueueState {
    return this.#state;
  }

  item(issue: number): KnownItem {
    return itemIn(this.#state, issue);
  }

  async enter(record: Unstamped<QueueRecord>): Promise<void> {
    const stamped = { ...record, timestamp: this.#clock.now().toISOString() } as QueueRecord;
    await this.#queue.append(stamped);
    foldQueue(this.#state, stamped);
  }
}
