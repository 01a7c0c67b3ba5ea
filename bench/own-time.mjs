// Our own time: the agents are fake and answer at once; stores, disk and checks are real.
import { execFileSync } from "node:child_process";
import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkDefinition } from "../dist/compose/definitions.js";
import { createWorkspace } from "../dist/connection/workspace/workspace.js";
import { flowCourse } from "../dist/execution/flow/flow-course.js";
import { run } from "../dist/execution/run.js";
import { NOTHING_DONE } from "../dist/model/state.js";
import { answerOf, generatedAgent } from "./generated-agent.mjs";
import { goalIteration } from "./iteration.mjs";
import { milliseconds } from "./table.mjs";
import { inTemporaryDirectory, timed, toEnd, withTask } from "./workshop.mjs";

const STEPS = 200;
const FILES = 1000;

export async function ownTime() {
  return inTemporaryDirectory(async (project) => {
    const flush = await timed(40, () => durableWrite(join(project, "probe")));
    const inWrites = (time) => `${(time / flush.median).toFixed(1)} flushed writes`;
    const [short, long] = [await goalIteration(10), await goalIteration(10_000)];
    const iterationRow = (what, { iteration, shell }, reach) => ({
      ...milliseconds(what, iteration - shell, reach),
      beside: `and ${shell.toFixed(2)} ms for the shell of the check`,
    });
    const ofIteration = short.wire / short.iteration;
    const step = await flowStep(project);
    return [
      milliseconds("one flushed write of 1 KB on this disk", flush.median),
      milliseconds("a bare bash -c true, between the iterations", short.shell),
      iterationRow("our time per iteration, history of 10 records", short, 5),
      iterationRow("our time per iteration, history of 10,000 records", long, 25),
      {
        what: "storing the events of an iteration, of its time",
        value: `${(ofIteration * 100).toFixed(1)} %`,
        reach: "≤ 5 %",
        isReached: ofIteration <= 0.05,
        beside: `${short.wire.toFixed(2)} ms`,
      },
      { ...milliseconds("our time per step of an agent", step, 5), beside: inWrites(step) },
      milliseconds(`validate an agent of ${STEPS} steps`, (await validation(project)).median, 1000),
      milliseconds(`both looks at a project's ${FILES} files, without git`, await bothLooks(join(project, "plain"))),
      milliseconds(`both looks at a project's ${FILES} files, with git`, await bothLooks(join(project, "git"), "git")),
    ];
  });
}

async function durableWrite(path) {
  const file = await open(path, "a");
  await file.appendFile("x".repeat(1024));
  await file.datasync();
  await file.close();
}

/** From the first step to the closing one, records and all; divided by the number of steps. A schema is compiled once a process, by its text. */
async function flowStep(project) {
  await writeAgent(project);
  const { definition } = await checkDefinition(project, "bench");
  const flow = () => ({ definition: structuredClone(definition), parameters: { topic: "benches" }, stdin: "" });
  const work = ({ step_id }) => ({ text: "", structured: answerOf(step_id) });
  const { median } = await timed(5, () =>
    withTask(project, { maxIterations: STEPS, work }, (context) =>
      toEnd(run(flowCourse(context, flow()), context, NOTHING_DONE)),
    ),
  );
  return median / STEPS;
}

async function validation(project) {
  await writeAgent(project);
  return timed(9, async () => {
    const { problems } = await checkDefinition(project, "bench");
    if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
  });
}

async function writeAgent(project) {
  for (const [name, text] of generatedAgent(STEPS)) {
    const path = join(project, ".agent/bench", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Before and after each step or iteration: which files have changed? Comes on top of our time; an agent takes seconds at least. */
async function bothLooks(directory, git) {
  await mkdir(directory);
  for (let index = 0; index < FILES; index++) await writeFile(join(directory, `${index}.txt`), "");
  if (git) execFileSync("git", ["init", "--quiet"], { cwd: directory });
  const workspace = createWorkspace(directory);
  const { median } = await timed(9, async () => (await workspace.watch())());
  return median;
}
