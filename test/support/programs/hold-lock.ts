import { acquireLock } from "../../../src/connection/stores/files/lock.ts";
import { E8Error } from "../../../src/model/errors.ts";

/** Tries to take the lock, says how it went, and stays until its stdin ends; then gives the lock back. */
const [path = "", id = ""] = process.argv.slice(2);

try {
  const lock = await acquireLock(path, id);
  console.log(JSON.stringify({ held: true, pid: process.pid }));
  for await (const _ of process.stdin);
  await lock.release();
} catch (error) {
  if (!(error instanceof E8Error)) throw error;
  console.log(JSON.stringify({ held: false, code: error.code, details: error.details }));
}
