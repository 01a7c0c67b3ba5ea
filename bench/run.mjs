// `npm run bench`: one table from one run. `npm run bench -- --write` also keeps it in docs/benchmarks.md. Needs a build.
// Exit 1 when a reach is missed.
import { writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import process from "node:process";
import { measureAcp } from "./acp-agent.mjs";
import { backlog } from "./backlog.mjs";
import { hundredWorkers } from "./fleet/hundred-workers.mjs";
import { manyRecords } from "./fleet/records.mjs";
import { tinyTasks } from "./fleet/tiny-tasks.mjs";
import { contextQuery, promptSizes } from "./long-history.mjs";
import { measure } from "./loop-vs-shell.mjs";
import { memory } from "./memory.mjs";
import { ownTime } from "./own-time.mjs";
import { page } from "./page/browser.mjs";
import { dashboard } from "./page/server.mjs";
import { proofCost } from "./proof-cost.mjs";
import { sandboxStart } from "./sandbox-start.mjs";
import { measureStartUp } from "./start-up.mjs";
import { multiple, tableOf } from "./table.mjs";

const PARTS = [
  ownTime,
  proofCost,
  sandboxStart,
  againstShell,
  againstAcpLoop,
  startUp,
  contextQuery,
  memory,
  backlog,
  page,
  dashboard,
  tinyTasks,
  manyRecords,
  hundredWorkers,
  promptSizes,
];

const rows = [];
for (const part of PARTS) {
  process.stderr.write(`${part.name} …\n`);
  rows.push(...(await part()));
}
const table = tableOf(rows);
console.log(table);
if (process.argv.includes("--write"))
  await writeFile(new URL("../docs/benchmarks.md", import.meta.url), documentOf(table));
process.exitCode = rows.some(({ isReached }) => isReached === false) ? 1 : 0;

async function againstShell() {
  return ratioRows(await measure());
}

async function againstAcpLoop() {
  return ratioRows(await measureAcp());
}

/** The first one is what the others are compared with. */
function ratioRows([shell, ...others]) {
  const seconds = (time) => `${time.toFixed(2)} s`;
  return [
    { what: `3 iterations: ${shell.what}`, value: seconds(shell.seconds) },
    ...others.map(({ what, ratio, reach, seconds: time }) =>
      multiple({ what: `the same file work: ${what}`, ratio, reach, beside: seconds(time) }),
    ),
  ];
}

async function startUp() {
  const [node, ...commands] = await measureStartUp();
  const milliseconds = (time) => `${time.toFixed(0)} ms`;
  return [
    { what: node.what, value: milliseconds(node.median) },
    ...commands.map(({ what, ratio, limit, median }) =>
      multiple({ what: `${what}, against node -e 0`, ratio, reach: limit, beside: milliseconds(median) }),
    ),
  ];
}

function documentOf(text) {
  return `# Benchmarks

Written by \`npm run bench -- --write\`: one run, on a machine with ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory,
${process.platform} ${process.arch}, Node ${process.version}, with a load average of ${loadavg()[2].toFixed(1)}: above the number of cores, other programs were at work, and times are too long. Times are medians. Ratios compare programs that took turns in this very run; \`×\` is
always to be read against the program that the line names. No model is involved anywhere: it is scripted and answers at once.

${text}

Every row of \`e8\` has a proof in a clean checkout and the sandbox \`contain\`, as by default. All but the two of \`checks only\` also have a review, which a
shell loop has not. \`checks only\` has Claude Code as its worker and no other model; the row below it starts the shell loop's own \`claude -p\` in each iteration.
A clean checkout is made anew in each of these rows; "again" in the row of the proof is what a project pays from the second time on.

The dashboard's page takes 56 KB compressed for its first picture (reach 300 KB), and with its servers 0.9 MB of an installation (reach 3 MB). Sizes are the same everywhere, so a test holds them: \`test/dashboard/built.test.ts\`.

The reach is what we hold ourselves to; \`npm run bench\` exits with 1 when one is missed. No test asserts a time.
`;
}
