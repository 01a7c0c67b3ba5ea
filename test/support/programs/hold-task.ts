import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { readAddress } from "../../../src/connection/stores/postgres/address.ts";
import { Database } from "../../../src/connection/stores/postgres/database.ts";
import { postgresStore } from "../../../src/connection/stores/postgres/postgres-store.ts";
import { E8Error } from "../../../src/model/errors.ts";
import { summary } from "../stored.ts";

/** Takes a task in a database and records one iteration after the other, until it may no longer; then says why. */
const [url = "", directory = "", project = "", id = ""] = process.argv.slice(2);

const store = postgresStore({ database: new Database(readAddress(url)), directory, project });
const task = await store.open(id);
task.cancelled.addEventListener("abort", () => say({ told: (task.cancelled.reason as { code?: string }).code }));
try {
  for (let iteration = 1; ; iteration += 1) {
    await task.rawLog(1, "executor", "of the first");
    await task.history.append(summary(iteration, { reason: "of the first" }));
    say({ iteration });
    await pause(20);
  }
} catch (error) {
  if (!(error instanceof E8Error)) throw error;
  await task.rawLog(1, "executor", "of the first, which was replaced");
  say({ code: error.code });
  process.exit(0);
}

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
