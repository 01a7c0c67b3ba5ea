import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { askGit } from "../../../src/connection/processes/git.ts";
import { holdGitHelper } from "../../../src/connection/processes/git-helper.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { eventually } from "./helpers.ts";

/** Helpers are known by a variable that this process has while they start. */
function helpers(mark: string): number[] {
  return [...processTable().carrying(`E8_TEST_HELPER=${mark}`)].filter((pid) => pid !== process.pid);
}

async function started(): Promise<{ leave: () => void; mark: string; directory: string }> {
  const mark = `${process.pid}-${Math.random()}`;
  process.env.E8_TEST_HELPER = mark;
  const leave = holdGitHelper();
  delete process.env.E8_TEST_HELPER;
  onTestFinished(leave);
  return { leave, mark, directory: await temporaryDirectory() };
}

test("git is asked through a small process, which ends when nobody needs it", async () => {
  const { leave, mark, directory } = await started();

  expect(await askGit(["hash-object", "--stdin"], { directory, stdin: "text\n" })).toMatchObject({ exit_code: 0 });
  expect((await askGit(["rev-parse", "HEAD"], { directory })).said).toContain("not a git repository");
  expect(helpers(mark)).toHaveLength(1);
  leave();

  await eventually("the helper has ended", () => helpers(mark).length === 0);
  expect((await askGit(["--version"], { directory })).output).toContain("git version");
});

test("where the helper is killed, git is asked without it", async () => {
  const { mark, directory } = await started();
  await askGit(["--version"], { directory });

  for (const pid of helpers(mark)) process.kill(pid, "SIGKILL");
  await eventually("the helper has ended", () => helpers(mark).length === 0);
  await askGit(["--version"], { directory }); // may still have been sent to it

  expect((await askGit(["--version"], { directory })).output).toContain("git version");
});

test("whoever waits when the helper is killed gets an answer, once the git at work has ended", async () => {
  const { mark, directory } = await started();
  await askGit(["init", "--quiet"], { directory });
  const done = join(directory, "done");
  const begun = join(directory, "begun");
  const asked = askGit(["-c", `alias.slow=!touch '${begun}'; sleep 0.5; touch '${done}'`, "slow"], { directory });
  await eventually("git is at work", () => existsSync(begun));

  for (const pid of helpers(mark)) process.kill(pid, "SIGKILL");

  expect(await asked).toMatchObject({ exit_code: null });
  expect(existsSync(done)).toBe(true);
});

test("a git that gives no answer in time is ended with all that it has started, through the helper, too", async () => {
  const { leave, directory } = await started();
  await askGit(["init", "--quiet"], { directory });
  const ask = () => askGit(["-c", "alias.slow=!sleep 300 & sleep 300", "slow"], { directory, timeout_seconds: 0.5 });
  expect(await ask()).toMatchObject({ exit_code: null, said: "git has given no answer for 0.5 seconds" });
  leave();
  expect(await ask()).toMatchObject({ exit_code: null });
});

test("a process that only waits for the helper does not end when the helper is killed", async () => {
  const directory = await temporaryDirectory();
  const program = fileURLToPath(new URL("../../support/programs/ask-git-once.ts", import.meta.url));
  const register = new URL("../../support/typescript-register.mjs", import.meta.url).href;
  for (const round of [1, 2, 3]) {
    const asked = spawnSync(process.execPath, ["--import", register, program, directory], { encoding: "utf8" });
    expect([asked.status, asked.stdout], `${round} ${asked.stderr}`).toEqual([0, "null"]);
  }
});
