import { systemClock } from "../../connection/clock.ts";
import { migrateQueue } from "../../connection/queues/bullmq/queue-schema.ts";
import { readAddress } from "../../connection/stores/postgres/address.ts";
import { Database } from "../../connection/stores/postgres/database.ts";
import { type FleetStanding, fleetStanding } from "../../connection/stores/postgres/fleet.ts";
import { type Migrated, migrate } from "../../connection/stores/postgres/migrate.ts";
import { E8Error } from "../../model/errors.ts";
import { requireDatabase } from "../store.ts";

/** Makes a store in a database, or brings it up to date. */
export async function initFleet(url: string): Promise<Migrated & { has_line: boolean }> {
  const database = new Database(readAddress(url));
  try {
    const done = await migrate(database);
    return { ...done, has_line: await madeLine(database) };
  } finally {
    await database.close();
  }
}

/** Those who only share a store need no line. */
async function madeLine(database: Database): Promise<boolean> {
  try {
    await migrateQueue(database);
    return true;
  } catch (error) {
    if (error instanceof E8Error && error.code === "queue_package_missing") return false;
    throw error;
  }
}

export async function standingOfFleet(project: string): Promise<FleetStanding> {
  const { part } = requireDatabase(project, "e8 fleet status");
  return fleetStanding(part.database, systemClock.now());
}
