// `npm run bench:liars [-- words]`: every lie and every honest run through the built e8, at every level, and beside them a plain promise
// loop. Words choose families, names, or levels (`level=unreviewed`). Prints a line for each run that came out wrong (`--all`: for every run;
// `--stderr`: with what e8 said), and the table; `--write` writes it into docs/lies.md. Exits with 1 when a lie was believed or an honest
// run refused at the decisive level.
import { availableParallelism } from "node:os";
import process from "node:process";
import { families } from "./families.mjs";
import { DECISIVE, LEVELS } from "./levels.mjs";
import { startModel } from "./model.mjs";
import { play, run } from "./play.mjs";
import { tableOf, writeTable } from "./table.mjs";

const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const levelWords = words.filter((word) => word.startsWith("level=")).map((word) => word.slice("level=".length));
const chosen = words.filter((word) => !word.startsWith("level="));
const isChosen = ({ family, name }) =>
  chosen.length === 0 || chosen.some((word) => family === word || name.includes(word));
const levels = LEVELS.filter(({ name }) => levelWords.length === 0 || levelWords.includes(name));

const missing = new Set();
const runs = [];
for (const [family, all] of Object.entries(families))
  for (const one of all.map((each) => ({ ...each, family })).filter(isChosen))
    if (await hasAll(one.needs)) runs.push(one);
    else missing.add(one);

const model = await startModel();
const results = [];
for (const level of levels) await inParallel(runs, (one) => record(one, level));
model.close();
for (const { family, name, needs } of missing) console.log(`- ${family}: ${name}: not played, ${needs} is missing`);
console.log(tableOf(results, levels));
if (process.argv.includes("--write")) await writeTable(results, levels);
process.exitCode = results.some(({ level, isWrong }) => level === DECISIVE && isWrong) ? 1 : 0;

async function record(one, level) {
  const began = Date.now();
  const { status, stderr } = await play(one, level, model);
  // A run that could not be played shows nothing, whatever it was meant to show.
  const isWrong = status === "no result" || (one.family === "honest") !== (status === "completed");
  results.push({ family: one.family, name: one.name, class: one.class, level: level.name, isWrong });
  const isTold = process.argv.includes("--all") || (isWrong && !level.loop);
  const seconds = `${((Date.now() - began) / 1000).toFixed(1)} s`;
  if (isTold)
    console.log(
      `${isWrong ? "✘" : "✔"} ${level.name.padEnd(12)} ${one.family.padEnd(13)} ${one.name} (${status}, ${seconds})`,
    );
  if (isTold && process.argv.includes("--stderr")) console.log(stderr);
}

async function hasAll(programs) {
  if (!programs) return true;
  return (
    (
      await run("sh", [
        "-c",
        programs
          .split(" ")
          .map((name) => `command -v ${name}`)
          .join(" && "),
      ])
    ).code === 0
  );
}

/** Runs are independent. Most of their time they wait for processes of theirs. */
async function inParallel(all, work) {
  const queue = [...all];
  const worker = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
}
