import type { EventEnvelope, RunEvent } from "../../../model/events.ts";
import { HistoryRecord } from "../../../model/records.ts";
import type { TaskId } from "../../../model/task.ts";
import type { EventLog } from "../../ports/open-task.ts";
import type { EventRequest } from "../../ports/task-store.ts";
import { Alarm } from "../alarm.ts";
import { envelopeIn, envelopeOf, isChatter, MOST_BYTES, storedEnvelope } from "../event-wire.ts";
import { storedJson } from "../stored-json.ts";
import type { Database, Patience } from "./database.ts";
import type { FencedTask } from "./fenced.ts";
import { IS_HELD, IS_OPEN } from "./lease.ts";
import type { Listener } from "./listener.ts";

const APPEND = `
  insert into e8.event (task_id, seq, doc)
  select task_id, seq, doc::json
  from (select task_id from e8.task where task_id = $1 and fence = $2 for share) as held,
    unnest($3::integer[], $4::text[]) as given (seq, doc)
  on conflict (task_id, seq) do nothing returning pg_notify($5, task_id)`;

/** Events come several at a time: those of so many milliseconds go together. */
const GATHERED_MILLISECONDS = 10;

/** Writes events in batches: one that comes while a batch is on its way goes with the next. Never throws. */
export class PostgresEventLog implements EventLog {
  readonly #task: FencedTask;
  readonly #hidden: ReadonlySet<number>;
  #seq: number;
  #bytes: number;
  #waiting: { seq: number; doc: string }[] = [];
  #writing: Promise<void> | undefined;
  readonly #closing = new Alarm();

  constructor(task: FencedTask, { seq, bytes, hidden }: { seq: number; bytes: number; hidden: ReadonlySet<number> }) {
    this.#task = task;
    this.#hidden = hidden;
    this.#seq = seq;
    this.#bytes = bytes;
  }

  async append(event: RunEvent): Promise<EventEnvelope> {
    this.#seq += 1;
    const envelope = envelopeOf(this.#task.id, this.#seq, event);
    if (this.#bytes < MOST_BYTES || !isChatter(event)) this.#keep(storedJson(storedEnvelope(envelope, this.#hidden)));
    return envelope;
  }

  async close(): Promise<void> {
    this.#closing.ring();
    while (this.#writing) await this.#writing;
  }

  #keep(doc: string): void {
    this.#waiting.push({ seq: this.#seq, doc });
    this.#bytes += Buffer.byteLength(doc);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(): Promise<void> {
    const { database, id, fence, patience } = this.#task;
    while (this.#waiting.length > 0) {
      await this.#closing.wait(GATHERED_MILLISECONDS);
      const batch = this.#waiting.splice(0);
      const values = [id, fence, batch.map(({ seq }) => seq), batch.map(({ doc }) => doc), database.channel("news")];
      await database.ask(APPEND, values, patience).catch(() => {}); // the next record reports what is wrong
    }
  }
}

/** A task of this store, and how to hear of its news. */
export interface Followed {
  database: Database;
  listener: Listener;
  id: TaskId;
}

const LOOK_MILLISECONDS = 1_000;
const BATCH = 500;

/**
 * Calls `look` now, and again whenever there is news, until the task's run has ended and no worker is to take it, or the signal aborts; each time with the knowledge
 * whether there may be more.
 */
export async function* following<T>(
  { database, listener, id }: Followed,
  { follow = false, signal }: { follow?: boolean | undefined; signal?: AbortSignal | undefined },
  look: (isLive: boolean, patience: Patience) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const alarm = new Alarm();
  const patience = { isPatient: follow, signal };
  const leave = follow ? listener.on("news", id, alarm.ring) : () => {};
  try {
    for (;;) {
      // Asked before the rows are read, so that the last ones of a run are not missed.
      const isLive = follow && !signal?.aborted && (await isHeld(database, id, patience));
      yield* look(isLive, patience);
      if (!isLive) return;
      await alarm.wait(LOOK_MILLISECONDS, signal);
    }
  } finally {
    leave();
  }
}

async function isHeld(database: Database, id: TaskId, patience: Patience): Promise<boolean> {
  const rows = await database.ask(
    `select 1 from e8.task where task_id = $1 and (${IS_HELD} or ${IS_OPEN})`,
    [id],
    patience,
  );
  return rows.length > 0;
}

/** The stored events of a task, and with `follow` those to come. */
export function readEvents(
  task: Followed,
  { after = 0, types, ...options }: EventRequest = {},
): AsyncGenerator<EventEnvelope> {
  const { database, id } = task;
  let last = after;
  return following(task, options, async function* (_, patience) {
    const find = (type: HistoryRecord["type"], at: string) => recordOf(database, { id, type, at }, patience);
    for (let isMore = true; isMore; ) {
      const rows = await database.ask(EVENTS, [id, last, types ?? null], patience);
      for (const { seq, doc } of rows) {
        last = Number(seq);
        const envelope = await envelopeIn(String(doc), find);
        if (envelope) yield envelope;
      }
      isMore = rows.length === BATCH;
    }
  });
}

const EVENTS = `
  select seq, doc::text from e8.event
  where task_id = $1 and seq > $2 and ($3::text[] is null or doc -> 'event' ->> 'type' = any($3::text[]))
  order by seq limit ${BATCH}`;

async function recordOf(
  database: Database,
  { id, type, at }: { id: TaskId; type: string; at: string },
  patience: Patience,
): Promise<HistoryRecord | undefined> {
  const sql = "select doc::text from e8.record where task_id = $1 and type = $2 and at = $3 order by seq desc limit 1";
  const [found] = await database.ask(sql, [id, type, at], patience);
  return found && HistoryRecord.safeParse(JSON.parse(String(found.doc))).data;
}
