import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { listTasks } from "../../../../src/connection/stores/files/reading.ts";
import { readTask, TaskFile } from "../../../../src/connection/stores/files/task-file.ts";
import { type TaskPlace, taskDirectoryOf } from "../../../../src/connection/stores/files/task-paths.ts";
import { E8Error } from "../../../../src/model/errors.ts";
import { forgetCopies } from "../../../support/older-task.ts";
import { saying } from "../../../support/saying.ts";
import { configuration } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const ID = "2026-01-23T13-30-00";
const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") };
const answers = [{ question: "Which one?", answer: "両方" }];
const free = async () => {};

async function newTask(): Promise<TaskPlace> {
  const project = await temporaryDirectory();
  const id = await createTask(project, request);
  await forgetCopies(project);
  return { project, id, path: taskDirectoryOf(project, id) };
}

async function opened() {
  const place = await newTask();
  return { place, path: join(place.path, "task.json"), file: await TaskFile.open(place, free) };
}

test("a saved change is in the task at once and in task.json", async () => {
  const { place, file } = await opened();
  await file.save({ answers });
  await file.save({ configuration: configuration({ max_iterations: 20 }) });

  expect(file.task).toMatchObject({ answers, configuration: { max_iterations: 20 } });
  expect(await readTask(place.project, place.path, ID)).toEqual(file.task);
  expect(await readdir(place.path)).toEqual(["task.json"]);
});

test("a task changed by another process since it was found is read anew", async () => {
  const { place, file } = await opened();
  await file.save({ answers });
  expect((await TaskFile.open(place, free)).task.answers).toEqual(answers);
});

test("a change that cannot be written leaves the task as it was", async () => {
  const { place, file } = await opened();
  await rm(place.path, { recursive: true });
  await writeFile(place.path, "in the way");
  await expect(file.save({ answers })).rejects.toMatchObject({ code: "write_failed" });
  expect(file.task.answers).toEqual([]);
});

test("a task that another run has taken is neither changed nor put back", async () => {
  const place = await newTask();
  const taken = new E8Error("task_taken", { id: ID, who: "another", since: "" });
  const file = await TaskFile.open(place, () => Promise.reject(taken));
  const path = join(place.path, "task.json");
  const theirs = `${await readFile(path, "utf8")}\n`;
  await writeFile(path, theirs);

  await expect(file.save({ answers })).rejects.toBe(taken);
  await expect(file.restore()).rejects.toBe(taken);
  expect(file.task.answers).toEqual([]);
  expect(await readFile(path, "utf8")).toBe(theirs);
});

test("task.json that somebody else has changed or deleted is put back as it was, byte for byte", async () => {
  const { path, file } = await opened();
  expect(await file.restore()).toBe(false);
  await file.save({ answers: [{ question: "q", answer: "a" }] });
  expect(await file.restore()).toBe(false);
  const before = await readFile(path, "utf8");

  await writeFile(path, before.replace('"q"', '"p"'));
  expect(await file.restore()).toBe(true);
  await rm(path);
  expect(await file.restore()).toBe(true);
  expect(await readFile(path, "utf8")).toBe(before);
});

test("a pipe in the place of task.json is not waited for, but replaced", async () => {
  const { place, path, file } = await opened();
  const before = await readFile(path, "utf8");
  await rm(path);
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  const tooLate = join(place.project, "too-late");
  // Lets whoever waits for the pipe go on in the end.
  const writer = spawn("sh", ["-c", 'sleep 5; touch "$1"; : >> "$0"', path, tooLate], { stdio: "ignore" });
  onTestFinished(() => void writer.kill());

  expect(await file.restore()).toBe(true);

  expect(existsSync(tooLate)).toBe(false);
  expect((await stat(path)).isFile()).toBe(true);
  expect(await readFile(path, "utf8")).toBe(before);
});

test("a task whose directory is gone is not made anew: its history reports the loss", async () => {
  const { place, file } = await opened();
  await rm(place.path, { recursive: true });
  expect(await file.restore()).toBe(false);
  expect(existsSync(place.path)).toBe(false);
});

test("a directory that a worker puts in the place of task.json gives way to the task", async () => {
  const { place, path, file } = await opened();
  await rm(path);
  await mkdir(join(path, "deep"), { recursive: true });

  expect([await file.restore(), await file.restore()]).toEqual([true, false]);
  expect(await readTask(place.project, place.path, ID)).toEqual(file.task);
});

test.each([
  ["no JSON", "{"],
  ["empty", ""],
  ["something else", '{"version":1}'],
  ["of a later version", JSON.stringify({ version: 2, task_id: ID })],
])("a task.json that is %s is broken, and the fault names the file", async (_, text) => {
  const { path, project } = await newTask();
  await writeFile(join(path, "task.json"), text);
  const broken = { code: "task_file_broken", details: { path: join(path, "task.json") } };
  await expect(readTask(project, path, ID)).rejects.toMatchObject(broken);
  await expect(TaskFile.open({ project, id: ID, path }, free)).rejects.toMatchObject(broken);
});

test("a task with records but without task.json differs from one that does not exist", async () => {
  const { path, project } = await newTask();
  await rm(join(path, "task.json"));
  await expect(readTask(project, path, ID)).rejects.toMatchObject({ code: "task_not_found", details: { id: ID } });

  await writeFile(join(path, "history.jsonl"), "");
  await expect(readTask(project, path, ID)).rejects.toMatchObject({
    code: "task_file_broken",
    details: { problem: saying("it does not exist") },
  });
});

test("a task of the version before, which called a flow an agent, is read as a flow", async () => {
  const { path, project } = await newTask();
  const { flow: _, ...stored } = JSON.parse(await readFile(join(path, "task.json"), "utf8"));
  const agent = { name: "tester", directory: "/agents/tester", parameters: {}, stdin: "" };
  await writeFile(join(path, "task.json"), JSON.stringify({ ...stored, agent }));
  expect((await readTask(project, path, ID)).flow).toEqual(agent);
});

test("a project that was moved is known by its new place", async () => {
  const parent = await temporaryDirectory();
  const [old, moved] = [join(parent, "old place"), join(parent, "新しい場所")];
  await mkdir(old);
  await createTask(old, request);
  await rename(old, moved);
  expect(await readTask(moved, taskDirectoryOf(moved, ID), ID)).toMatchObject({ project: moved });
});

test("directories of a task move with its project, and others stay where they are", async () => {
  const parent = await temporaryDirectory();
  const [old, moved, beside] = [join(parent, "old"), join(parent, "new"), join(parent, "old too")];
  await mkdir(old);
  const flow = { name: "tester", parameters: {}, stdin: "" };
  const work = [
    [join(old, "packages", "a"), join(moved, "packages", "a")],
    [old, moved],
    [beside, beside],
  ] as const;
  for (const [directory] of work)
    await createTask(old, {
      ...request,
      configuration: configuration({ working_directory: directory }),
      flow: { ...flow, directory },
    });
  await rename(old, moved);

  for (const [index, id] of (await listTasks(moved)).entries()) {
    const path = taskDirectoryOf(moved, id);
    const task = await readTask(moved, path, id);
    const there = work[index]?.[1];
    expect([task.configuration.working_directory, task.flow?.directory]).toEqual([there, there]);
    expect((await TaskFile.open({ project: moved, id, path }, free)).task).toEqual(task);
  }
});
