import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../connection/processes/helpers.ts";
import { appears, backlogBox, leftovers, outcomeOf, RUN, worker } from "../support/backlog-box.ts";
import { addRemote, issueIn, landings } from "../support/landed-backlog.ts";
import { write } from "../support/repository.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { leftOver, processesOf } from "../support/users-repository.ts";

/** A remote that takes what is pushed when it is let go. */
async function slowRemote(box: Sandbox): Promise<string> {
  const remote = await addRemote(box);
  const hook = join(remote, "hooks/pre-receive");
  const wait = `for i in $(seq 600); do [ -e '${box.home}/.cache/go' ] && exit 0; sleep 0.1; done`;
  await writeFile(hook, `#!/bin/sh\ntouch '${box.home}/.cache/receiving'\n${wait}\n`);
  await chmod(hook, 0o755);
  return remote;
}

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
