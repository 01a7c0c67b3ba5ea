import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rawLogFiles } from "../../../../src/connection/stores/files/raw-log-files.ts";
import type { Notice } from "../../../../src/model/notices.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

async function opened() {
  const task = await temporaryDirectory();
  const directory = join(task, "logs");
  const notices: Notice[] = [];
  const report = (one: Notice) => void notices.push(one);
  return { task, directory, notices, log: rawLogFiles({ directory, task, every_message: true, report }) };
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

test("what cannot be logged is told of once, and what comes later is logged again", async () => {
  const { directory, notices, log } = await opened();
  await mkdir(join(directory, "iteration-002.jsonl"), { recursive: true });
  for (const line of ["a", "b"]) await log(2, "executor", line);
  await log(3, "executor", "c");

  expect(notices).toMatchObject([{ code: "raw_log_unwritable", params: { problem: { en: "it is a directory" } } }]);
  expect(await readFile(join(directory, "iteration-003.jsonl"), "utf8")).toBe("c\n");
});

test("a task that is gone is not made again by its log", async () => {
  const { task, notices, log } = await opened();
  await rm(task, { recursive: true });
  await log(1, "executor", "a");
  expect(existsSync(task)).toBe(false);
  expect(notices).toHaveLength(1);
});
