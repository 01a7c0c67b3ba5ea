import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import process from "node:process";
import { z } from "zod";
import type { PostponedTask, WorkerIdentity, WorkerSlot } from "../../../model/fleet.ts";
import type { Database } from "./database.ts";

/** A worker as it has told of itself. */
export interface KnownWorker extends WorkerIdentity {
  running: WorkerSlot[];
  postponed: PostponedTask[];
  is_draining: boolean;
  /** Seconds since its last sign of life. */
  seen: number;
}

type Wish = Pick<WorkerIdentity, "slots" | "labels" | "projects"> & { name: string | undefined };

/** This process as a worker. */
export function newIdentity({ name, ...wish }: Wish): WorkerIdentity {
  const [host, pid] = [hostname(), process.pid];
  const own = { worker_id: randomUUID(), name: name ?? `${host}:${pid}`, host, pid };
  return { ...own, ...wish, since: new Date().toISOString() };
}

type Told = Omit<KnownWorker, "seen">;

/** A worker without a sign of life for so long is forgotten. */
const FORGOTTEN = "interval '1 day'";

/** A sign of life. */
export async function tellOfWorker(database: Database, worker: Told): Promise<void> {
  const sql = `
    insert into e8.worker (worker_id, doc, seen_at) values ($1, $2, clock_timestamp())
    on conflict (worker_id) do update set doc = excluded.doc, seen_at = excluded.seen_at`;
  await database.ask(sql, [worker.worker_id, JSON.stringify(worker)]);
  await database.ask(`delete from e8.worker where seen_at < clock_timestamp() - ${FORGOTTEN}`);
}

export async function forgetWorker(database: Database, worker_id: string): Promise<void> {
  await database.ask("delete from e8.worker where worker_id = $1", [worker_id]);
}

export async function knownWorkers(database: Database): Promise<KnownWorker[]> {
  const sql = `
    select doc::text, extract(epoch from clock_timestamp() - seen_at)::double precision as seen
    from e8.worker order by doc ->> 'since'`;
  const rows = await database.ask(sql);
  return rows.flatMap(({ doc, seen }) => {
    const told = Stored.safeParse(JSON.parse(String(doc))).data;
    return told ? [{ ...told, seen: Math.max(0, Math.round(Number(seen))) }] : [];
  });
}

const Stored: z.ZodType<Told, unknown> = z.object({
  worker_id: z.string(),
  name: z.string(),
  host: z.string(),
  pid: z.number(),
  slots: z.number(),
  labels: z.array(z.string()),
  projects: z.array(z.string()),
  since: z.string(),
  is_draining: z.boolean(),
  running: z.array(
    z.object({
      task_id: z.string(),
      since: z.string(),
      iteration: z.number(),
      waits_until: z.number().exactOptional(),
    }),
  ),
  postponed: z
    .array(
      z.object({
        task_id: z.string(),
        again_at: z.number(),
        error_code: z.string(),
        error_details: z.record(z.string(), z.unknown()),
      }),
    )
    .default([]),
});
