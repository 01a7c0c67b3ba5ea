import { spawnSync } from "node:child_process";
import process from "node:process";
import { readAddress } from "../../../../src/connection/stores/postgres/address.ts";
import { Database } from "../../../../src/connection/stores/postgres/database.ts";
import { postgresStore } from "../../../../src/connection/stores/postgres/postgres-store.ts";
import type { describeWithPostgres } from "../../../support/postgres.ts";
import { configuration } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

export const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:05.000Z") };
export const text = (words: string) => ({ type: "text", role: "executor", text: words }) as const;
export const patiently = { timeout: 60_000, interval: 50 };
export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
export const isGiven = process.env.E8_TEST_PG_URL !== undefined;

export type Postgres = Parameters<Parameters<typeof describeWithPostgres>[1]>[0] extends () => infer T ? T : never;

/** The store as a login that has been granted one role. */
export async function asRole(server: Postgres, url: string, role: string) {
  const { schema } = readAddress(url);
  const login = `${schema}_login_${role}`;
  await server.ask(`create role "${login}" login; grant "${schema}_${role}" to "${login}"`);
  const own = new URL(url);
  own.username = login;
  own.password = "";
  const database = new Database(readAddress(own.href));
  const { onTestFinished } = await import("vitest");
  onTestFinished(async () => {
    await database.close();
    await server.ask(`drop role "${login}"`);
  });
  return postgresStore({ database, directory: await temporaryDirectory(), project: "example.com/team/project" });
}

export function rawAs(database: Database, role: string, sql: string, id?: string) {
  return database.inTransaction(async (ask) => {
    await ask(`set local role "${database.address.schema}_${role}"`);
    await ask(sql, id === undefined ? [] : [id]);
  });
}
