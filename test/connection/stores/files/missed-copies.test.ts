import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openHistory } from "../../../../src/connection/stores/files/history.ts";
import { toLine } from "../../../../src/connection/stores/files/json-lines.ts";
import { missedCopies } from "../../../../src/connection/stores/files/missed-copies.ts";
import type { HistoryRecord } from "../../../../src/model/records.ts";
import { finalResult, judgment, noticeBoard, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const ID = "2026-01-23T10-00-00";
const OTHER = "2026-01-23T10-00-00-2";
const PAST = [summary(1), judgment(1), finalResult(ID), summary(2), judgment(2)];

const lineOf = (record: HistoryRecord, task_id = ID) => toLine({ ...record, task_id });
const othersLine = lineOf(summary(7), OTHER);

/** The file of copies after the task with these records was opened again, with what it held before. */
async function openedAgain(records: readonly HistoryRecord[], before: string | undefined): Promise<string> {
  const directory = await temporaryDirectory();
  const [own, persist] = [join(directory, "history.jsonl"), join(directory, "all.jsonl")];
  await writeFile(own, records.map(toLine).join(""));
  if (before !== undefined) await writeFile(persist, before);
  const { notices, report } = noticeBoard();
  for (const _ of ["once", "again"]) {
    const history = await openHistory(own, { task_id: ID, persist, report });
    await history.copyMissed();
    await history.close();
  }
  expect(notices).toEqual([]);
  return readFile(persist, "utf8").catch(() => "no file");
}

const copies = (records: readonly HistoryRecord[]) => records.map((record) => lineOf(record)).join("");

test("a run that was killed between a record and its copy: the copy is made when the task is opened again, once", async () => {
  const before = copies(PAST.slice(0, 4)) + othersLine;
  expect(await openedAgain(PAST, before)).toBe(before + copies(PAST.slice(4)));
});

test("a disk that took no more copies: all that are missing are made, in order", async () => {
  const before = copies(PAST.slice(0, 2));
  expect(await openedAgain(PAST, before)).toBe(copies(PAST));
});

test("a copy that a power cut tore is made again, behind what is left of it", async () => {
  const torn = lineOf(judgment(2)).slice(0, 20);
  const before = copies(PAST.slice(0, 4));
  expect(await openedAgain(PAST, before + torn)).toBe(`${before}${torn}\n${copies(PAST.slice(4))}`);
});

test.each([
  ["that has them all", copies(PAST) + othersLine],
  ["that was put away, and another one begun", othersLine],
  ["that was deleted", undefined],
  ["whose last copy is of nothing that the task has recorded", copies([summary(9)])],
])("nothing is copied to a file %s", async (_, before) => {
  expect(await openedAgain(PAST, before)).toBe(before ?? "no file");
});

test("a pipe in the file's place is not read, which could take forever", async () => {
  const directory = await temporaryDirectory();
  const [own, persist] = [join(directory, "history.jsonl"), join(directory, "pipe")];
  await writeFile(own, PAST.map(toLine).join(""));
  await promisify(execFile)("mkfifo", [persist]);
  expect(missedCopies(own, persist, ID)).toEqual([]);
});

test("a file that cannot be looked at is left to the next copy, which says so", async () => {
  const directory = await temporaryDirectory();
  const own = join(directory, "history.jsonl");
  await writeFile(own, PAST.map(toLine).join(""));
  await symlink("loop", join(directory, "loop"));
  expect(missedCopies(own, join(directory, "loop", "all.jsonl"), ID)).toEqual([]);
});
