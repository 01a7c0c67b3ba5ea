import { describe, expect, test } from "vitest";
import { eventually } from "../connection/processes/helpers.ts";
import {
  addIssue,
  appears,
  backlogBox,
  HONEST,
  leftovers,
  outcomeOf,
  RUN,
  slowRemote,
  worker,
} from "../support/backlog-box.ts";
import { issueIn, landings } from "../support/landed-backlog.ts";
import { write } from "../support/repository.ts";
import { leftOver, processesOf } from "../support/users-repository.ts";

function isWorker(command: string): boolean {
  return command.includes("echo worked") && !command.includes("orchestrate");
}

describe("Ctrl-C", () => {
  test("stops all runs, also in the middle of a landing; --resume finishes each of them once", async () => {
    const box = await backlogBox({ 1: "", 2: "", 3: "" });
    const remote = await slowRemote(box);
    const waits = "touch ~/.cache/begun-$n; while [ $n != 1 ] && [ ! -e ~/.cache/go ]; do sleep 0.05; done";
    const command = [...RUN, "--push", "--parallel", "2", ...worker(`${waits}; echo done > done-$n.txt`)];
    const { child, ended } = box.start(command);
    await appears(box, ".cache/receiving");
    await appears(box, ".cache/begun-2");
    await appears(box, ".cache/begun-3"); // an issue that lands leaves its place

    child.kill("SIGINT");
    await eventually("the workers have ended", () => !processesOf(box).some(isWorker));
    await write(box.home, { ".cache/go": "" });
    const stopped = await ended;

    expect(stopped.code).toBe(3);
    const left = { state: "left" };
    expect(outcomeOf(stopped)).toMatchObject({ stopped: "cancelled", items: [left, left, left] });
    await eventually("no process is left", () => processesOf(box).length === 0);
    expect(await leftOver(box)).toEqual([]);
    const resumed = await box.e8([...command, "--resume"]);
    expect(outcomeOf(resumed).items).toMatchObject([1, 2, 3].map((issue) => ({ issue, state: "done" })));
    expect(resumed.code).toBe(0);
    expect((await landings(remote, "main")).sort()).toEqual([1, 2, 3]);
    for (const issue of [1, 2, 3]) expect(await issueIn(box, issue)).toEqual({ is_closed: true, comments: 1 });
    expect(await box.tasks()).toHaveLength(3);
    expect(await leftovers(box)).toEqual([]);
  });
});

describe("a worker that hangs", () => {
  test("is ended for its silence; the others go on, and its issue waits for a person", async () => {
    const box = await backlogBox({ 1: "", 2: "", 3: "" });
    await write(box.project, { "endless8.yaml": "silence_timeout: 1\n" });

    const ended = await box.e8([
      ...[...RUN, "--parallel", "2", "-n", "2"],
      ...worker("[ $n = 1 ] && sleep 600; echo done > done-$n.txt"),
    ]);

    expect(outcomeOf(ended).items).toMatchObject([
      { issue: 1, state: "parked", problem: { code: "issue_not_done" } },
      { issue: 2, state: "done", landing: "landed" },
      { issue: 3, state: "done", landing: "landed" },
    ]);
    expect(ended.code).toBe(1);
    const summaries = (await box.records(outcomeOf(ended).items[0]?.task_id)).filter(({ type }) => type === "summary");
    expect(summaries).toHaveLength(2);
    for (const summary of summaries) expect(JSON.stringify(summary)).toContain('"code":"silent"');
    expect(await landings(box.project, "main")).toEqual([2, 3]);
    await eventually("no process is left", () => processesOf(box).length === 0);
  });
});

describe("--watch", () => {
  test("takes an issue that is added meanwhile, and ends on Ctrl-C", async () => {
    const box = await backlogBox({ 1: "" });
    const { child, ended } = box.start([...RUN, "--watch", "1s", ...HONEST]);
    await eventually("issue 1 is closed", async () => (await issueIn(box, 1)).is_closed);

    await addIssue(box, 2);
    await eventually("issue 2 is closed", async () => (await issueIn(box, 2)).is_closed);
    child.kill("SIGINT");

    const stopped = await ended;
    expect(outcomeOf(stopped)).toMatchObject({ stopped: "cancelled", items: [{ state: "done" }, { state: "done" }] });
    expect(stopped.code).toBe(3);
    expect(await landings(box.project, "main")).toEqual([1, 2]);
  });
});
