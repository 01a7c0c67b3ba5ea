// A hundred workers that sleep instead of working: the real store and the real line, each worker with connections of its own. All of them
// are in this process; who watches is in another.
import { spawn } from "node:child_process";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { giveToFleet } from "../../dist/compose/fleet/submit.js";
import { configureTask } from "../../dist/compose/tasks.js";
import { systemClock } from "../../dist/connection/clock.js";
import { BullmqQueue } from "../../dist/connection/queues/bullmq/bullmq-queue.js";
import { LoopResult } from "../../dist/model/records.js";
import { onGround, openStore, percentile } from "./ground.mjs";

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
    const noted = { appends: [], takes: [], done: 0 };
    const watching = await watcherOf(
      ground,
      ids.filter((_, index) => index % EVERY === 0),
    );
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const began = performance.now();
    const workers = Array.from({ length: WORKERS }, () => worker(ground, noted));
    await sleep(SLEEP_MS * 2);
    const [{ connections }] = await ground.server.ask("select count(*)::integer as connections from pg_stat_activity");
    tell(`${connections} connections`);
    await Promise.all(workers);
    tell(`${TASKS} tasks are done`);
    const seconds = (performance.now() - began) / 1000;
    const latencies = await watching();
    const late = `this process is late by ${(delay.percentile(95) / 1e6).toFixed(0)} ms, p95`;
    const ideal = (Math.ceil(TASKS / WORKERS) * ITERATIONS * SLEEP_MS) / 1000;
    const [append, take] = [noted.appends, noted.takes].map((values) => percentile(values, 0.95));
    const latency = percentile(latencies, 0.95);
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
        beside: `${ideal} s of sleep; append p95 ${append.toFixed(0)} ms, take p95 ${take.toFixed(0)} ms, ${connections} connections`,
      },
    ];
  });
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

async function worker({ url, directory }, noted) {
  const { part, store } = openStore(url, directory);
  const queue = new BullmqQueue(part.database);
  const offer = { projects: ["bench"], labels: ["@directory"] };
  await queue.watchOver(offer);
  while (noted.done < TASKS) {
    const taken = await timed(noted.takes, () => queue.take(offer));
    if (taken) {
      await carry(store, taken.id, noted);
      await taken.done();
      noted.done += 1;
    } else await sleep(SLEEP_MS / 2);
  }
  await queue.close();
  await part.database.close();
}

async function carry(store, id, { appends }) {
  const task = await store.open(id);
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
