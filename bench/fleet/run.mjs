// `node bench/fleet/run.mjs`: what a fleet costs, as one table. Needs a build.
import { tableOf } from "../table.mjs";
import { hundredWorkers } from "./hundred-workers.mjs";
import { pushes } from "./pushes.mjs";
import { manyRecords } from "./records.mjs";
import { tinyTasks } from "./tiny-tasks.mjs";

const rows = [];
for (const part of [tinyTasks, manyRecords, hundredWorkers, pushes]) {
  process.stderr.write(`${part.name} …\n`);
  rows.push(...(await part()));
}
console.log(tableOf(rows));
process.exitCode = rows.some(({ isReached }) => isReached === false) ? 1 : 0;
