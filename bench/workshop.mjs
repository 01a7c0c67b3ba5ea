import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { configureTask } from "../dist/compose/tasks.js";
import { systemClock } from "../dist/connection/clock.js";
import { createCommandRunner } from "../dist/connection/processes/command-runner.js";
import { readPrompts } from "../dist/connection/files.js";
import { createTask } from "../dist/connection/stores/create-task.js";
import { openStores } from "../dist/connection/stores/open-stores.js";
import { Meter } from "../dist/execution/meter.js";
import { PROMPT_NAMES } from "../dist/execution/run-context.js";
import { phrases } from "../dist/model/phrases.js";
import { NOTHING_SPENT } from "../dist/model/usage.js";

/** Gives a function a directory of its own, which is gone afterwards. */
export async function inTemporaryDirectory(use) {
  const directory = await mkdtemp(join(tmpdir(), "e8-bench-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * A task with real stores and commands; the agent is made up, and nobody looks at the project's files: what that costs
 * depends on their number and is measured apart. `history` is what the task's file already holds.
 */
export async function withTask(project, { criteria = [CHECK], maxIterations, work, history = "" }, use) {
  const task = { task: "Bench", criteria, agent: { command: "true" } };
  const { configuration: plain } = await configureTask(task, project);
  const configuration = { ...plain, max_iterations: maxIterations, stall_limit: null };
  const place = await createTask(project, { configuration, now: new Date() });
  await writeFile(join(place.path, "history.jsonl"), history);
  const stores = await openStores(place);
  try {
    return await use(await contextOf({ project, place, configuration, stores, work }));
  } finally {
    await stores.release();
  }
}

const CHECK = { type: "command", command: "true" };

async function contextOf({ project, place, configuration, stores, work }) {
  const agent = {
    work: async function* (assignment) {
      return { ...work(assignment), usage: NOTHING_SPENT, tools_used: [], files_modified: [] };
    },
  };
  const commands = createCommandRunner({ project, environment: process.env, task_token: place.path });
  const ports = {
    ...stores,
    agents: { executor: agent, roles: agent },
    commands,
    workspace: { watch: async () => async () => [] },
    clock: systemClock,
  };
  return {
    ports,
    configuration,
    prompts: await readPrompts(PROMPT_NAMES),
    phrases: phrases.en,
    meter: new Meter(ports, NOTHING_SPENT),
    signal: new AbortController().signal,
  };
}

/** What a generator returns in the end. A run that is not completed measures nothing. */
export async function toEnd(events) {
  for (;;) {
    const { done, value } = await events.next();
    if (!done) continue;
    if (value.type === "final_result" && value.status !== "completed")
      throw new Error(`${value.status}: ${value.error_message}`);
    return value;
  }
}

/** The median of so many runs in milliseconds, after a first one that loads and compiles. */
export async function timed(times, action) {
  const runs = [];
  for (let run = 0; run <= times; run++) {
    const start = performance.now();
    await action();
    runs.push({ wall: performance.now() - start });
  }
  return { median: medianOf(runs.slice(1), "wall") };
}

export function medianOf(runs, key) {
  return runs.map((run) => run[key]).toSorted((left, right) => left - right)[Math.floor(runs.length / 2)];
}
