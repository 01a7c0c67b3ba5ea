import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";

const CHANGES = "printf 'max_iterations: 1\\nproof: none\\n' > endless8.yaml";

async function project() {
  const box = await quickSandbox();
  await write(box.project, { "endless8.yaml": "max_iterations: 7\n" });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  const run = (worker: string, ...flags: string[]) =>
    box.e8(["run", "x", "--agent-command", worker, "--check", "false", "-n", "1", ...flags]);
  return { ...box, run };
}

test("settings that a worker has changed are named, with old and new value, and used only when accepted, once", async () => {
  const box = await project();
  await box.run(CHANGES);

  const refused = await box.run("touch worked");
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("files were changed that this run would use");
  expect(refused.stderr).toContain("endless8.yaml max_iterations: 7 → 1");
  expect(refused.stderr).toContain('endless8.yaml proof: – → "none"');
  expect(refused.stderr).toContain("--accept-changes");
  expect(refused.stderr).toContain("git checkout HEAD -- endless8.yaml");
  expect((await box.run("true", "--lang", "ja")).stderr).toContain("この実行が使うファイルが変更されました");
  expect(await readdir(box.project)).not.toContain("worked");

  expect((await box.run("true", "--accept-changes")).code).toBe(1);
  expect((await box.run("true")).code).toBe(1);
});

test.each([
  ["put back", (directory: string) => git(directory, "checkout", "HEAD", "--", "endless8.yaml")],
  ["committed by the user", (directory: string) => git(directory, "commit", "-qam", "mine")],
])("changed settings that were %s are not asked about", async (_, settle) => {
  const box = await project();
  await box.run(CHANGES);
  await settle(box.project);
  expect((await box.run("true")).code).toBe(1);
});

test("a worker's own commit accepts nothing", async () => {
  const box = await project();
  await box.run(`${CHANGES}; git -c user.name=w -c user.email=w@w commit -qam better`);
  expect((await box.run("true")).code).toBe(2);
});

test("what the user edits between two runs is the user's, without git, too", async () => {
  const box = await quickSandbox();
  const run = ["run", "x", "--agent-command", "true", "--check", "false", "-n", "1"];
  await box.e8(run);
  await box.write("endless8.yaml", "max_iterations: 3\n");
  expect((await box.e8(run)).code).toBe(1);
});

test("a task file of the project counts, a file outside or unused does not", async () => {
  const box = await project();
  await box.write("my task.yaml", 'task: x\ncriteria: [{type: command, command: "exit 7"}]\n');
  const file = ["run", "--config", join(box.project, "my task.yaml"), "-n", "1", "--agent-command"];
  await box.e8([...file, "sed -i 's/exit 7/true/' 'my task.yaml'; mkdir -p .agent/x; touch .agent/x/agent.json"]);

  const refused = await box.e8([...file, "true"]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('my task.yaml criteria[1].command: "exit 7" → "true"');
  expect((await box.run("true")).code).toBe(1);
});

test("changes of a run that was killed count from its beginning", async () => {
  const box = await project();
  const run = box.start(["run", "x", "--check", "false", "--agent-command", `${CHANGES}; touch here; sleep 60`]);
  await expect.poll(() => readdir(box.project), { timeout: 60_000 }).toContain("here");
  run.child.kill("SIGKILL");
  await run.ended;
  expect((await box.run("true")).code).toBe(2);
});
