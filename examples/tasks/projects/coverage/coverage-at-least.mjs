// Reads the report of `node --test --experimental-test-coverage` and exits 0 when enough lines are covered.
import { text } from "node:stream/consumers";

const wanted = Number(process.argv[2]);
const covered = Number(/all files\s*\|\s*([\d.]+)/.exec(await text(process.stdin))?.[1] ?? 0);
console.log(`line coverage: ${covered} % (wanted: ${wanted} %)`);
process.exitCode = covered >= wanted ? 0 : 1;
