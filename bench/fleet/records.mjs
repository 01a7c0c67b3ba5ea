// What grows with the records of a store: the context of a prompt, opening a task, and the list of tasks. Once with the records in the
// tasks of others, and once in the task's own history.
import { performance } from "node:perf_hooks";
import { configureTask } from "../../dist/compose/tasks.js";
import { systemClock } from "../../dist/connection/clock.js";
import { BOOKMARK_RECORDS } from "../../dist/connection/stores/postgres/bookmarks.js";
import { fold, recover } from "../../dist/execution/state.js";
import { ExecutionSummary } from "../../dist/model/records.js";
import { multiple } from "../table.mjs";
import { onGround, percentile } from "./ground.mjs";

const TASKS = 100;
const [FEW, MANY] = [10_000, 1_000_000];
const OTHERS = MANY / (FEW / TASKS) - TASKS;
const REACH = 1.5;
const ROUNDS = 99;
/** The faster ones are those that nothing else on the machine was in the way of. */
const QUARTER = 0.25;
const WHAT = { context: "context query", open: "opening a task", list: `list of ${TASKS} tasks` };

/** Rounds in the small store and in the large one take turns: what else the machine does slows both. */
export async function manyRecords() {
  return onGround((small) => onGround((large) => compared(small, large)));
}

async function compared(small, large) {
  const [few, many] = [await filled(small), await filled(large)];
  await measured([few, many]); // code that is new to the process is slow
  await addOthers(large);
  const wide = await measured([few, many]);
  const last = MANY / TASKS - BOOKMARK_RECORDS;
  await fill(large, FEW / TASKS + 1, last);
  const whole = await goneOn(many, last + 1);
  await fill(large, last + 2, MANY / TASKS);
  const deep = await measured([few, many]);
  return [
    ...rowsOf("10⁶ records in 10⁴ tasks", wide),
    ...rowsOf("10⁴ records of its own, in 10⁶", deep),
    { what: "opening a task of 10⁴ records that were imported", value: `${whole.toFixed(0)} ms`, beside: "once" },
  ];
}

/** A store with few records. */
async function filled(ground) {
  const ids = await tasksOf(ground);
  await fill(ground, 1, FEW / TASKS);
  return { store: ground.store, ids };
}

function rowsOf(where, [few, many]) {
  return Object.entries(WHAT).map(([key, what]) =>
    multiple({
      what: `${what}: ${where}, against 10⁴ in ${TASKS} tasks`,
      ratio: many[key] / few[key],
      reach: REACH,
      beside: `${many[key].toFixed(2)} ms, against ${few[key].toFixed(2)} ms`,
    }),
  );
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
  from e8.task, generate_series($1::integer, $2::integer) as n where project = 'bench'`;

async function fill({ part: { database } }, first, last) {
  const size = 500;
  for (let from = first; from <= last; from += size) await database.ask(FILL, [from, Math.min(last, from + size - 1)]);
  await database.ask("update e8.task set records = $1, iterations = $1 where project = 'bench'", [last]);
  await settle(database);
}

/** Tasks of other projects, like those of the first. */
const OTHER_TASKS = `
  insert into e8.task (task_id, second, number, project, created_at, doc, heading, last_active, records, iterations)
  select 'other-' || n, 'other', n, 'project ' || n % 99, created_at, doc, heading, last_active, records, iterations
  from generate_series(1, $1::integer) as n, (select * from e8.task where project = 'bench' limit 1) as model`;
const OTHER_RECORDS = `
  insert into e8.record (task_id, seq, type, at, doc)
  select other.task_id, seq, type, at, record.doc
  from e8.task as other, e8.record where other.second = 'other' and other.number between $2 and $3 and record.task_id = $1`;

async function addOthers({ part: { database } }) {
  await database.ask(OTHER_TASKS, [OTHERS]);
  const [{ task_id }] = await database.ask("select task_id from e8.task where project = 'bench' limit 1");
  const size = 500;
  for (let from = 1; from <= OTHERS; from += size) await database.ask(OTHER_RECORDS, [task_id, from, from + size - 1]);
  await settle(database);
}

async function settle(database) {
  for (const table of ["record", "task"]) await database.ask(`vacuum analyze e8.${table}`);
}

/** A run does one more iteration of each. Returns how long it takes to open a task whose history has no bookmark. */
async function goneOn({ store, ids }, iteration) {
  const times = [];
  for (const id of ids) {
    const began = performance.now();
    const task = await store.open(id);
    const { state } = await recover(await task.history.recall());
    await task.history.context(5);
    times.push(performance.now() - began);
    const words = { approach: "approach", result: "success", reason: "", timestamp: "2026-01-02T00:00:00.000Z" };
    const summary = ExecutionSummary.parse({ type: "summary", iteration, ...words });
    await task.history.append(summary);
    await task.history.mark(() => fold(state, summary));
    await task.release();
  }
  return percentile(times, 0.5);
}

/** What a quarter of the rounds took at most, of each. */
async function measured(stores) {
  const times = stores.map(() => ({ context: [], open: [], list: [] }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [place, one] of stores.entries()) await measureOnce(one, round, times[place]);
  return times.map((one) =>
    Object.fromEntries(Object.entries(one).map(([key, values]) => [key, percentile(values, QUARTER)])),
  );
}

async function measureOnce({ store, ids }, round, times) {
  const began = performance.now();
  const task = await store.open(ids[round]); // an open task remembers its answer
  await recover(await task.history.recall());
  times.open.push(performance.now() - began);
  times.context.push(await timed(() => task.history.context(5)));
  await task.release();
  times.list.push(await timed(() => store.overviews()));
}

async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
