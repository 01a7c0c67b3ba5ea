import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { recorded } from "../support/run-goal.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";
import { judgmentsThatCount, killSomewhere, randomFrom } from "../support/seeded-kill.ts";

const LAST = 5;
const WORKER = "touch step-$E8_ITERATION; sleep 0.05; echo worked on $E8_ITERATION";
const RUN = ["run", "Take every step", "--check", `test -f step-${LAST}`, "--agent-command", WORKER];

/** Every moment between two records is tried in test/compose/kill-points.test.ts; here a few real processes are really killed. */
test.each([{ seeds: [1, 2, 3, 4, 5] }])(
  "[SC-005] killed -9 at random moments (seeds $seeds), then resumed: nothing lost or done twice",
  async ({ seeds }) => {
    await Promise.all(seeds.map(survives));
  },
);

async function survives(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const box = await quickSandbox();

  let runs = [RUN, ["run", "--resume"], ["run", "--resume"]];
  while (runs.length > 0) {
    await killSomewhere(box.start(runs[0] ?? []), random, { lines: 4 * LAST });
    runs = runs.slice(1);
    if ((await box.tasks()).length === 0)
      runs = [RUN]; // killed before there was a task: begin anew
    else if (random() < 0.4) await tear(box);
  }
  const ended = await box.e8(["run", "--resume", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: LAST });
  const records = await box.records();
  expect(recorded(records, "summary").map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5]);
  expect(judgmentsThatCount(records).map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5]);
  expect(records.filter((record) => record.type === "final_result")).toHaveLength(1);
  expect(records.at(-1)).toMatchObject({ type: "final_result", status: "completed" });
}

/** What a power cut in the middle of a write leaves behind. */
async function tear({ project, tasks }: Sandbox): Promise<void> {
  const [id = ""] = await tasks();
  await appendFile(join(project, ".e8", "tasks", id, "history.jsonl"), '{"type":"summary","iteration":9,"appr');
}
