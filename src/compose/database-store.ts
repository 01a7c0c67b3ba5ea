import { postgresStore } from "../connection/stores/postgres/postgres-store.ts";
import { redactingStore } from "../connection/stores/redacting.ts";
import { type DatabaseStore, redactionOf } from "./store.ts";

/** Every store in a database is made here: it redacts the secrets of its directory and of this process's environment. */
export function databaseStore(part: DatabaseStore["part"]): DatabaseStore {
  return { part, store: redactingStore(postgresStore(part), redactionOf(part.directory)) };
}
