// Many tiny tasks against bare jobs of the same queue that start the same two processes.
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { createPostgresBackend, Queue, Worker } from "bullmq";
import { giveToFleet } from "../../dist/compose/fleet/submit.js";
import { configureTask } from "../../dist/compose/tasks.js";
import { systemClock } from "../../dist/connection/clock.js";
import { multiple } from "../table.mjs";
import { E8, onGround } from "./ground.mjs";

const TASKS = Number(process.env.E8_BENCH_TASKS ?? 1000);
const SLOTS = 8;
const REACH = 3;

const WORK = {
  task: "nothing",
  agent: { command: "true" },
  criteria: [{ type: "command", command: "true" }],
  if_green: "work",
  proof: "none",
  intake: false,
};

export async function tinyTasks() {
  return onGround(async (ground) => {
    const bare = await bareJobs(ground);
    const fleet = await fleetTasks(ground);
    const each = (seconds) => `${((seconds * 1000) / TASKS).toFixed(1)} ms a task`;
    const what = `${TASKS} tiny tasks with ${SLOTS} slots, against bare jobs that start the same two processes`;
    return [multiple({ what, ratio: fleet / bare, reach: REACH, beside: `${each(fleet)}, a bare job ${each(bare)}` })];
  });
}

async function bareJobs({ url }) {
  const { origin, pathname, username, hostname, port } = new URL(url);
  const connectionString =
    origin === "null" ? `postgres://${username}@${hostname}:${port}${pathname}` : `${origin}${pathname}`;
  const connection = { connectionString, schema: "bare", migrate: true };
  const queue = new Queue("bare", { connection }, createPostgresBackend);
  await queue.waitUntilReady();
  await queue.addBulk(Array.from({ length: TASKS }, (_, index) => ({ name: "task", data: { index } })));
  const began = performance.now();
  let done = 0;
  await new Promise((resolve) => {
    const worker = new Worker(
      "bare",
      async () => {
        await ended(spawn("sh", ["-c", "true"]));
        await ended(spawn("sh", ["-c", "true"]));
      },
      { connection, concurrency: SLOTS },
      createPostgresBackend,
    );
    worker.on("error", () => {});
    worker.on("completed", () => {
      done += 1;
      if (done === TASKS) worker.close().then(resolve);
    });
  });
  const seconds = (performance.now() - began) / 1000;
  await queue.close();
  return seconds;
}

function ended(child) {
  return new Promise((resolve) => child.once("exit", resolve));
}

async function fleetTasks({ url, directory, part, store }) {
  const { configuration } = await configureTask(WORK, directory, {});
  for (let index = 0; index < TASKS; index += 1) {
    const id = await store.create({ configuration, now: systemClock.now() });
    await giveToFleet({ part, store }, id, { labels: [] });
  }
  const env = { ...process.env, ENDLESS8_STORE: url };
  const words = [E8, "worker", "--concurrency", String(SLOTS), "--same-place", "--json-events"];
  const child = spawn(process.execPath, words, { cwd: directory, env, stdio: ["ignore", "pipe", "inherit"] });
  let [done, began] = [0, 0];
  await new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith('{"type":"worker-start"')) began = performance.now();
      if (line.startsWith('{"type":"task-end"')) done += 1;
      if (done === TASKS) resolve();
    });
  });
  const seconds = (performance.now() - began) / 1000;
  child.kill("SIGTERM");
  await ended(child);
  return seconds;
}
