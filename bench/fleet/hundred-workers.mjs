// A hundred workers that sleep instead of working: each is the worker of `e8 worker` with connections of its own, on the real store and the
// real line; only what it does with a task is not real. All of them are in this process; who watches is in another.
import { spawn } from "node:child_process";
import { setMaxListeners } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chooseStore } from "../../dist/compose/choose-store.js";
import { giveToFleet } from "../../dist/compose/fleet/submit.js";
import { workForFleet } from "../../dist/compose/fleet/worker.js";
import { keepIn } from "../../dist/compose/store.js";
import { configureTask } from "../../dist/compose/tasks.js";
import { systemClock } from "../../dist/connection/clock.js";
import { Allowance } from "../../dist/model/allowance.js";
import { LoopResult } from "../../dist/model/records.js";
import { onGround, percentile } from "./ground.mjs";
import { countedNews } from "./notifications.mjs";

const WORKERS = Number(process.env.E8_BENCH_WORKERS ?? 100);
const TASKS = Number(process.env.E8_BENCH_TASKS ?? WORKERS * 3);
const GIVERS = 4;
const ITERATIONS = 5;
const SLEEP_MS = 1000;
const WATCHER_REACH_MS = 100;
/** Of so many tasks one is watched. */
const EVERY = 10;

export async function hundredWorkers() {
  return onGround(async (ground) => {
    const ids = await given(ground);
    tell(`${TASKS} tasks are in line`);
    const noted = { appends: [], gaps: [], done: 0 };
    const watching = await watcherOf(
      ground,
      ids.filter((_, index) => index % EVERY === 0),
    );
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const drain = new AbortController();
    setMaxListeners(0, drain.signal); // each worker listens to it
    const began = performance.now();
    const workers = Array.from({ length: WORKERS }, (_, index) => worker(ground, { index, drain, noted }));
    const news = await countedNews(ground);
    const connections = [];
    while (noted.done < TASKS) {
      await sleep(SLEEP_MS / 2);
      connections.push(await connectionsIn(ground));
    }
    tell(`${TASKS} tasks are done`);
    const seconds = (performance.now() - began) / 1000;
    const heard = await news.stop();
    const latencies = await watching();
    drain.abort();
    await Promise.all(workers);
    const late = `this process is late by ${(delay.percentile(95) / 1e6).toFixed(0)} ms, p95`;
    const ideal = (Math.ceil(TASKS / WORKERS) * ITERATIONS * SLEEP_MS) / 1000;
    const [append, gap] = [noted.appends, noted.gaps].map((values) => percentile(values, 0.95));
    const latency = percentile(latencies, 0.95);
    const most = Math.max(...connections.map(({ all }) => all));
    const usual = percentile(
      connections.map(({ all }) => all),
      0.5,
    );
    const listening = Math.max(...connections.map((one) => one.listening));
    return [
      {
        what: `an event reaches a watcher, p95, while ${WORKERS} workers write`,
        value: `${latency.toFixed(0)} ms`,
        reach: `≤ ${WATCHER_REACH_MS} ms`,
        isReached: latency <= WATCHER_REACH_MS,
        beside: `${latencies.length} events; ${late}`,
      },
      {
        what: `${WORKERS} workers that sleep, ${TASKS} tasks × ${ITERATIONS} iterations of 1 s`,
        value: `${seconds.toFixed(1)} s`,
        beside: `${ideal} s of sleep; append p95 ${append.toFixed(0)} ms, from a task to the next p95 ${gap.toFixed(0)} ms`,
      },
      {
        what: `connections of ${WORKERS} workers, half of the time`,
        value: `≤ ${usual}`,
        beside: `at most ${most}, of which ${listening} listen`,
      },
      {
        what: `notifications of ${WORKERS} workers`,
        value: `${(heard.news / seconds).toFixed(0)} a second to watchers`,
        beside: `${(heard.calls / seconds).toFixed(1)} a second to workers`,
      },
    ];
  });
}

/** What the workers and their tasks have, with those that wait for notifications. */
async function connectionsIn({ server }) {
  const [found] = await server.ask(`
    select count(*)::integer as all, count(*) filter (where query ilike 'listen %')::integer as listening
    from pg_stat_activity where application_name = 'endless8'`);
  return found;
}

async function given({ directory, store, part }) {
  const task = { task: "x", agent: { command: "true" }, criteria: [{ type: "command", command: "true" }] };
  const { configuration } = await configureTask(task, directory, {});
  const ids = [];
  const giver = async () => {
    while (ids.length < TASKS) {
      const place = ids.push("") - 1;
      ids[place] = await store.create({ configuration, now: systemClock.now() });
      await giveToFleet({ store, part }, ids[place], { labels: [] });
    }
  };
  await Promise.all(Array.from({ length: GIVERS }, giver));
  return ids;
}

/** Each has a directory of its own, as a process has, and with it connections of its own. */
async function worker({ url, directory }, { index, drain, noted }) {
  const project = join(directory, `worker-${index}`);
  await mkdir(project);
  await chooseStore({ project, url, environment: {} });
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const request = {
    project,
    slots: 1,
    labels: [],
    allowance: Allowance.parse({}),
    inDirectory: true,
    samePlace: false,
  };
  const signals = { drain: drain.signal, stop: never, hurry: never };
  let ended;
  const carry = async (taken, { store }) => {
    if (ended) noted.gaps.push(performance.now() - ended);
    await slept(store, taken.id, noted);
    await taken.done();
    ended = performance.now();
    noted.done += 1;
  };
  for await (const event of workForFleet(request, { ...signals, environment: {}, language: "en" }, carry))
    if (event.type === "store-away") throw new Error(`${event.error_code}: ${JSON.stringify(event.error_details)}`);
  keepIn(project, undefined);
}

async function slept(store, id, { appends }) {
  const task = await store.open(id, { isOfFleet: true });
  const at = () => new Date().toISOString();
  for (let iteration = 1; iteration <= ITERATIONS; iteration += 1) {
    await task.events.append({ type: "iteration-start", iteration, max_iterations: ITERATIONS });
    await sleep(SLEEP_MS);
    const summary = { type: "summary", iteration, approach: "slept", result: "success", reason: "", timestamp: at() };
    await timed(appends, () => task.history.append(summary));
  }
  const ending = { status: "completed", stop_reason: "criteria_met", iterations_used: ITERATIONS };
  const result = LoopResult.parse({ type: "final_result", task_id: id, ...ending, timestamp: at() });
  await task.history.append(result);
  await task.events.append({ type: "run-end", result });
  await task.release();
}

/** Of minutes in which else nothing is to be seen. */
function tell(text) {
  process.stderr.write(`  ${(performance.now() / 1000).toFixed(0)} s: ${text}\n`);
}

const WATCHER = fileURLToPath(new URL("watcher.mjs", import.meta.url));

/** Watches in another process from now on. What it gives tells how late each event was there. Both clocks are this machine's. */
async function watcherOf({ url, directory }, ids) {
  const child = spawn(process.execPath, [WATCHER, url, directory, ...ids], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next(); // it watches
  return async () => JSON.parse((await lines.next()).value);
}

async function timed(times, act) {
  const began = performance.now();
  const result = await act();
  times.push(performance.now() - began);
  return result;
}
