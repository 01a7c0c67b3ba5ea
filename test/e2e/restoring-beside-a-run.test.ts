import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { git } from "../support/repository.ts";
import { sandbox } from "../support/sandbox.ts";

/** One task has ended, and another is at work in the same directory. */
async function besideARun() {
  const box = await sandbox();
  await git(box.project, "init", "-q");
  await box.write("a.txt", "broken\n");
  expect((await box.e8(["run", "x", "--agent-command", "echo done > a.txt", "--check", "grep done a.txt"])).code).toBe(
    0,
  );
  const [ended = ""] = await box.tasks();
  const agent = "touch started; until [ -f go ]; do sleep 0.05; done";
  const run = box.start(["run", "y", "--agent-command", agent, "--check", "test -f go"]);
  while (!(await stat(join(box.project, "started")).catch(() => undefined))) {
    expect(run.child.exitCode).toBeNull();
    await sleep(20);
  }
  const [, running = ""] = await box.tasks();
  const goOn = async () => {
    await box.write("go", "");
    expect((await run.ended).code).toBe(0);
  };
  return { box, ended, running, goOn };
}

test("rollback and fork change no file while another task is at work in the directory, and leave nothing behind", async () => {
  const { box, ended, running, goOn } = await besideARun();
  const refs = () => git(box.project, "for-each-ref", "refs/e8");
  const before = await refs();

  for (const words of [
    ["rollback", ended, "--to", "0"],
    ["fork", ended, "--from", "0"],
  ]) {
    const refused = await box.e8(words);
    expect(refused.code, refused.stdout).toBe(2);
    expect(refused.stderr).toContain(`Task ${running} is already at work in ${box.project}`);
    expect(await box.read("a.txt")).toBe("done\n");
    expect(await box.tasks()).toEqual([ended, running]);
    expect(await refs()).toBe(before);
  }

  await goOn();
  const forked = await box.e8(["fork", ended, "--from", "0"]);
  expect(forked.code, forked.stderr).toBe(0);
  expect((await box.e8(["rollback", ended, "--to", "0"])).code).toBe(0); // the place is free again
  expect(await box.read("a.txt")).toBe("broken\n");
});
