import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { readLock } from "../../../../src/connection/stores/files/lock.ts";
import { openStores } from "../../../../src/connection/stores/files/open-stores.ts";
import { taskPaths } from "../../../../src/connection/stores/files/task-paths.ts";
import { all, configuration, knowledge, spending, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

async function newTask(settings: { persist?: string; knowledge?: string } = {}) {
  const project = await temporaryDirectory();
  return createTask(project, { configuration: configuration(settings), now: new Date("2026-01-23T13:30:00Z") });
}

test("all of a task's stores open together, under its lock, and are there again after a release", async () => {
  const directory = await newTask();
  const stores = await openStores(directory);
  await stores.history.append(summary(1));
  await stores.ledger.append(spending(1));
  await stores.knowledge.add([knowledge("learned")]);
  await stores.files.saveOutput("text");
  await expect(openStores(directory)).rejects.toMatchObject({ code: "task_locked", details: { id: directory.id } });
  await stores.release();

  expect((await readdir(directory.path)).toSorted()).toEqual([
    ...["history.jsonl", "knowledge.jsonl", "output.md", "spending.jsonl", "task.json"],
  ]);
  const again = await openStores(directory);
  expect(await all(again.history.records())).toEqual([summary(1)]);
  expect(await all(again.ledger.entries())).toEqual([spending(1)]);
  expect(await again.knowledge.relevant("", 5)).toEqual([knowledge("learned")]);
  expect(again.notices).toEqual([]);
  await again.release();
});

test("a copy that the last run was killed before is made when the stores are opened again", async () => {
  const directory = await newTask({ persist: "all.jsonl" });
  const stores = await openStores(directory);
  await stores.history.append(summary(1));
  await stores.history.copy(summary(1));
  await stores.history.append(summary(2));
  await stores.release();

  await (await openStores(directory)).release();

  const copied = (await readFile(join(directory.project, "all.jsonl"), "utf8")).trimEnd().split("\n");
  expect(copied.map((line) => JSON.parse(line).iteration)).toEqual([1, 2]);
});

test("copies go to the files that the task's own settings name, relative to the project", async () => {
  const directory = await newTask({ persist: "logs/履歴.jsonl", knowledge: ".e8/knowledge.jsonl" });
  const stores = await openStores(directory);
  await stores.history.copy(summary(1));
  await stores.knowledge.add([knowledge("learned")]);
  await stores.release();

  const copied = await readFile(join(directory.project, "logs", "履歴.jsonl"), "utf8");
  expect(JSON.parse(copied)).toEqual({ ...summary(1), task_id: directory.id });
  expect(JSON.parse(await readFile(join(directory.project, ".e8", "knowledge.jsonl"), "utf8"))).toEqual(
    knowledge("learned"),
  );
});

test("a file is never its own copy", async () => {
  const directory = await newTask();
  const own = `.e8/tasks/${directory.id}`;
  const task = JSON.parse(await readFile(taskPaths(directory.path).task, "utf8"));
  Object.assign(task.configuration, { persist: `${own}/history.jsonl`, knowledge: `./${own}/knowledge.jsonl` });
  await writeFile(taskPaths(directory.path).task, JSON.stringify(task));
  const stores = await openStores(directory);
  await stores.history.append(summary(1));
  await stores.knowledge.add([knowledge("learned")]);
  expect(await all(stores.history.records())).toHaveLength(1);
  expect((await readFile(taskPaths(directory.path).knowledge, "utf8")).trimEnd().split("\n")).toHaveLength(1);
  expect(await readdir(directory.project)).toEqual([".e8"]);
  await stores.release();
});

test("what was torn or cannot be read is noticed when the stores open and while they are read", async () => {
  const directory = await newTask();
  const paths = taskPaths(directory.path);
  await writeFile(paths.history, '{"type":"summary","iter');
  await writeFile(paths.ledger, `nonsense\n${JSON.stringify(spending(1))}\n`);
  const stores = await openStores(directory);
  expect(stores.notices.map(({ code }) => code)).toEqual(["torn_line"]);
  expect(await all(stores.ledger.entries())).toEqual([spending(1)]);
  expect(stores.notices.map(({ code }) => code)).toEqual(["torn_line", "unreadable_lines"]);
  await stores.release();
});

test("when a store cannot be opened the lock is given back", async () => {
  const directory = await newTask();
  await writeFile(taskPaths(directory.path).task, "{ broken");
  await expect(openStores(directory)).rejects.toMatchObject({ code: "task_file_broken" });
  expect(await readLock(taskPaths(directory.path).lock)).toBeUndefined();
});

test("releasing twice does no harm to whoever holds the lock by then", async () => {
  const directory = await newTask();
  const first = await openStores(directory);
  await first.release();
  const second = await openStores(directory);
  await first.release();
  expect(await readLock(taskPaths(directory.path).lock)).toMatchObject({ pid: process.pid });
  await second.release();
});

test.each(["history", "knowledge", "ledger"] as const)(
  "a directory that a worker puts in the place of its %s is told of before anything else is written",
  async (name) => {
    const directory = await newTask();
    const stores = await openStores(directory);
    const path = taskPaths(directory.path)[name];
    await rm(path);
    await mkdir(path);
    const problem = { en: "a directory was put in its place while the task was running" };
    expect(() => stores.files.confirmRecords()).toThrow(
      expect.objectContaining({ code: "records_lost", details: { path, problem: expect.objectContaining(problem) } }),
    );
    await stores.release();

    await expect(openStores(directory)).rejects.toMatchObject({ code: "file_is_directory", details: { path } });
  },
);
