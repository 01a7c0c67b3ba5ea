import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

/** A repository whose project is a directory in it, checked by a script at its top. */
async function project(): Promise<Sandbox> {
  const box = await quickSandbox();
  await write(box.project, {
    "data.txt": "bad\n",
    "tests/check.sh": "grep -q good ../../data.txt\n",
    "pkgs/a/readme.md": "a\n",
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  return { ...box, project: `${box.project}/pkgs/a` };
}

function run(box: Sandbox, worker: string, ...flags: string[]) {
  const check = ["--check", "sh ../../tests/check.sh"];
  return box.e8(["run", "Write", "--agent-command", worker, ...check, ...flags, "--json", "--project", box.project]);
}

test("files that a worker changes above its project are among the changed files of the result", async () => {
  const box = await project();

  const result = resultOf(await run(box, "echo good >../../data.txt"));

  expect(result).toMatchObject({ status: "completed", change_totals: { files: 1, added: 1, removed: 1 } });
  expect(result.changed_files).toMatchObject([{ path: expect.stringMatching(/\/data\.txt$/), status: "modified" }]);
});

test("a worker that changes files above its project in each iteration does not stand still", async () => {
  const box = await project();

  const result = resultOf(await run(box, "echo x >>../../data.txt", "-n", "7"));

  expect(result).toMatchObject({ stop_reason: "max_iterations", iterations_used: 7 });
});
