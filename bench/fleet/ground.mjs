// A PostgreSQL of its own for the measurements of a fleet, and tasks in it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import "../../test/support/typescript-register.mjs";
import { migrateQueue } from "../../dist/connection/queues/bullmq/queue-schema.js";
import { readAddress } from "../../dist/connection/stores/postgres/address.js";
import { Database } from "../../dist/connection/stores/postgres/database.js";
import { Listener } from "../../dist/connection/stores/postgres/listener.js";
import { migrate } from "../../dist/connection/stores/postgres/migrate.js";
import { postgresStore } from "../../dist/connection/stores/postgres/postgres-store.js";

export const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

/** Lends a server with a migrated schema, and a directory for a project. */
export async function onGround(use) {
  const { startPostgres } = await import("../../test/support/postgres-server.ts");
  const { server, close } = await startPostgres(["-c", "max_connections=1000"]);
  const directory = await mkdtemp(join(tmpdir(), "e8-bench-fleet-"));
  try {
    const url = server.schema({ project: "bench" });
    const found = openStore(url, directory);
    await migrate(found.part.database);
    await migrateQueue(found.part.database);
    const [{ pid }] = await server.ask("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid");
    return await use({ url, directory, server: { ...server, pid }, ...found });
  } finally {
    await close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The store as a process of its own would open it. */
export function openStore(url, directory) {
  const database = new Database(readAddress(url));
  const part = { database, directory, project: "bench", listener: new Listener(database) };
  return { part, store: postgresStore(part) };
}

export function percentile(values, part) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
