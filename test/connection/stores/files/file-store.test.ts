import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileStore } from "../../../../src/connection/stores/files/file-store.ts";
import { toLine } from "../../../../src/connection/stores/files/json-lines.ts";
import { taskDirectoryOf, taskPaths } from "../../../../src/connection/stores/files/task-paths.ts";
import { startProgram } from "../../../support/program.ts";
import { saying } from "../../../support/saying.ts";
import { configuration, knowledge, noticeBoard } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const ID = "2026-01-23T13-30-00";

async function newTask() {
  const project = await temporaryDirectory();
  const store = fileStore(project);
  await store.create({ configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") });
  return { project, store, paths: taskPaths(taskDirectoryOf(project, ID)) };
}

test("the holder of a task is named with its process and its machine", async () => {
  const { store, paths } = await newTask();
  const program = startProgram("hold-lock", paths.lock, ID);
  await program.next();
  expect(await store.holder(ID)).toEqual({
    who: saying(`process ${program.pid} on ${hostname()}`),
    since: expect.stringMatching(/^\d{4}-/),
  });
});

test("a process of this machine that holds a task also gets a signal", async () => {
  const { store, paths } = await newTask();
  const program = startProgram("hold-lock", paths.lock, ID); // it ends by the signal, and never looks for a request
  await program.next();
  expect(await store.cancel(ID)).toBe(true);
  expect(await store.holder(ID)).toBeUndefined();
});

test("a run on another machine is asked by a file alone: no process of this one gets a signal", async () => {
  const { store, paths } = await newTask();
  const elsewhere = { pid: process.pid, host: "elsewhere", boot_id: "b", started: "s", token: "a1", since: "t" };
  await writeFile(paths.lock, JSON.stringify(elsewhere));
  const signals: string[] = [];
  const heard = () => void signals.push("SIGTERM");
  process.on("SIGTERM", heard);
  onTestFinished(() => void process.off("SIGTERM", heard));

  const cancelled = store.cancel(ID);
  await expect.poll(() => readFile(paths.cancel, "utf8").catch(() => "")).toBe("a1");
  await rm(paths.lock); // that run has seen the request
  expect(await cancelled).toBe(true);
  expect(signals).toEqual([]);
});

test("one task's unreadable knowledge is named and the rest is shown; asked for alone, it is a fault", async () => {
  const { project, store, paths } = await newTask();
  await mkdir(paths.knowledge);
  await writeFile(join(project, ".e8", "knowledge.jsonl"), `${toLine(knowledge("shared"))}{ torn\n`);
  const { notices, report } = noticeBoard();

  expect(await store.knowledge({ report })).toEqual([knowledge("shared")]);
  expect(notices).toMatchObject([
    { code: "file_left_out", params: { file: paths.knowledge, problem: saying("it is a directory") } },
  ]);
  await expect(store.knowledge({ task: ID, report })).rejects.toMatchObject({ code: "file_is_directory" });
});
