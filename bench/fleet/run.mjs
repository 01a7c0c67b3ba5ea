// `node bench/fleet/run.mjs [part …]`: what a fleet costs, as one table. Needs a build.
import process from "node:process";
import { tableOf } from "../table.mjs";
import { hundredWorkers } from "./hundred-workers.mjs";
import { notifications } from "./notifications.mjs";
import { pushes } from "./pushes.mjs";
import { manyRecords } from "./records.mjs";
import { tinyTasks } from "./tiny-tasks.mjs";

const asked = process.argv.slice(2);
const rows = [];
for (const part of [tinyTasks, manyRecords, hundredWorkers, notifications, pushes]) {
  if (asked.length > 0 && !asked.includes(part.name)) continue;
  process.stderr.write(`${part.name} …\n`);
  rows.push(...(await part()));
}
console.log(tableOf(rows));
process.exitCode = rows.some(({ isReached }) => isReached === false) ? 1 : 0;
