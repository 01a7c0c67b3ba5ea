import { systemClock } from "../connection/clock.ts";
import { readAddress } from "../connection/stores/postgres/address.ts";
import { Database } from "../connection/stores/postgres/database.ts";
import { type FleetStanding, fleetStanding } from "../connection/stores/postgres/fleet.ts";
import { type Migrated, migrate } from "../connection/stores/postgres/migrate.ts";
import { E8Error } from "../model/errors.ts";
import { databaseOf } from "./store.ts";

/** Makes a store in a database, or brings it up to date. */
export async function initFleet(url: string): Promise<Migrated> {
  const database = new Database(readAddress(url));
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}

export async function standingOfFleet(project: string): Promise<FleetStanding> {
  const found = databaseOf(project);
  if (!found) throw new E8Error("store_missing", { command: "e8 fleet status" });
  return fleetStanding(found.part.database, systemClock.now());
}
