// Many tiny tasks against bare jobs of the same queue that start the same two processes: once as workers start them, in spaces of their
// own, and once without a sandbox.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { createPostgresBackend, Queue, Worker } from "bullmq";
import { giveToFleet } from "../../dist/compose/fleet/submit.js";
import { placesOf } from "../../dist/compose/places.js";
import { configureTask } from "../../dist/compose/tasks.js";
import { systemClock } from "../../dist/connection/clock.js";
import { spacesOf } from "../../dist/connection/processes/sandbox/spaces.js";
import { multiple } from "../table.mjs";
import { cpuOf } from "./cpu.mjs";
import { E8, onGround } from "./ground.mjs";

const TASKS = Number(process.env.E8_BENCH_TASKS ?? 1000);
const SLOTS = 8;
const REACH = 3;
const WARM_UP = 16;

const WORK = {
  task: "nothing",
  agent: { command: "true" },
  criteria: [{ type: "command", command: "true" }],
  if_green: "work",
  proof: "none",
  intake: false,
};

/** As workers start them. */
const PROCESSES = [
  ["bash", "--norc", "-c", "true"],
  ["bash", "--norc", "-c", "exec 2>&1; true"],
];

export async function tinyTasks() {
  return [...(await against("contain", "in spaces of their own")), ...(await against("off", "without a sandbox"))];
}

async function against(sandbox, where) {
  return onGround(async (ground) => {
    const processes = sandbox === "off" ? PROCESSES : await enclosed(ground);
    const bare = await bareJobs(ground, processes);
    const fleet = await fleetTasks(ground, sandbox);
    const each = ({ seconds }) => `${((seconds * 1000) / TASKS).toFixed(1)} ms a task`;
    const what = `${TASKS} tiny tasks with ${SLOTS} slots, against bare jobs that start the same two processes, ${where}`;
    const beside = `${each(fleet)}, a bare job ${each(bare)}`;
    const shares = Object.entries(fleet.cpu).map(([part, ms]) => `${part} ${(ms / TASKS).toFixed(1)}`);
    const bareShares = Object.entries(bare.cpu).map(([part, ms]) => `${part} ${(ms / TASKS).toFixed(1)}`);
    return [
      multiple({ what, ratio: fleet.seconds / bare.seconds, reach: REACH, beside }),
      { what: "  processor time of a task, in ms", value: total(fleet.cpu), beside: shares.join(", ") },
      { what: "  of a bare job", value: total(bare.cpu), beside: bareShares.join(", ") },
    ];
  });
}

function total(cpu) {
  return (Object.values(cpu).reduce((sum, ms) => sum + ms, 0) / TASKS).toFixed(1);
}

/** The same command lines as those of a task in this directory. */
async function enclosed({ directory }) {
  const { configuration } = await configureTask(WORK, directory, {});
  const folder = join(directory, ".e8", "machine", "bare");
  const places = await placesOf({ task: { project: directory, configuration }, folder }, process.env, undefined);
  const spaces = await spacesOf("contain", places);
  if (spaces.use.adapter === "none") throw new Error("no sandbox works here");
  return PROCESSES.map(([command, ...args], index) => {
    const space = index === 0 ? spaces.worker : spaces.check;
    return space.enclose({ command, args, cwd: directory, environment: process.env });
  });
}

async function bareJobs({ url, server }, processes) {
  const { origin, pathname, username, hostname, port } = new URL(url);
  const connectionString =
    origin === "null" ? `postgres://${username}@${hostname}:${port}${pathname}` : `${origin}${pathname}`;
  const connection = { connectionString, schema: "bare", migrate: true };
  const queue = new Queue("bare", { connection }, createPostgresBackend);
  await queue.waitUntilReady();
  const jobs = Array.from({ length: TASKS + WARM_UP }, (_, index) => ({ name: "task", data: { index } }));
  await queue.addBulk(jobs);
  const work = async () => {
    for (const [command, ...args] of processes) await ended(spawn(command, args, { stdio: "pipe" }));
  };
  let [done, began, before] = [0, 0, undefined];
  const worker = new Worker("bare", work, { connection, concurrency: SLOTS }, createPostgresBackend);
  worker.on("error", () => {});
  await new Promise((resolve) => {
    worker.on("completed", () => {
      done += 1;
      if (done === WARM_UP) [began, before] = [performance.now(), cpuOf(server, process.pid)];
      if (done === TASKS + WARM_UP) resolve();
    });
  });
  const seconds = (performance.now() - began) / 1000;
  const cpu = difference(before, cpuOf(server, process.pid));
  await worker.close();
  await queue.close();
  return { seconds, cpu };
}

function ended(child) {
  child.stdin?.end();
  child.stdout?.resume();
  child.stderr?.resume();
  return new Promise((resolve) => child.once("close", resolve));
}

async function fleetTasks({ url, directory, part, store, server }, sandbox) {
  const { configuration } = await configureTask({ ...WORK, sandbox }, directory, {});
  for (let index = 0; index < TASKS + WARM_UP; index += 1) {
    const id = await store.create({ configuration, now: systemClock.now() });
    await giveToFleet({ part, store }, id, { labels: [] });
  }
  const allowed = join(directory, "allow.yaml");
  await writeFile(allowed, `sandbox: ${sandbox}\n`);
  const env = { ...process.env, ENDLESS8_STORE: url };
  const words = [E8, "worker", "--concurrency", String(SLOTS), "--same-place", "--json-events", "--allow", allowed];
  const child = spawn(process.execPath, words, { cwd: directory, env, stdio: ["ignore", "pipe", "inherit"] });
  let [done, began, before] = [0, 0, undefined];
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith('{"type":"task-failed"')) reject(new Error(line));
      if (!line.startsWith('{"type":"task-end"')) return;
      done += 1;
      if (done === WARM_UP) [began, before] = [performance.now(), cpuOf(server, child.pid)];
      if (done === TASKS + WARM_UP) resolve();
    });
  });
  const seconds = (performance.now() - began) / 1000;
  const cpu = difference(before, cpuOf(server, child.pid));
  child.kill("SIGTERM");
  await ended(child);
  return { seconds, cpu };
}

function difference(before, after) {
  return Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, ms - (before[part] ?? 0)]));
}
