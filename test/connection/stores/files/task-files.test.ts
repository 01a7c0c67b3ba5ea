import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { openTask } from "../../../../src/connection/stores/files/reading.ts";
import { openTaskFiles } from "../../../../src/connection/stores/files/task-files.ts";
import { configuration } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const ID = "2026-01-23T13-30-00";

async function newTask() {
  const project = await temporaryDirectory();
  return createTask(project, { configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") });
}

test("a saved change is in the task at once and in task.json for whoever opens it next", async () => {
  const directory = await newTask();
  const files = await openTaskFiles(directory);
  const answers = [{ question: "Which one?", answer: "両方" }];
  await files.save({ answers });
  await files.save({ configuration: configuration({ max_iterations: 20 }) });

  expect(files.task).toMatchObject({ answers, configuration: { max_iterations: 20 } });
  expect((await openTask(directory.project, ID)).task).toEqual(files.task);
  expect(await readdir(directory.path)).toEqual(["task.json"]);
});

test("a task changed by another process since it was found is read anew", async () => {
  const directory = await newTask();
  await (await openTaskFiles(directory)).save({ answers: [{ question: "q", answer: "a" }] });
  expect((await openTaskFiles(directory)).task.answers).toHaveLength(1);
});

test("a change that cannot be written leaves the task as it was", async () => {
  const directory = await newTask();
  const files = await openTaskFiles(directory);
  await rm(directory.path, { recursive: true });
  await writeFile(directory.path, "in the way");
  const answers = [{ question: "q", answer: "a" }];
  await expect(files.save({ answers })).rejects.toMatchObject({ code: "write_failed" });
  expect(files.task.answers).toEqual([]);
});

test("the output is replaced as a whole, read back, and named relative to the project", async () => {
  const directory = await newTask();
  const files = await openTaskFiles(directory);
  expect(await files.readOutput()).toBe("");
  await files.saveOutput("a long first text");
  expect(await files.saveOutput("# 結果\n")).toBe(`.e8/tasks/${ID}/output.md`);

  expect(await readFile(join(directory.path, "output.md"), "utf8")).toBe("# 結果\n");
  expect(await files.readOutput()).toBe("# 結果\n");
  expect(await readdir(directory.path)).toEqual(["output.md", "task.json"]);
});

test("an output that is gone before it has reached the disk is an error that names it", async () => {
  const directory = await newTask();
  const files = await openTaskFiles(directory);
  await files.saveOutput("text");
  await files.flushOutput();
  await rm(join(directory.path, "output.md"));
  await expect(files.flushOutput()).rejects.toMatchObject({
    code: "write_failed",
    details: { path: join(directory.path, "output.md") },
  });
});

test("the task knows its directory and where its history is", async () => {
  const directory = await newTask();
  const files = await openTaskFiles(directory);
  expect(files.directory).toBe(directory.path);
  expect(files.history_path).toBe(`.e8/tasks/${ID}/history.jsonl`);
});

test("task.json that somebody else has changed or deleted is put back as it was, byte for byte", async () => {
  const directory = await newTask();
  const path = join(directory.path, "task.json");
  const files = await openTaskFiles(directory);
  expect(await files.restore()).toBe(false);
  await files.save({ answers: [{ question: "q", answer: "a" }] });
  expect(await files.restore()).toBe(false);
  const before = await readFile(path, "utf8");

  await writeFile(path, before.replace('"q"', '"p"'));
  expect(await files.restore()).toBe(true);
  await rm(path);
  expect(await files.restore()).toBe(true);
  expect(await readFile(path, "utf8")).toBe(before);
});

test("a pipe in the place of task.json is not waited for, but replaced", async () => {
  const directory = await newTask();
  const path = join(directory.path, "task.json");
  const files = await openTaskFiles(directory);
  const before = await readFile(path, "utf8");
  await rm(path);
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  const tooLate = join(directory.project, "too-late");
  // Lets whoever waits for the pipe go on in the end.
  const writer = spawn("sh", ["-c", 'sleep 5; touch "$1"; : >> "$0"', path, tooLate], { stdio: "ignore" });
  onTestFinished(() => void writer.kill());

  expect(await files.restore()).toBe(true);

  expect(existsSync(tooLate)).toBe(false);
  expect((await stat(path)).isFile()).toBe(true);
  expect(await readFile(path, "utf8")).toBe(before);
});

test("a task whose whole directory is gone is not made anew: its history tells that it is gone", async () => {
  const directory = await newTask();
  const files = await openTaskFiles(directory);
  await rm(directory.path, { recursive: true });
  expect(await files.restore()).toBe(false);
});

test("a directory that a worker puts in the place of task.json gives way to the task", async () => {
  const directory = await newTask();
  const files = await openTaskFiles(directory);
  const path = join(directory.path, "task.json");
  await rm(path);
  await mkdir(join(path, "deep"), { recursive: true });

  expect([await files.restore(), await files.restore()]).toEqual([true, false]);
  expect((await openTask(directory.project, ID)).task).toEqual(files.task);
});
