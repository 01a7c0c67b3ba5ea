// Our time per iteration, in its own process: starting a command takes longer from a process with more memory.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { goalCourse } from "../dist/execution/goal/goal-course.js";
import { run } from "../dist/execution/run.js";
import { fold } from "../dist/execution/state.js";
import { NOTHING_DONE } from "../dist/model/state.js";
import { pastOf } from "./past.mjs";
import { inTemporaryDirectory, medianOf, withTask } from "./workshop.mjs";

const ROUNDS = 5;
const ITERATIONS = 60;
const PROGRAM = fileURLToPath(import.meta.url);

/**
 * Milliseconds from judgment to judgment on top of a history: prompt, worker, check `true`, judge, records, events. The worker and
 * the judge take no time. `shell` is what a bare `bash -c true` takes in the same process, in turns with the iterations; `wire` is
 * what storing the events of one iteration takes. Of several processes the middle one counts, because a disk or a neighbour may be
 * busy for a second.
 */
export async function goalIteration(records) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(records)]);
    rounds.push(JSON.parse(stdout));
  }
  const own = ({ iteration, shell }) => iteration - shell;
  return rounds.sort((one, other) => own(one) - own(other))[(ROUNDS - 1) / 2];
}

async function measure(project, records) {
  const past = pastOf(records / 2);
  const last = records / 2 + ITERATIONS;
  const criteria = [{ type: "command", command: "true" }, "The work is done"];
  const work = ({ role, iteration }) => (role === "judge" ? verdict(iteration === last) : WORKED);
  return withTask(project, { criteria, maxIterations: last, work, history: past }, async (context) => {
    const times = [];
    const { events } = context.ports.store;
    let ofOneIteration = [];
    let since = performance.now();
    for await (const event of run(goalCourse(context), context, past.reduce(fold, NOTHING_DONE))) {
      await events.append(event);
      ofOneIteration.push(event);
      if (event.type !== "judgment") continue;
      const end = performance.now();
      await bareShell();
      times.push({ iteration: end - since, shell: performance.now() - end });
      if (times.length < ITERATIONS) ofOneIteration = [];
      since = performance.now();
    }
    if (times.length !== ITERATIONS) throw new Error(`${times.length} iterations`);
    const settled = times.slice(1); // the first one loads and compiles
    const wire = await wireTime(project, ofOneIteration);
    return { iteration: medianOf(settled, "iteration"), shell: medianOf(settled, "shell"), wire };
  });
}

/** Milliseconds that storing the events of one iteration takes, writes and all. */
async function wireTime(project, events) {
  const times = 500;
  const start = performance.now();
  await withTask(project, { maxIterations: 1 }, async ({ ports }) => {
    for (let time = 0; time < times; time++) for (const event of events) await ports.store.events.append(event);
  });
  return (performance.now() - start) / times;
}

function bareShell() {
  const child = spawn("bash", ["--norc", "-c", "true"], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  return once(child, "close");
}

const WORKED = { text: "", structured: { status: "success", output: "did it", artifacts: [] } };

function verdict(is_met) {
  const evaluations = [{ id: 2, criterion: "The work is done", is_met, evidence: "as summarized", confidence: 1 }];
  return { text: "", structured: { is_complete: is_met, evaluations, overall_reason: "as summarized" } };
}

if (process.argv[1] === PROGRAM)
  console.log(JSON.stringify(await inTemporaryDirectory((project) => measure(project, Number(process.argv[2])))));
