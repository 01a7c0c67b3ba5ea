import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type * as bullmq from "bullmq";
import type { TaskId } from "../../../model/task.ts";
import type { QueueOffer, QueuePlace, TakenTask, TaskQueue } from "../../ports/task-queue.ts";
import { type Database, surviving } from "../../stores/postgres/database.ts";
import { databaseFault, isAway } from "../../stores/postgres/faults.ts";
import { loadQueuePackage, type QueuePackage } from "./load.ts";
import { queueName, queueSchema, REGISTER } from "./queue-schema.ts";

/** A database that is away is asked again after so long. */
const AGAIN_MILLISECONDS = 500;
/** So much longer than it waits, a task that was put off is left to others: one that is taken back at once would never reach them. */
const OTHERS_FIRST_MILLISECONDS = 2_000;
/** A lock is renewed so many times before it would lapse. */
const RENEWALS = 4;

type Backend = bullmq.PostgresQueueBackend;
type Connection = bullmq.PostgresConnectionOptions;
type Worker = bullmq.Worker<object, null, string, Backend, bullmq.JobProgress, Connection>;
type Queue = bullmq.Queue<object, null, "task", object, null, "task", Backend, Connection>;
type Job = Awaited<ReturnType<Worker["getNextJob"]>>;

interface Opened {
  bullmq: QueuePackage;
  connection: bullmq.PostgresConnection;
}

interface Held {
  worker: Worker;
  job: Job;
  token: string;
  lost: AbortController;
}

/** The line of waiting tasks: BullMQ on the store's own database. Each project and set of labels has a queue of its own. */
export class BullmqQueue implements TaskQueue {
  readonly #database: Database;
  #opened: Promise<Opened> | undefined;
  readonly #workers = new Map<string, Worker>();
  readonly #producers = new Map<string, Queue>();
  readonly #held = new Map<TaskId, Held>();
  /** What this worker has put off, with when it may have it again. */
  readonly #putOff = new Map<TaskId, number>();
  #renewing: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(id: TaskId, place: QueuePlace): Promise<void> {
    const name = queueName(place);
    await this.#database.ask(REGISTER, [name, place.project, [...place.labels]]);
    const producer = await this.#producer(name);
    const { rank: priority } = place;
    await this.#impatiently(() => producer.add("task", {}, { jobId: id, priority, ...FINISHED_JOBS_GO }));
  }

  async take({ projects, labels }: QueueOffer): Promise<TakenTask | undefined> {
    const sql = FIRST.replaceAll("queue_schema", queueSchema(this.#database));
    const now = Date.now();
    for (const [id, until] of this.#putOff) if (until <= now) this.#putOff.delete(id);
    const [first] = await this.#database.ask(sql, [[...projects], [...labels], now, [...this.#putOff.keys()]]);
    if (!first) return undefined;
    const worker = await this.#worker(String(first.name));
    const token = randomUUID();
    const job = await this.#impatiently(() => worker.getNextJob(token, { block: false }));
    if (job?.id === undefined) return undefined;
    return this.#hold({ worker, job, token, lost: new AbortController() }, job.id, String(first.project));
  }

  async reclaim({ projects, labels }: QueueOffer): Promise<TaskId[]> {
    const sql = RECLAIM.replaceAll("queue_schema", queueSchema(this.#database));
    const rows = await this.#database.ask(sql, [[...projects], [...labels]]);
    return rows.map(({ id }) => String(id));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#renewing);
    const opened = await this.#opened?.catch(() => undefined);
    await Promise.all([...this.#workers.values()].map((worker) => worker.close(true)));
    await Promise.all([...this.#producers.values()].map((producer) => producer.close()));
    await opened?.connection.close().catch(() => {});
  }

  #hold(held: Held, id: TaskId, project: string): TakenTask {
    this.#held.set(id, held);
    this.#renewing ??= setInterval(() => void this.#renew(), (this.#lease * 1000) / RENEWALS).unref();
    const { job, token, lost } = held;
    const settle = async (act: () => Promise<unknown>) => {
      await this.#settle(act);
      if (this.#held.get(id) === held) this.#held.delete(id);
    };
    return {
      ...{ id, project },
      lost: lost.signal,
      done: () => settle(() => job.moveToCompleted(null, token, false)),
      handBack: () => settle(() => job.moveToWait(token)),
      postpone: (milliseconds, othersMayBeAble = false) => {
        const until = Date.now() + milliseconds;
        if (othersMayBeAble) this.#putOff.set(id, until + OTHERS_FIRST_MILLISECONDS);
        return settle(() => job.moveToDelayed(until, token));
      },
    };
  }

  /** Once the database is back. A job that another worker has meanwhile is left to it. */
  async #settle(act: () => Promise<unknown>): Promise<void> {
    while (!this.#isClosed) {
      try {
        await act();
        return;
      } catch (error) {
        if (!isAway(error)) return;
        await pause(AGAIN_MILLISECONDS);
      }
    }
  }

  /** BullMQ's own renewal belongs to its own loop; we take jobs one by one. Which locks could not be renewed, others have now. */
  async #renew(): Promise<void> {
    for (const worker of new Set([...this.#held.values()].map((held) => held.worker))) {
      const held = [...this.#held].filter(([, one]) => one.worker === worker);
      const ids = held.map(([id]) => id);
      const tokens = held.map(([, { token }]) => token);
      const gone = await worker.extendJobLocks(ids, tokens, this.#lease * 1000).catch((): string[] => []); // away: tried again
      for (const [id, one] of held) if (gone.includes(id) && this.#held.get(id) === one) one.lost.abort();
    }
  }

  get #lease(): number {
    return this.#database.address.lease;
  }

  async #worker(name: string): Promise<Worker> {
    const opened = await this.#open();
    const known = this.#workers.get(name);
    if (known) return known;
    const settings = {
      autorun: false,
      lockDuration: this.#lease * 1000,
      skipLockRenewal: true,
      skipStalledCheck: true,
    };
    const worker: Worker = new opened.bullmq.Worker(
      name,
      null,
      { connection: SHARED, ...settings },
      factoryFor(opened),
    );
    this.#workers.set(name, worker);
    worker.on("error", () => {}); // without a listener, the process would end; what matters is tried again
    return worker;
  }

  async #producer(name: string): Promise<Queue> {
    const opened = await this.#open();
    const known = this.#producers.get(name);
    if (known) return known;
    const producer: Queue = new opened.bullmq.Queue(name, { connection: SHARED }, factoryFor(opened));
    this.#producers.set(name, producer);
    producer.on("error", () => {});
    return producer;
  }

  /** BullMQ remembers that a connection has failed, so the next call makes another. */
  #open(): Promise<Opened> {
    this.#opened ??= this.#connect().catch((error) => {
      this.#opened = undefined;
      throw databaseFault(error, this.#database.address.name);
    });
    return this.#opened;
  }

  async #connect(): Promise<Opened> {
    const bullmq = await loadQueuePackage();
    const pool = { max: 3, idleTimeoutMillis: 10_000, allowExitOnIdle: true };
    const settings = { ...this.#database.settings(), ...pool, schema: queueSchema(this.#database) };
    const connection = new bullmq.PostgresConnection(settings);
    connection.on("error", () => {});
    connection.pool.on("connect", surviving);
    await connection.waitUntilReady();
    return { bullmq, connection };
  }

  async #impatiently<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw databaseFault(error, this.#database.address.name);
    }
  }
}

/** All queues of a process share one connection, which is made elsewhere. */
const SHARED: Connection = {};

function factoryFor({ bullmq, connection }: Opened): bullmq.BackendFactory<Backend, Connection> {
  return (name, options) => new bullmq.PostgresQueueBackend(connection, name, options, false);
}

/** The store says what has become of a task; a finished job would only keep the task from being queued again. */
const FINISHED_JOBS_GO = { removeOnComplete: true, removeOnFail: true };

/**
 * In one statement, so that nothing else is taken between the return of a task and its place: priority 0 is before every rank. BullMQ's own
 * check has a task wait behind the others, and after an error it does not look again for seconds. The token 0 stands for any.
 */
const RECLAIM = `
  with orphan as materialized (
    select job.queue, job.id from queue_schema.job join e8.queue as line on line.name = job.queue
    where line.project = any($1) and line.labels <@ $2 and job.state = 'active'
      and job.locked_until_ms < extract(epoch from clock_timestamp()) * 1000
    for update of job skip locked)
  select orphan.id, queue_schema.change_priority(orphan.queue, orphan.id, 0, moved < 0) as placed
  from orphan cross join lateral queue_schema.move_active_to_wait(orphan.queue, orphan.id, '0', 0) as moved`;

/** Over all queues that fit: the first of each, then the first of those that are not left to others. A job whose delay is over counts as waiting. */
const FIRST = `
  select line.name, line.project from e8.queue as line join lateral (
    (select id, priority, seq from queue_schema.job where queue = line.name and state = 'waiting' order by priority, seq limit 1)
    union all
    (select id, priority, seq from queue_schema.job where queue = line.name and state = 'delayed' and process_at_ms <= $3
     order by process_at_ms limit 1)
  ) as first on true
  where line.project = any($1) and line.labels <@ $2 and first.id <> all($4::text[]) order by priority, seq limit 1`;
