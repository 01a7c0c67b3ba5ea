import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { acquireLock } from "../../../../src/connection/stores/files/lock.ts";
import { rawLogLines, rawLogWriter } from "../../../../src/connection/stores/files/raw-logs.ts";
import { type TaskPlace, taskDirectoryOf, taskPaths } from "../../../../src/connection/stores/files/task-paths.ts";
import { saying } from "../../../support/saying.ts";
import { all, configuration, noticeBoard } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

async function opened(raw_log_dir: string | null = null) {
  const project = await temporaryDirectory();
  const settings = configuration({ logging: { raw_log: true, raw_log_dir } });
  const id = await createTask(project, { configuration: settings, now: new Date("2026-01-23T13:30:00Z") });
  const place: TaskPlace = { project, id, path: taskDirectoryOf(project, id) };
  const { notices, report } = noticeBoard();
  const read = (more: { follow?: boolean; iteration?: number } = {}) =>
    rawLogLines(place, { follow: false, report, ...more });
  const directory = taskPaths(place.path).logs;
  return { place, directory, notices, read, log: rawLogWriter(place, raw_log_dir, report) };
}

test("a log whose directory a worker has removed goes on in a new one, without a word", async () => {
  const { directory, notices, log } = await opened();
  await log(1, "executor", "before");
  await rm(directory, { recursive: true });
  await log(1, "executor", "after");
  await log(1, "judge", "well");

  expect(await readFile(join(directory, "iteration-001.jsonl"), "utf8")).toBe("after\n");
  expect(await readFile(join(directory, "iteration-001.judge.jsonl"), "utf8")).toBe("well\n");
  expect(notices).toEqual([]);
});

test("logs go where the settings want them, in a directory of the task's own", async () => {
  const { place, log, read } = await opened("my logs");
  await log(1, "executor", "a");
  expect(await readFile(join(place.project, "my logs", place.id, "iteration-001.jsonl"), "utf8")).toBe("a\n");
  expect(await all(read())).toEqual([{ iteration: 1, role: "executor", line: "a" }]);
});

test("a failed log write gives one notice, and later writes are tried again", async () => {
  const { directory, notices, log } = await opened();
  await mkdir(join(directory, "iteration-002.jsonl"), { recursive: true });
  for (const line of ["a", "b"]) await log(2, "executor", line);
  await log(3, "executor", "c");

  expect(notices).toMatchObject([{ code: "raw_log_unwritable", params: { problem: saying("it is a directory") } }]);
  expect(await readFile(join(directory, "iteration-003.jsonl"), "utf8")).toBe("c\n");
});

test("a task that is gone is not made again by its log", async () => {
  const { place, notices, log } = await opened();
  await rm(place.path, { recursive: true });
  await log(1, "executor", "a");
  expect(existsSync(place.path)).toBe(false);
  expect(notices).toHaveLength(1);
});

test("an unreadable log is named, and the others are still shown", async () => {
  const { directory, notices, log, read } = await opened();
  await log(1, "executor", "a");
  await mkdir(join(directory, "iteration-002.jsonl"));
  await log(3, "executor", "c");
  await writeFile(join(directory, "iteration-004.nobody.jsonl"), "of no role\n");

  expect((await all(read())).map(({ line }) => line)).toEqual(["a", "c"]);
  expect(notices).toMatchObject([{ code: "file_left_out", params: { problem: saying("it is a directory") } }]);
});

test("an iteration that was not logged is refused with those that were", async () => {
  const { log, read } = await opened();
  for (const iteration of [1, 2]) await log(iteration, "executor", "a");
  await expect(all(read({ iteration: 7 }))).rejects.toMatchObject({
    code: "iteration_not_logged",
    details: { iteration: 7, known: "1, 2" },
  });
});

test("a reader who follows a run gets whole lines as they come, and what is left when the run ends", async () => {
  const { place, directory, log, read } = await opened();
  const lock = await acquireLock(taskPaths(place.path).lock, place.id);
  const lines = read({ follow: true });
  await log(1, "executor", "日本語");
  expect((await lines.next()).value).toMatchObject({ line: "日本語" });

  const torn = Buffer.from("二行目\nthree");
  await appendFile(join(directory, "iteration-001.jsonl"), torn.subarray(0, 4)); // in the middle of a character
  const next = lines.next();
  await appendFile(join(directory, "iteration-001.jsonl"), torn.subarray(4));
  expect((await next).value).toMatchObject({ line: "二行目" });

  await lock.release();
  expect((await lines.next()).value).toMatchObject({ line: "three" });
  expect((await lines.next()).done).toBe(true);
});
