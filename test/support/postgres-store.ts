import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TaskStore } from "../../src/connection/ports/task-store.ts";
import { readAddress } from "../../src/connection/stores/postgres/address.ts";
import { Database } from "../../src/connection/stores/postgres/database.ts";
import { migrate } from "../../src/connection/stores/postgres/migrate.ts";
import { postgresStore } from "../../src/connection/stores/postgres/postgres-store.ts";

export interface MadeStore {
  store: TaskStore;
  database: Database;
  url: string;
  directory: string;
}

/** A store in a schema of its own, for one test. */
export async function madeStore(url: string): Promise<MadeStore> {
  const database = openDatabase(url);
  await migrate(database);
  onTestFinished(() => dropSchema(database));
  return { ...(await storeAt(url, database)), url };
}

/** The store of another process or machine, as far as the database can tell. */
export async function storeAt(url: string, database = openDatabase(url)): Promise<Omit<MadeStore, "url">> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "e8 テスト é-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const project = database.address.project ?? "example.com/team/project";
  return { store: postgresStore({ database, directory, project }), database, directory };
}

function openDatabase(url: string): Database {
  const database = new Database(readAddress(url));
  onTestFinished(() => database.close());
  return database;
}

async function dropSchema(database: Database): Promise<void> {
  const { schema } = database.address;
  for (const name of [schema, `${schema}_queue`]) await database.ask(`drop schema if exists "${name}" cascade`);
  for (const kind of ["reader", "submitter", "worker"]) await database.ask(`drop role if exists "${schema}_${kind}"`);
}
