// The memory of the e8 process itself, agents and model not counted, over many iterations on the real Claude Code.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { E8, inPlace, withRoles } from "./loop-vs-shell.mjs";

const ITERATIONS = 60;
const REACH_MB = 200;
/** The last third may be this much larger than the middle one, because garbage collection is irregular. */
const FLAT = 1.1;

export async function memory() {
  const samples = await inPlace(sample, ITERATIONS);
  const part = (from, to) => peakOf(samples.slice(samples.length * from, samples.length * to));
  const [peak, middle, last] = [peakOf(samples), part(1 / 3, 2 / 3), part(2 / 3, 1)];
  return [
    {
      what: `peak memory of the e8 process over ${ITERATIONS} iterations`,
      value: `${peak.toFixed(0)} MB`,
      reach: `≤ ${REACH_MB} MB`,
      isReached: peak <= REACH_MB,
    },
    {
      what: "its peak in the last 20 of them, against the 20 before",
      value: `${(last / middle).toFixed(2)} ×`,
      reach: "flat",
      isReached: last <= FLAT * middle,
    },
  ];
}

/** Megabytes, several times a second, until it has ended. */
async function sample({ project, env }) {
  const task = withRoles({ max_iterations: ITERATIONS, stall_limit: null });
  await writeFile(join(project, "task.yaml"), JSON.stringify(task));
  const command = [E8, "run", "--config", "task.yaml", "--project", project];
  const child = spawn(process.execPath, command, { cwd: project, env, stdio: "ignore" });
  const ended = once(child, "exit");
  const samples = [];
  while (child.exitCode === null && child.signalCode === null) {
    const megabytes = await residentMegabytes(child.pid);
    if (megabytes > 0) samples.push(megabytes);
    await Promise.race([ended, sleep(250)]);
  }
  if (child.exitCode !== 0) throw new Error(`exit ${child.exitCode}`);
  return samples;
}

async function residentMegabytes(pid) {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]).catch(() => ({ stdout: "0" }));
  return Number(stdout) / 1024;
}

function peakOf(samples) {
  return Math.max(...samples);
}
