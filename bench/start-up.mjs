// `node bench/start-up.mjs`: start-up times as multiples of Node's own. Needs a build.
import { execFile } from "node:child_process";
import { appendFile, cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { projectState } from "../dist/connection/state-directory.js";
import { fileStore } from "../dist/connection/stores/files/file-store.js";
import { inTemporaryDirectory } from "./workshop.mjs";

const execute = promisify(execFile);
const E8 = fileURLToPath(new URL("../bin/e8.js", import.meta.url));
const TASKS = 1000;

/**
 * Medians in milliseconds and their ratios to `node -e 0`. The commands take turns, so that a busy machine slows
 * all of them.
 */
export async function measureStartUp({ rounds = 15, tasks = TASKS } = {}) {
  return inTemporaryDirectory(async (project) => {
    await makeTasks(project, tasks);
    const commands = [
      { what: "node -e 0", args: ["-e", "0"] },
      { what: "e8 --version", args: [E8, "--version"], limit: 2 },
      { what: "e8 --help", args: [E8, "--help"] },
      { what: `e8 list, ${tasks} tasks`, args: [E8, "list", "--project", project], limit: 10 },
    ];
    return withRatios(commands, await takeTurns(commands, rounds));
  });
}

/** One real task, and copies of it with other ids, all of them known to the store. */
async function makeTasks(project, count) {
  const task = ["run", "Say hello", "--check", "true", "--no-intake", "--agent-command", "echo hello"];
  await execute(process.execPath, [E8, ...task, "--project", project]);
  const [original] = await readdir(join(project, ".e8", "tasks"));
  const names = Array.from({ length: count - 1 }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString().slice(0, 19).replaceAll(":", "-"),
  );
  const kept = projectState(project);
  for (const directory of [join(project, ".e8", "tasks"), join(kept, "tasks")])
    for (const name of names) await copyTask(directory, original, name);
  await appendFile(join(kept, "registry"), names.map((name) => `begun ${name}\n`).join(""));
  const known = (await fileStore(project).overviews()).filter(({ origin }) => origin === "kept");
  if (known.length !== count) throw new Error(`the store knows ${known.length} of ${count} tasks`);
}

async function copyTask(directory, original, name) {
  await cp(join(directory, original), join(directory, name), { recursive: true });
  for (const file of ["task.json", "history.jsonl"]) {
    const path = join(directory, name, file);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(original, name));
  }
}

/** The first round loads files into the system's cache and does not count. */
async function takeTurns(commands, rounds) {
  const times = commands.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [index, { args }] of commands.entries()) {
      const start = performance.now();
      await execute(process.execPath, args, { maxBuffer: 1e8 });
      if (round > 0) times[index].push(performance.now() - start);
    }
  return times.map((list) => list.toSorted((left, right) => left - right)[Math.floor(list.length / 2)]);
}

function withRatios(commands, medians) {
  return commands.map(({ what, limit }, index) => ({
    what,
    median: medians[index],
    ratio: medians[index] / medians[0],
    ...(limit !== undefined && { limit }),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await measureStartUp();
  for (const { what, median, ratio, limit } of rows)
    console.log(
      `${what.padEnd(22)}${median.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2)} ×${limit ? `  (≤ ${limit} ×)` : ""}`,
    );
  process.exitCode = rows.some(({ ratio, limit = Infinity }) => ratio > limit) ? 1 : 0;
}
