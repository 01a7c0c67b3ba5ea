import { appendFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { acquireLock } from "../../../src/connection/stores/files/lock.ts";
import { E8Error } from "../../../src/model/errors.ts";

/** Takes the lock again and again, and writes down when it is inside, until its stdin ends. */
const [path = "", log = ""] = process.argv.slice(2);
let rounds = 0;

console.log(JSON.stringify({ ready: true }));
process.stdin.on("end", () => {
  console.log(JSON.stringify({ rounds }));
  process.exit();
});
process.stdin.resume();

for (;;) {
  const lock = await acquireLock(path, "fight").catch((error) => {
    if (!(error instanceof E8Error) || error.code !== "task_locked") throw error;
  });
  if (lock) {
    await appendFile(log, `enter ${process.pid}\n`);
    await sleep(Math.random() * 5);
    await appendFile(log, `leave ${process.pid}\n`);
    await lock.release();
    rounds += 1;
  }
  await sleep(Math.random() * 3);
}
