import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

const TEST =
  'import assert from "node:assert";\nimport { test } from "node:test";\ntest("is done", () => assert.fail());\n';

/** A project whose check fails in the first iteration, and a worker that then begins a file. */
async function workedOnce(): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, { "package.json": '{ "type": "module" }\n', "test/a.test.js": TEST });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  const checks = ["--check", "node --test", "--check", "test -e package.json"];
  await box.e8(["run", "x", "--agent-command", "touch begun", ...checks, "-n", "1"]);
  return box;
}

async function changeCheck(box: Sandbox, command: string): Promise<void> {
  const [id = ""] = await box.tasks();
  const path = join(box.project, ".e8/tasks", id, "task.json");
  await writeFile(path, (await readFile(path, "utf8")).replace("node --test", command));
}

test.each([
  ["true", true],
  ["test -e begun", false],
])("a check that the user changes to `%s` is run anew on the files of the start", async (command, before) => {
  const box = await workedOnce();
  await changeCheck(box, command);
  const ended = await box.e8(["run", "--resume", "-n", "3", "--accept-changes", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    proof: {
      checks: [
        { criterion: `\`${command}\` exits 0`, before, after: true },
        { criterion: "`test -e package.json` exits 0", before: true, after: true },
      ],
    },
  });
  expect(JSON.stringify(await box.records())).not.toContain("is_flaky");
});
