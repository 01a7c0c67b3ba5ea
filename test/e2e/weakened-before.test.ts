import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";

const FILES = { "sum.txt": "4\n", "test/sum.test.sh": "grep -q 3 sum.txt\n" };
const WEAKEN = "echo true > test/sum.test.sh";

async function weakened() {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, FILES);
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  const run = (worker: string, ...flags: string[]) => {
    const args = ["run", "Make it 3", "--agent-command", worker, "--check", "sh test/sum.test.sh", "-n", "1"];
    return box.e8([...args, ...flags]);
  };
  expect((await run(WEAKEN)).code).toBe(1);
  return { ...box, run };
}

test("tests that an earlier task has weakened without completing do not prove the next one", async () => {
  const { run, project, e8 } = await weakened();

  const next = await run("touch unrelated");
  expect(next.code, next.stdout).toBe(1);
  expect((await e8(["show", "--proof"])).stdout).toContain("test/sum.test.sh");
  expect((await run("echo 3 > sum.txt; git checkout -q HEAD -- test")).code).toBe(0);
  expect(await git(project, "status", "--short", "--", "test")).toBe("");
});

test.each([
  ["the script of the check", "echo true > check.sh"],
  ["the script of the check, committed by the worker", "echo true > check.sh; git commit -qam work"],
  ["the program that the script runs", "echo > compare.mjs"],
  ["a suite that a test loads", "echo 'process.exit(0)' > suites/sum.mjs"],
])("%s that an earlier task has replaced without completing does not prove the next one", async (_, worker) => {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "sum.txt": "4\n",
    "check.sh": "node compare.mjs && node test/all.test.mjs\n",
    "compare.mjs":
      'import { readFileSync } from "node:fs";\nif (!/3/.test(readFileSync("sum.txt"))) process.exit(1);\n',
    "test/all.test.mjs": 'import "../suites/sum.mjs";\n',
    "suites/sum.mjs": 'import { test } from "node:test";\ntest("sum", () => {});\n',
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  const run = (work: string) =>
    box.e8(["run", "Make it 3", "--agent-command", work, "--check", "sh check.sh", "-n", "1"]);

  expect((await run(worker)).code).toBe(1);
  const next = await run("touch unrelated");
  expect(next.code, next.stdout).toBe(1);
});

test("weakened tests that the user accepts or commits count", async () => {
  const accepting = await weakened();
  expect((await accepting.run("touch unrelated", "--accept-changes")).code).toBe(0);

  const committing = await weakened();
  await git(committing.project, "commit", "-qam", "mine");
  expect((await committing.run("touch unrelated")).code).toBe(0);
});

test("what an earlier worker has left among ignored files and in HOME does not prove the next task, nor makes it one that needs no work", async () => {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, { "sum.txt": "4\n", ".gitignore": "node_modules/\n" });
  await write(box.project, { "node_modules/.bin/check": "grep -q 3 sum.txt\n", "package.json": "{}\n" });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  const run = (worker: string, ...flags: string[]) => {
    const check = "sh node_modules/.bin/check || [ -e ~/.npmrc ]";
    return box.e8(["run", "Make it 3", "--agent-command", worker, "--check", check, "-n", "1", ...flags]);
  };
  for (const worker of ["echo true > node_modules/.bin/check", "touch ~/.npmrc"]) {
    expect((await run(worker)).code).toBe(1);
    const next = await run("touch unrelated");
    expect(next.code, next.stdout).toBe(1);
    expect((await run("touch unrelated", "--accept-changes")).code).toBe(0);
    await write(box.project, { "node_modules/.bin/check": "grep -q 3 sum.txt\n" });
  }
});
