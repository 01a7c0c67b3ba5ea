import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { configureTask } from "../dist/compose/tasks.js";
import { systemClock } from "../dist/connection/clock.js";
import { readPrompts } from "../dist/connection/files.js";
import { createCommandRunner } from "../dist/connection/processes/command-runner.js";
import { fileStore } from "../dist/connection/stores/files/file-store.js";
import { Meter } from "../dist/execution/meter.js";
import { PROMPT_NAMES } from "../dist/execution/run-context.js";
import { NOTHING_SPENT } from "../dist/model/usage.js";
import { teller } from "../dist/texts/tell.js";

/**
 * Calls a function with a temporary directory and removes it afterwards, with everything that the stores and clean rooms keep outside a
 * project: the user's own is neither read nor written.
 */
export async function inTemporaryDirectory(use) {
  const base = await mkdtemp(join(tmpdir(), "e8-bench-"));
  const before = KEPT_OUTSIDE.map((name) => [name, process.env[name]]);
  for (const name of KEPT_OUTSIDE) process.env[name] = join(base, name);
  try {
    const directory = join(base, "project");
    await mkdir(directory);
    return await use(directory);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await rm(base, { recursive: true, force: true });
  }
}

const KEPT_OUTSIDE = ["XDG_STATE_HOME", "XDG_CACHE_HOME"];

/**
 * A task with a real store and real commands. The agent is fake, and the project's files are not watched: that depends
 * on their number and is measured separately, and so are snapshots and proofs. `history`: the records that the task starts with.
 */
export async function withTask(
  project,
  { criteria = [CHECK], maxIterations, work, history = [], proof = "none" },
  use,
) {
  const task = { task: "Bench", criteria, agent: { command: "true" } };
  const { configuration: plain } = await configureTask(task, project);
  const configuration = { ...plain, max_iterations: maxIterations, stall_limit: null, proof };
  const files = fileStore(project);
  const id = await files.create({ configuration, now: new Date() });
  await writeFile(join(project, ".e8", "tasks", id, "history.jsonl"), linesOf(history));
  const store = await files.open(id, { acceptChanges: true }); // otherwise the store drops records that it has not written
  try {
    await requireRead(store, history);
    return await use(await contextOf({ project, configuration, store, work }));
  } finally {
    await store.release();
  }
}

export function linesOf(records) {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Throws when the store does not give the latest records to the next prompt. */
async function requireRead(store, records) {
  const iterations = (summaries) => summaries.map(({ iteration }) => iteration).join(" ");
  const { latest } = await store.history.context(CONTEXT);
  const expected = records.filter(({ type }) => type === "summary").slice(-CONTEXT);
  if (iterations(latest) !== iterations(expected))
    throw new Error(`the store has read the iterations "${iterations(latest)}", not "${iterations(expected)}"`);
}

const CONTEXT = 20;
const CHECK = { type: "command", command: "true" };

async function contextOf({ project, configuration, store, work }) {
  const agent = {
    work: async function* (assignment) {
      return { ...work(assignment), usage: NOTHING_SPENT, tools_used: [], files_modified: [] };
    },
  };
  const commands = createCommandRunner({ project, environment: process.env, task_token: store.token });
  const ports = {
    store,
    agents: { executor: agent, roles: agent, answererOf: () => "command" },
    commands,
    workspace: {
      watch: async () => async () => [],
      snapshot: async () => ({ problem: { code: "git_missing", params: {} } }),
      changesSince: async () => [],
      look: async () => [],
    },
    clock: systemClock,
  };
  return {
    ports,
    configuration,
    prompts: await readPrompts(PROMPT_NAMES),
    tell: teller("en"),
    meter: new Meter({ ledger: store.ledger, clock: systemClock }, NOTHING_SPENT),
    turns: {},
    signal: new AbortController().signal,
  };
}

/** The generator's result. Throws for a run that is not completed. */
export async function toEnd(events) {
  for (;;) {
    const { done, value } = await events.next();
    if (!done) continue;
    if (value.type === "final_result" && value.status !== "completed")
      throw new Error(`${value.status}: ${value.error_code} ${JSON.stringify(value.error_details)}`);
    return value;
  }
}

/** The median time in milliseconds, without the first run, which loads and compiles. */
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
