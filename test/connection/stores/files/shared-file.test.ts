import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRecords } from "../../../../src/connection/stores/files/json-lines.ts";
import { appendShared } from "../../../../src/connection/stores/files/shared-file.ts";
import { Knowledge } from "../../../../src/model/roles.ts";
import { startProgram } from "../../../support/program.ts";
import { all, knowledge, noticeBoard } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

test("the file and its directories are made when they are needed, and only then", async () => {
  const path = join(await temporaryDirectory(), "deep", "er", "knowledge.jsonl");
  await appendShared(path, []);
  await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  await appendShared(path, [knowledge("one"), knowledge("two")]);
  expect((await all(readRecords(path, Knowledge, () => {}))).map(({ content }) => content)).toEqual(["one", "two"]);
});

test("a last line without a newline is closed first: whole it stays a record, torn it takes nothing with it", async () => {
  const path = join(await temporaryDirectory(), "knowledge.jsonl");
  const { notices, report } = noticeBoard();
  await writeFile(path, JSON.stringify(knowledge("whole")));
  await appendShared(path, [knowledge("next")]);
  await writeFile(path, '{"type":"pattern","cont', { flag: "a" });
  await appendShared(path, [knowledge("last")]);

  expect((await all(readRecords(path, Knowledge, report))).map(({ content }) => content)).toEqual([
    "whole",
    "next",
    "last",
  ]);
  expect(notices).toMatchObject([{ code: "unreadable_lines", params: { lines: 1 } }]);
});

test("several processes append at once and no record is lost or mixed", async () => {
  const path = join(await temporaryDirectory(), "knowledge.jsonl");
  const programs = ["a", "b", "c"].map((name) => startProgram("share-knowledge", path, name, "100"));
  await Promise.all(programs.map((program) => program.next()));

  const { notices, report } = noticeBoard();
  const contents = (await all(readRecords(path, Knowledge, report))).map(({ content }) => content);
  expect(contents).toHaveLength(300);
  expect(new Set(contents).size).toBe(300);
  expect(notices).toEqual([]);
});

test("a file that cannot be made is a fault that names it", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "file"), "");
  const path = join(directory, "file", "knowledge.jsonl");
  await expect(appendShared(path, [knowledge("x")])).rejects.toMatchObject({ code: "write_failed", details: { path } });
});
