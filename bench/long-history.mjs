// The cost of a long history: the query that condenses it, and the size of the prompt.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { queryHistoryContext } from "../dist/connection/queries/history-context.js";
import { goalCourse } from "../dist/execution/goal/goal-course.js";
import { fold } from "../dist/execution/state.js";
import { NOTHING_DONE } from "../dist/model/state.js";
import { pastOf } from "./past.mjs";
import { milliseconds } from "./table.mjs";
import { inTemporaryDirectory, linesOf, timed, toEnd, withTask } from "./workshop.mjs";

const RECORDS = 100_000;
const CONTEXT = 20;

export async function contextQuery() {
  return inTemporaryDirectory(async (directory) => {
    const path = join(directory, "history.jsonl");
    await writeFile(path, linesOf(pastOf(RECORDS / 2)));
    const { median } = await timed(9, () => queryHistoryContext(path, CONTEXT));
    return [milliseconds("context query over 100,000 records (DuckDB)", median, 300)];
  });
}

/** The executor's prompt and system prompt, without the user's own task and criteria. Every failure differs from all before. */
export async function promptSizes() {
  const sizes = await inTemporaryDirectory(async (project) => {
    const found = [];
    for (const iteration of [1, 10, 100, 1000]) found.push([iteration, await promptBytes(project, iteration)]);
    return found;
  });
  return sizes.map(([iteration, bytes]) => ({
    what: `prompt bytes that we add at iteration ${iteration.toLocaleString("en")}`,
    value: `${bytes.toLocaleString("en")} B`,
    ...(iteration === 1000 && { reach: "bounded", isReached: bytes <= 1.1 * sizes.at(-2)[1] }),
  }));
}

async function promptBytes(project, iteration) {
  const past = pastOf(iteration - 1);
  const entry = { criteria: [CRITERION], maxIterations: iteration, history: past };
  return withTask(project, entry, async (context) => {
    for (let index = 0; index < iteration; index++) await context.ports.store.knowledge.add([knowledge(index)]);
    const { prompt, system_prompt } = await toEnd(goalCourse(context).next(iteration, past.reduce(fold, NOTHING_DONE)));
    return (
      Buffer.byteLength(prompt + system_prompt) - Buffer.byteLength(context.configuration.task + CRITERION.command)
    );
  });
}

const CRITERION = { type: "command", command: "true" };

function knowledge(index) {
  return {
    ...{ type: "discovery", category: "parser", content: `Key order matters in test ${index}`, example_file: null },
    ...{ source_task: "bench", confidence: "medium", applied_count: 0, created_at: new Date(0).toISOString() },
  };
}
