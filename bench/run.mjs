// `npm run bench`: our own time, without any model. Needs a build. Exit 1 when a limit is missed.
import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { checkDefinition } from "../dist/compose/definitions.js";
import { createWorkspace } from "../dist/connection/workspace/workspace.js";
import { flowCourse } from "../dist/execution/flow/flow-course.js";
import { goalCourse } from "../dist/execution/goal-course.js";
import { run } from "../dist/execution/run.js";
import { fold } from "../dist/execution/state.js";
import { NOTHING_DONE } from "../dist/model/state.js";
import { answerOf, generatedAgent } from "./generated-agent.mjs";
import { inTemporaryDirectory, timed, toEnd, withTask } from "./workshop.mjs";

const STEPS = 200;
const FILES = 1000;
const rows = [];

await inTemporaryDirectory(async (project) => {
  const flush = await timed(20, () => durableWrite(join(project, "probe")));
  rows.push({ what: "one flushed write of 1 KB, this disk", ...flush });
  rows.push({ what: `validate an agent of ${STEPS} steps`, limit: 1000, ...(await validation(project)) });
  const flow = await flowSteps(project);
  rows.push({ what: "flow, our time per step", limit: 5, ...flow, writes: flow.median / flush.median });
  for (const records of [10, 10_000]) {
    const goal = await goalIteration(project, records);
    rows.push({
      what: `goal, our time per iteration, ${records} records`,
      ...goal,
      writes: goal.median / flush.median,
    });
  }
  rows.push({ what: `both looks at ${FILES} files of a project without git`, ...(await bothLooks(project)) });
});
print(rows);
process.exitCode = rows.some(({ median, limit = Infinity }) => median > limit) ? 1 : 0;

async function durableWrite(path) {
  const file = await open(path, "a");
  await file.appendFile("x".repeat(1024));
  await file.datasync();
  await file.close();
}

async function validation(project) {
  for (const [name, text] of generatedAgent(STEPS)) {
    const path = join(project, ".agent/bench", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return timed(9, async () => {
    const { problems } = await checkDefinition(project, "bench");
    if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
  });
}

/** From the first step to the closing one, records and all; divided by the number of steps. A schema is compiled once a process, by its text. */
async function flowSteps(project) {
  const { definition } = await checkDefinition(project, "bench");
  const flow = () => ({ definition: structuredClone(definition), parameters: { topic: "benches" }, stdin: "" });
  const work = ({ step_id }) => ({ text: "", structured: answerOf(step_id) });
  const times = await timed(5, () =>
    withTask(project, { maxIterations: STEPS, work }, (context) =>
      toEnd(run(flowCourse(context, flow()), context, NOTHING_DONE)),
    ),
  );
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time / STEPS]));
}

/** One iteration at a time on top of a history: prompt, records, and the check `true`, which starts a shell. */
async function goalIteration(project, records) {
  const work = () => ({ text: "", structured: { status: "success", output: "did it", artifacts: [] } });
  const past = pastOf(records);
  const state = past.reduce(fold, NOTHING_DONE);
  const history = past.map((record) => `${JSON.stringify(record)}\n`).join("");
  return withTask(project, { maxIterations: records, work, history }, (context) =>
    timed(15, () => toEnd(run(goalCourse(context), context, state))),
  );
}

/** Before and after each step or iteration: which files have changed? */
async function bothLooks(project) {
  const directory = join(project, "files");
  await mkdir(directory);
  for (let index = 0; index < FILES; index++) await writeFile(join(directory, `${index}.txt`), "");
  const workspace = createWorkspace(directory);
  return timed(9, async () => (await workspace.watch())());
}

/** Iterations that failed in ever new ways: the hardest history to condense. */
function pastOf(records) {
  const timestamp = new Date(0).toISOString();
  return Array.from({ length: records / 2 }, (_, index) => index + 1).flatMap((iteration) => [
    {
      ...{ type: "summary", iteration, approach: `way ${iteration}`, result: "failure", reason: `reason ${iteration}` },
      ...{ artifacts: [], next: null, timestamp },
      metadata: { tools_used: [], files_modified: [], error_type: null, tokens_used: 0, strategy_tags: [] },
    },
    {
      ...{ type: "judgment", iteration, is_complete: false, evaluations: [], overall_reason: "no" },
      ...{ suggested_next_action: null, timestamp },
    },
  ]);
}

function print(table) {
  const ms = (value) => (value === undefined ? "" : `${value.toFixed(value < 100 ? 2 : 0)} ms`);
  const cells = table.map(({ what, first, median, cpu, limit, writes }) => [
    what,
    ms(median),
    ms(cpu),
    ms(first),
    limit === undefined ? "" : `≤ ${limit} ms`,
    writes === undefined ? "" : `${writes.toFixed(1)} flushed writes`,
  ]);
  const all = [["", "median", "of it CPU", "first", "limit", "that is"], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}
