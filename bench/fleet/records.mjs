// What grows with the records of a store: the context of a prompt, and the list of tasks.
import { performance } from "node:perf_hooks";
import { configureTask } from "../../dist/compose/tasks.js";
import { systemClock } from "../../dist/connection/clock.js";
import { multiple } from "../table.mjs";
import { onGround, percentile } from "./ground.mjs";

const TASKS = 100;
const [FEW, MANY] = [10_000, 1_000_000];
const REACH = 1.5;
const ROUNDS = 41;

export async function manyRecords() {
  return onGround(async (ground) => {
    const ids = await tasksOf(ground);
    await fill(ground, 1, FEW / TASKS);
    const few = await measured(ground, ids);
    await fill(ground, FEW / TASKS + 1, MANY / TASKS);
    const many = await measured(ground, ids);
    return ["context", "list"].map((what) =>
      multiple({
        what: `${what === "context" ? "context query" : "list of tasks"}: 10⁶ records in the store, against 10⁴`,
        ratio: many[what] / few[what],
        reach: REACH,
        beside: `${many[what].toFixed(2)} ms, against ${few[what].toFixed(2)} ms`,
      }),
    );
  });
}

async function tasksOf({ directory, store }) {
  const task = { task: "x", agent: { command: "true" }, criteria: [{ type: "command", command: "true" }] };
  const { configuration } = await configureTask(task, directory, {});
  const ids = [];
  for (let index = 0; index < TASKS; index += 1)
    ids.push(await store.create({ configuration, now: systemClock.now() }));
  return ids;
}

/** Of twenty iterations one has failed. */
const FILL = `
  insert into e8.record (task_id, seq, type, at, doc)
  select task_id, n, 'summary', '2026-01-01T00:00:00.000Z', json_build_object('type', 'summary', 'iteration', n,
    'approach', 'approach ' || n % 40, 'result', case when n % 20 = 0 then 'failure' else 'success' end,
    'reason', repeat('why it was so ', 10) || n % 40, 'timestamp', '2026-01-01T00:00:00.000Z')
  from e8.task, generate_series($1::integer, $2::integer) as n`;

async function fill({ part: { database } }, first, last) {
  const size = 500;
  for (let from = first; from <= last; from += size) await database.ask(FILL, [from, Math.min(last, from + size - 1)]);
  await database.ask("update e8.task set records = $1, iterations = $1", [last]);
  await database.ask("analyze e8.record");
  await database.ask("analyze e8.task");
}

async function measured({ store }, ids) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const task = await store.open(ids[round]); // an open task remembers its answer
    times.push(await timed(() => task.history.context(5)));
    await task.release();
  }
  const context = percentile(times, 0.5);
  return { context, list: await median(() => store.overviews()) };
}

async function median(act) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await timed(act));
  }
  return percentile(times, 0.5);
}

async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
