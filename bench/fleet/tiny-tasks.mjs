// Many tiny tasks against bare jobs of the same queue that start the same two processes: once as workers start them, in spaces of their
// own, and once without a sandbox. Both take turns on one server, so that what else the machine does slows both.
import { execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
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
const TURNS = 10;
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
  return [
    ...(await against("contain", "in spaces of their own", { reach: REACH })),
    ...(await against("contain", "in spaces of their own, in a git repository", { isRepository: true })),
    ...(await against("off", "without a sandbox")),
  ];
}

/** The reach is for workers as they come. */
async function against(sandbox, where, { reach, isRepository = false } = {}) {
  return onGround(async (ground) => {
    if (isRepository) makeRepository(ground);
    const processes = sandbox === "off" ? PROCESSES : await enclosed(ground);
    const [bare, fleet] = await inTurns(ground.server, [
      await bareJobs(ground, processes),
      await fleetTasks(ground, sandbox),
    ]);
    const each = ({ milliseconds }) => `${milliseconds.toFixed(1)} ms a task`;
    const what = `${TASKS} tiny tasks with ${SLOTS} slots, against bare jobs that start the same two processes, ${where}`;
    const beside = `${each(fleet)}, a bare job ${each(bare)}`;
    const cpu = total(fleet) / total(bare);
    return [
      multiple({ what, ratio: fleet.milliseconds / bare.milliseconds, reach, beside }),
      { what: "  processor time of a task, in ms", value: total(fleet).toFixed(1), beside: shares(fleet) },
      { what: "  of a bare job", value: total(bare).toFixed(1), beside: `${shares(bare)}: ${cpu.toFixed(1)} ×` },
    ];
  });
}

function makeRepository({ directory: cwd }) {
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], { cwd });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "--message", "first");
}

/** Time and processor time of each, a task. The first turn is to warm up. */
async function inTurns(server, sides) {
  const sums = sides.map(() => ({ seconds: 0, cpu: {}, tasks: 0 }));
  for (let turn = 0; turn <= TURNS; turn += 1)
    for (const [place, side] of sides.entries()) {
      const before = cpuOf(server, side.pid);
      const [began, done] = [performance.now(), side.done()];
      await side.go(WARM_UP + (TASKS * turn) / TURNS);
      if (turn === 0) continue;
      sums[place].seconds += (performance.now() - began) / 1000;
      sums[place].tasks += side.done() - done;
      for (const [part, ms] of Object.entries(cpuOf(server, side.pid)))
        sums[place].cpu[part] = (sums[place].cpu[part] ?? 0) + ms - (before[part] ?? 0);
    }
  for (const side of sides) await side.close();
  return sums.map(({ seconds, cpu, tasks }) => ({
    milliseconds: (seconds * 1000) / tasks,
    cpu: Object.fromEntries(Object.entries(cpu).map(([part, ms]) => [part, ms / tasks])),
  }));
}

function shares({ cpu }) {
  return Object.entries(cpu)
    .map(([part, ms]) => `${part} ${ms.toFixed(1)}`)
    .join(", ");
}

function total({ cpu }) {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
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

async function bareJobs({ url }, processes) {
  const { origin, pathname, username, hostname, port } = new URL(url);
  const connectionString =
    origin === "null" ? `postgres://${username}@${hostname}:${port}${pathname}` : `${origin}${pathname}`;
  const child = fork(new URL("./bare-jobs.mjs", import.meta.url));
  const heard = async (message) => {
    child.send(message);
    return (await once(child, "message"))[0].done;
  };
  const connection = { connectionString, schema: "bare", migrate: true };
  let done = await heard({ connection, processes, jobs: TASKS + WARM_UP, slots: SLOTS });
  return {
    pid: child.pid,
    done: () => done,
    go: async (tasks) => {
      done = await heard({ until: tasks });
    },
    close: async () => {
      child.send({});
      await once(child, "exit");
    },
  };
}

function counter() {
  let [done, wanted, resolve, reject] = [0, 0, () => {}, () => {}];
  return {
    fail: (why) => reject(new Error(why)),
    add: () => {
      done += 1;
      if (done >= wanted) resolve();
    },
    done: () => done,
    reaches: (tasks) => {
      wanted = tasks;
      return done >= tasks ? undefined : new Promise((...settle) => ([resolve, reject] = settle));
    },
  };
}

/** Between its turns the worker stands still. */
async function fleetTasks({ url, directory, part, store }, sandbox) {
  const { configuration } = await configureTask({ ...WORK, sandbox }, directory, {});
  for (let index = 0; index < TASKS + WARM_UP; index += 1) {
    const id = await store.create({ configuration, now: systemClock.now() });
    await giveToFleet({ part, store }, id, { labels: [] });
  }
  const allowed = join(directory, "allow.yaml");
  await writeFile(allowed, `sandbox: ${sandbox}\n`);
  const env = { ...process.env, ENDLESS8_STORE: url, LC_ALL: "C.UTF-8" };
  const words = [E8, "worker", "--concurrency", String(SLOTS), "--same-place", "--allow", allowed];
  const child = spawn(process.execPath, words, { cwd: directory, env, stdio: ["ignore", "ignore", "pipe"] });
  const count = counter();
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (/ (failed|error)/.test(line)) throw new Error(line);
    if (line.endsWith(" ended: completed")) count.add();
  });
  child.once("exit", (code) => count.done() < TASKS + WARM_UP && count.fail(`the worker ended with ${code}`));
  return {
    pid: child.pid,
    done: count.done,
    go: async (tasks) => {
      child.kill("SIGCONT");
      await count.reaches(tasks);
      if (count.done() < TASKS + WARM_UP) child.kill("SIGSTOP");
    },
    close: async () => {
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}
