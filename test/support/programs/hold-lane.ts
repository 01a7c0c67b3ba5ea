import { once } from "node:events";
import process from "node:process";
import { readAddress } from "../../../src/connection/stores/postgres/address.ts";
import { Database } from "../../../src/connection/stores/postgres/database.ts";
import { postgresStore } from "../../../src/connection/stores/postgres/postgres-store.ts";
import { E8Error } from "../../../src/model/errors.ts";

/** Takes a task in a database and its place before the base `main`. Once it is replaced, it gives the place back, and wants it again. */
const [url = "", directory = "", project = "", id = ""] = process.argv.slice(2);

const store = postgresStore({ database: new Database(readAddress(url)), directory, project });
const task = await store.open(id);
const { signal } = new AbortController();
const leave = await task.lane?.hold("main", signal);
say({ holds: "main" });
await once(task.cancelled, "abort");
leave?.();
await task.lane?.hold("main", signal).catch((error) => say({ code: error instanceof E8Error && error.code }));
await task.release();
process.exit(0);

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
