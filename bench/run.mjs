// `npm run bench`: one table from one run. `npm run bench -- --write` also keeps it in docs/benchmarks.md. Needs a build.
// Exit 1 when a reach is missed.
import { writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import process from "node:process";
import { contextQuery, promptSizes } from "./long-history.mjs";
import { ownTime } from "./own-time.mjs";
import { tableOf } from "./table.mjs";

const PARTS = [ownTime, contextQuery, promptSizes];

const rows = [];
for (const part of PARTS) {
  process.stderr.write(`${part.name} …\n`);
  rows.push(...(await part()));
}
const table = tableOf(rows);
console.log(table);
if (process.argv.includes("--write")) await writeFile(new URL("../docs/benchmarks.md", import.meta.url), page(table));
process.exitCode = rows.some(({ isReached }) => isReached === false) ? 1 : 0;

function page(text) {
  return `# Benchmarks

Written by \`npm run bench -- --write\`: one run, on a machine with ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory,
${process.platform} ${process.arch}, Node ${process.version}. Times are medians. Ratios compare programs that took turns in this very run; \`×\` is
always to be read against the program that the line names. No model is involved anywhere: it is scripted and answers at once.

${text}

The reach is what we hold ourselves to; \`npm run bench\` exits with 1 when one is missed. No test asserts a time.
`;
}
