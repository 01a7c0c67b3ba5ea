import type { TaskId } from "../../../model/task.ts";
import type { Database, Patience, Row } from "./database.ts";
import { takenBy } from "./lease.ts";

/** How a run writes into its task. Waits while the database is away, for as long as it takes. */
export class FencedTask {
  readonly database: Database;
  readonly id: TaskId;
  readonly fence: string;
  readonly patience: Patience;

  constructor(database: Database, { id, fence, patience }: { id: TaskId; fence: string; patience: Patience }) {
    this.database = database;
    this.id = id;
    this.fence = fence;
    this.patience = patience;
  }

  /**
   * Runs a statement whose first two values are the task and the token of our lease, and which gives a row when the token is still the
   * task's. Throws `task_taken` where it is not.
   */
  async write(sql: string, values: readonly unknown[] = []): Promise<void> {
    const rows = await this.database.ask(sql, [this.id, this.fence, ...values], this.patience);
    if (rows.length === 0) throw await takenBy(this.database, this.id, this.patience);
  }

  /** Throws `task_taken` where the task is no longer ours. */
  async requireHeld(): Promise<void> {
    await this.write("select 1 as held from e8.task where task_id = $1 and fence = $2");
  }

  read(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.database.ask(sql, [this.id, ...values], this.patience);
  }
}

/** Which of a task's journals, by the column that counts its lines. */
type Counter = "records" | "spendings";

/**
 * One journal of a task. A line's number is part of its statement: where the answer to a statement is lost and it is sent again, the
 * line is still there once.
 */
export class Journal {
  readonly #task: FencedTask;
  readonly #counter: Counter;
  /** Undefined after a failure: what failed may have arrived, and then its number is not the next line's. */
  #lines: number | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(task: FencedTask, counter: Counter, lines: number) {
    this.#task = task;
    this.#counter = counter;
    this.#lines = lines;
  }

  /** `insert` inserts from `held`, which has one row while the task is ours. Its values, and those of `set`, begin with $4. */
  append(statement: { set: string; insert: string }, values: readonly unknown[]): Promise<void> {
    const result = this.#queue.then(() => this.#write(statement, values));
    this.#queue = result.catch(() => {});
    return result;
  }

  async #write({ set, insert }: { set: string; insert: string }, values: readonly unknown[]): Promise<void> {
    const { database, id, fence, patience } = this.#task;
    const seq = (this.#lines ?? (await this.#count())) + 1;
    this.#lines = undefined;
    const sql = `
      with held as (
        update e8.task set ${this.#counter} = $3, ${set} where task_id = $1 and fence = $2 and ${this.#counter} = $3 - 1
        returning task_id)
      ${insert} returning 1 as stored`;
    const stored = await database.ask(sql, [id, fence, seq, ...values], patience);
    if (stored.length === 0) await this.#requireStored(seq);
    this.#lines = seq;
  }

  async #count(): Promise<number> {
    const [row] = await this.#task.read(`select ${this.#counter} as lines from e8.task where task_id = $1`);
    return Number(row?.lines ?? 0);
  }

  /** Nothing was written: the task is another run's, or an earlier try had arrived. */
  async #requireStored(seq: number): Promise<void> {
    await this.#task.write(
      `select 1 as held from e8.task where task_id = $1 and fence = $2 and ${this.#counter} >= $3`,
      [seq],
    );
  }
}
