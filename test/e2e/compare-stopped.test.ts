import { expect, test } from "vitest";
import { eventually } from "../connection/processes/helpers.ts";
import { appears } from "../support/backlog-box.ts";
import { branches, compareBox, comparisonIn, programs, worktrees } from "../support/compare-box.ts";
import { git, write } from "../support/repository.ts";
import { leftOver, processesOf } from "../support/users-repository.ts";

/** The first works at once; the second waits until it may. */
const FIRST = "echo done > done.txt";
const WAITS =
  "touch ~/.cache/begun; while [ ! -e ~/.cache/go ]; do sleep 0.05; done; echo done > done.txt; echo second";
const COMPARE = ["compare", ...programs(FIRST, WAITS, "echo done > done.txt; echo third"), "--base", "main", "--json"];

function isWorker(command: string): boolean {
  return command.includes("echo second") && !command.includes("compare");
}

async function box() {
  const made = await compareBox();
  await write(made.home, { ".cache/x": "" }); // workers may write there
  return made;
}

test("Ctrl-C ends the run that works and begins no other; the records say so, --resume runs the rest, and one is kept", async () => {
  const made = await box();
  const { child, ended } = made.start([...COMPARE, "task.yaml"]);
  await appears(made, ".cache/begun");
  child.kill("SIGINT");
  const stopped = await ended;

  expect(stopped.code).toBe(3);
  expect(comparisonIn(stopped)).toMatchObject({
    stopped: "cancelled",
    runs: [{ status: "completed" }, { status: "cancelled" }, { status: "not_begun", branch: null }],
  });
  await eventually("no process is left", () => processesOf(made).length === 0);
  expect(await leftOver(made)).toEqual([]);

  await write(made.home, { ".cache/go": "" });
  const resumed = await made.e8(["compare", "--resume", "--json"]);
  const { runs, comparison } = comparisonIn(resumed);
  expect(resumed.code).toBe(0);
  expect(runs.map(({ status, iterations }) => [status, iterations])).toEqual(Array(3).fill(["completed", 1]));
  expect(await made.tasks()).toHaveLength(3);

  const kept = await made.e8(["compare", "--keep", "3", "--json", comparison]);
  expect(comparisonIn(kept).runs).toMatchObject([{ landing: null }, { landing: null }, { landing: "landed" }]);
  expect(await git(made.project, "log", "--format=%an", "main")).not.toBe("");
  expect([await branches(made), await worktrees(made)]).toEqual([[], 0]);
});

test("a kill -9 leaves the others as they were: --resume ends what was left and goes on, and begins nothing twice", async () => {
  const made = await box();
  const { child, ended } = made.start([...COMPARE, "--parallel", "2", "task.yaml"]);
  await appears(made, ".cache/begun");
  child.kill("SIGKILL");
  await ended;
  expect(await made.tasks()).toHaveLength(3);

  await write(made.home, { ".cache/go": "" });
  const resumed = await made.e8(["compare", "--resume", "--parallel", "--json"]);
  expect(comparisonIn(resumed).runs.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
  await eventually("no worker is left", () => !processesOf(made).some(isWorker));
  expect(await made.tasks()).toHaveLength(3);
  expect(await branches(made)).toHaveLength(3);
  expect(await leftOver(made)).toEqual([]);
});
