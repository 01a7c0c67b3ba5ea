import { rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { storeOf } from "../../src/compose/store.ts";
import { type WatchRequest, watchTask } from "../../src/compose/watch.ts";
import { taskDirectoryOf, taskPaths } from "../../src/connection/stores/files/task-paths.ts";
import type { EventEnvelope, RunEvent } from "../../src/model/events.ts";
import { NOTHING_SPENT } from "../../src/model/usage.ts";
import { ManualClock } from "../support/fakes.ts";
import { startProgram } from "../support/program.ts";
import { configuration, finalResult } from "../support/stored.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const ID = "2026-01-23T13-30-00";
const text = (said: string): RunEvent => ({ type: "text", role: "executor", text: said });
const RESULT = finalResult(ID);
const END: RunEvent = { type: "run-end", result: RESULT };
const START: RunEvent = {
  type: "run-start",
  task_id: ID,
  directory: "d",
  task: "t",
  criteria: [],
  resumed_after: 0,
  max_iterations: 2,
  budget: { cost_usd: null, tokens: null, minutes: null },
  spent: NOTHING_SPENT,
  evaluations: [],
};

async function newTask() {
  const project = await temporaryDirectory();
  await storeOf(project).create({ configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") });
  return { project, paths: taskPaths(taskDirectoryOf(project, ID)) };
}

/** A task whose run has told these events and is over. */
async function finished(...events: RunEvent[]) {
  const task = await newTask();
  const opened = await storeOf(task.project).open(ID);
  for (const event of events) {
    if (event.type === "run-end") await opened.history.append(event.result);
    await opened.events.append(event);
  }
  await opened.release();
  return task;
}

/** The same with the time between two events, in seconds. */
async function finishedWithPauses(...seconds: number[]) {
  const task = await newTask();
  let moment = Date.UTC(2026, 0, 23);
  const lines = [0, ...seconds].map((pause, index) => {
    moment += pause * 1000;
    const at = new Date(moment).toISOString();
    return JSON.stringify({ v: 1, task_id: ID, seq: index + 1, at, event: text(`${index}`) });
  });
  await writeFile(task.paths.events, `${lines.join("\n")}\n`);
  return task;
}

async function watched(request: WatchRequest, options: Parameters<typeof watchTask>[1] = {}) {
  const events: RunEvent[] = [];
  const stream = watchTask(request, options);
  for (;;) {
    const step = await stream.next();
    if (step.done) return { events, result: step.value };
    events.push(step.value.event);
  }
}

/** A run of another process, which tells what it is told to. */
async function elsewhere(project: string) {
  const program = startProgram("run-events", project, ID);
  await program.next();
  return {
    program,
    tell: async (event: RunEvent) => {
      program.child.stdin.write(`${JSON.stringify(event)}\n`);
      return (await program.next()) as EventEnvelope;
    },
    end: async () => {
      program.child.stdin.end();
      await program.next();
    },
  };
}

test("a finished run is replayed at once, whole and with its result; without an id, the latest one", async () => {
  const { project } = await finished(START, text("hello"), END);
  const clock = new ManualClock();
  for (const request of [{ project, id: ID }, { project }])
    expect(await watched(request, { clock })).toEqual({ events: [START, text("hello"), END], result: RESULT });
  expect(clock.sleeps).toEqual([]);
});

test("a run that was cut off has no result, not even that of the run before", async () => {
  const { project } = await finished(START, END, { ...START, resumed_after: 1 }, text("hello"));
  const { events, result } = await watched({ project, id: ID });
  expect(events).toHaveLength(4);
  expect(result).toBeUndefined();
});

test("with a speed, its own pauses are divided by it, and no pause is longer than a minute of it", async () => {
  const { project } = await finishedWithPauses(2, 0, 0.5, 8 * 3600, -5);
  const clock = new ManualClock();
  const { events } = await watched({ project, id: ID, speed: 4 }, { clock });
  expect(events).toHaveLength(6);
  expect(clock.sleeps.filter((pause) => pause > 0)).toEqual([500, 125, 15_000]);
});

test("a watcher that leaves during a pause gets no more events", async () => {
  const { project } = await finishedWithPauses(2, 2);
  const leaving = new AbortController();
  const clock = new ManualClock();
  clock.onSleep = () => leaving.abort();
  const { events, result } = await watched({ project, id: ID, speed: 1 }, { clock, signal: leaving.signal });
  expect({ events, result }).toEqual({ events: [text("0")], result: undefined });
  expect(clock.sleeps).toEqual([2000]);
});

test("a run of another process is followed to its end, without pauses, and is not touched", async () => {
  const { project } = await newTask();
  const { tell, end } = await elsewhere(project);
  await tell(START);
  const clock = new ManualClock();
  const stream = watchTask({ project, id: ID, speed: 1 }, { clock });
  expect((await stream.next()).value).toMatchObject({ seq: 1, event: START });

  const next = stream.next();
  const told = await tell(text("as it comes"));
  expect((await next).value).toEqual(told);
  expect(await storeOf(project).holder(ID)).toBeDefined();

  await tell(END);
  await end();
  expect((await stream.next()).value).toMatchObject({ seq: 3, event: END });
  expect(await stream.next()).toEqual({ done: true, value: RESULT });
  expect(clock.sleeps).toEqual([]);
});

test("a watcher that leaves does not stop the run, even before its first event", async () => {
  const { project } = await newTask();
  const { tell, end } = await elsewhere(project);
  const early = new AbortController();
  early.abort();
  expect(await watched({ project, id: ID }, { signal: early.signal })).toEqual({ events: [], result: undefined });

  await tell(START);
  const leaving = new AbortController();
  const stream = watchTask({ project, id: ID }, { signal: leaving.signal });
  await stream.next();
  const next = stream.next();
  leaving.abort();
  expect(await next).toEqual({ done: true, value: undefined });

  expect(await tell(text("still here"))).toMatchObject({ seq: 2 });
  await end();
});

test("a run that is killed ends what is watched, without a result", async () => {
  const { project } = await newTask();
  const { program, tell } = await elsewhere(project);
  await tell(START);
  const stream = watchTask({ project, id: ID });
  await stream.next();
  const next = stream.next();
  await program.kill("SIGKILL");
  expect(await next).toEqual({ done: true, value: undefined });
});

test("a task of the version before has no events, and that is said", async () => {
  const { project, paths } = await finished(END);
  await rm(paths.events);
  await expect(watched({ project, id: ID })).rejects.toMatchObject({ code: "events_missing", details: { id: ID } });
});

test("a task that is not there, and a project without tasks, cannot be watched", async () => {
  const project = await temporaryDirectory();
  await expect(watched({ project })).rejects.toMatchObject({ code: "no_tasks" });
  await expect(watched({ project, id: ID })).rejects.toMatchObject({ code: "task_not_found" });
});
