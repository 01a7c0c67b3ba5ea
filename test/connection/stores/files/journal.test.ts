import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openJournal } from "../../../../src/connection/stores/files/journal.ts";
import { readRecords } from "../../../../src/connection/stores/files/json-lines.ts";
import { ExecutionSummary, HistoryRecord } from "../../../../src/model/records.ts";
import { Spending } from "../../../../src/model/usage.ts";
import { startLimited, startProgram } from "../../../support/program.ts";
import { saying } from "../../../support/saying.ts";
import { all, judgment, noticeBoard, spending, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const silent = () => {};

async function ledgerFile(): Promise<string> {
  return join(await temporaryDirectory(), "spending.jsonl");
}

test("appended lines are read back in order, also by a journal opened later", async () => {
  const path = await ledgerFile();
  const journal = await openJournal(path, Spending, silent);
  await journal.append(spending(1));
  await journal.append(spending(2));
  expect(await all(journal.read())).toEqual([spending(1), spending(2)]);
  await journal.close();

  const again = await openJournal(path, Spending, silent);
  await again.append(spending(3));
  expect((await all(again.read())).map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  expect([journal.startedEmpty, again.startedEmpty]).toEqual([true, false]);
  await again.close();
});

test("appends that overlap are written whole and in the order they were asked for", async () => {
  const journal = await openJournal(await ledgerFile(), Spending, silent);
  await Promise.all(Array.from({ length: 50 }, (_, index) => journal.append(spending(index))));
  expect((await all(journal.read())).map(({ iteration }) => iteration)).toEqual(
    Array.from({ length: 50 }, (_, index) => index),
  );
  await journal.close();
});

test("each record is one line, without NUL and lone surrogates, however its texts look", async () => {
  const path = await ledgerFile();
  const journal = await openJournal(path, ExecutionSummary, silent);
  const stored = await journal.append(
    summary(1, { approach: "a\0b\nc", reason: "x\ud83dy \u2028", artifacts: ["\0"] }),
  );
  await journal.close();

  const text = await readFile(path, "utf8");
  expect(text.split("\n")).toHaveLength(2);
  expect(text).not.toMatch(/\\u0000|\\ud83d/);
  expect(stored).toMatchObject({ approach: "ab\nc", reason: "x\ufffdy \u2028", artifacts: [""] });
  expect(JSON.parse(text)).toEqual(stored);
});

test("a text too long for any query is cut, and says so", async () => {
  const journal = await openJournal(await ledgerFile(), ExecutionSummary, silent);
  const stored = await journal.append(summary(1, { reason: "あ".repeat(2_000_000) }));
  expect(stored.reason.length).toBeLessThan(600_000);
  expect(stored.reason).toMatch(/… \(cut\)$/);
  expect(await all(journal.read())).toEqual([stored]);
  await journal.close();
});

test("a file torn at any byte loses only the torn record, says how much, and takes appends again", async () => {
  const path = await ledgerFile();
  const lines = [1, 2, 3].map((n) => `${JSON.stringify({ ...spending(n), spender: "judge", note: "é日本" })}\n`);
  const whole = Buffer.from(lines.join(""));
  const ends = lines.map((_, index) => Buffer.byteLength(lines.slice(0, index + 1).join("")));

  for (let cut = 0; cut <= whole.length; cut += 1) {
    await writeFile(path, whole.subarray(0, cut));
    const { notices, report } = noticeBoard();
    const journal = await openJournal(path, Spending, report);
    await journal.append(spending(9));
    const kept = (await all(journal.read())).map(({ iteration }) => iteration);
    await journal.close();

    // Behind its closing brace a record is whole, even where its newline is missing.
    const complete = ends.filter((end) => cut >= end - 1).length;
    const torn = cut - (ends[complete - 1] ?? 0);
    expect(kept, `cut at ${cut}`).toEqual([...[1, 2, 3].slice(0, complete), 9]);
    expect(notices.map(({ params }) => params)).toEqual(torn > 0 ? [{ file: path, bytes: torn }] : []);
    expect(notices.every(({ code }) => code === "torn_line")).toBe(true);
  }
});

test("a tail of garbage of any kind is dropped and never touches the records before it", async () => {
  const path = await ledgerFile();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      const garbage = Buffer.from(bytes).map((byte) => (byte === 0x0a ? 0 : byte));
      await writeFile(path, Buffer.concat([Buffer.from(`${JSON.stringify(spending(1))}\n`), garbage]));
      const journal = await openJournal(path, Spending, silent);
      await journal.append(spending(2));
      const kept = await all(journal.read());
      await journal.close();
      expect(kept).toEqual([spending(1), spending(2)]);
    }),
    { numRuns: 50 },
  );
});

test("a torn tail longer than one block is found", async () => {
  const path = await ledgerFile();
  await writeFile(path, `${JSON.stringify(spending(1))}\n${"x".repeat(200_000)}`);
  const { notices, report } = noticeBoard();
  const journal = await openJournal(path, Spending, report);
  expect(await all(journal.read())).toEqual([spending(1)]);
  expect(notices).toMatchObject([{ code: "torn_line", params: { bytes: 200_000 } }]);
  await journal.close();
});

test("lines in the middle that hold no record are passed over, counted and reported once", async () => {
  const path = await ledgerFile();
  const noUtf8 = Buffer.from(JSON.stringify(spending(3)).replace("2026", "\xff\xff"), "latin1");
  const bad = ["{broken", '{"type":"spending"}', "42", noUtf8, "\0\0\0"];
  const good = [1, 2].map((n) => JSON.stringify({ ...spending(n), from_the_future: { a: 1 } }));
  const parts = [good[0] ?? "", ...bad, "", "  \r", good[1] ?? ""].flatMap((part) => [
    Buffer.from(part),
    Buffer.from("\n"),
  ]);
  await writeFile(path, Buffer.concat(parts));

  const { notices, report } = noticeBoard();
  const journal = await openJournal(path, Spending, report);
  expect(await all(journal.read())).toEqual([spending(1), spending(2)]);
  await all(journal.read());
  expect(notices).toMatchObject([{ code: "unreadable_lines", params: { file: path, lines: bad.length } }]);
  await journal.close();
});

test("a line too long to hold is passed over, and what follows it is read", async () => {
  const path = await ledgerFile();
  await writeFile(path, `${"y".repeat(33_000_000)}\n${JSON.stringify(spending(1))}\n`);
  const { notices, report } = noticeBoard();
  expect(await all(readRecords(path, Spending, report))).toEqual([spending(1)]);
  expect(notices).toMatchObject([{ params: { lines: 1 } }]);
});

test("a reader without the lock ignores the incomplete last line and changes nothing", async () => {
  const path = await ledgerFile();
  const text = `${JSON.stringify(spending(1))}\n${JSON.stringify(spending(2)).slice(0, 30)}`;
  await writeFile(path, text);
  const { notices, report } = noticeBoard();
  expect(await all(readRecords(path, Spending, report))).toEqual([spending(1)]);
  expect(notices).toEqual([]);
  expect(await readFile(path, "utf8")).toBe(text);
});

test("a file that is not there has no records", async () => {
  expect(await all(readRecords(await ledgerFile(), Spending, silent))).toEqual([]);
});

test("a directory in the file's place is a fault for readers and writers", async () => {
  const directory = await temporaryDirectory();
  await expect(all(readRecords(directory, Spending, silent))).rejects.toMatchObject({ code: "file_is_directory" });
  await expect(openJournal(directory, Spending, silent)).rejects.toMatchObject({ code: "file_is_directory" });
});

test("a reader follows another process that is appending, and only ever sees whole records", async () => {
  const path = await ledgerFile();
  const writer = startProgram("append-records", path, "500");
  await writer.next();
  const { notices, report } = noticeBoard();
  const counts: number[] = [];
  while ((counts.at(-1) ?? 0) < 500) {
    const iterations = (await all(readRecords(path, Spending, report))).map(({ iteration }) => iteration);
    expect(iterations).toEqual(Array.from({ length: iterations.length }, (_, index) => index));
    counts.push(iterations.length);
  }
  expect(counts).toEqual(counts.toSorted((left, right) => left - right));
  expect(notices).toEqual([]);
});

test("a write cut short by a full disk leaves only whole records and says that the disk is full", async () => {
  const path = await ledgerFile();
  const writer = startLimited(4, "append-records", path, "1000");
  await writer.next();
  const { appended, code } = (await writer.next()) as { appended: number; code: string };

  expect(code).toBe("disk_full");
  expect(appended).toBeGreaterThan(5);
  const text = await readFile(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  expect(text.split("\n")).toHaveLength(appended + 1);
  expect(4096 - (await stat(path)).size).toBeLessThan(300);

  const { notices, report } = noticeBoard();
  const journal = await openJournal(path, Spending, report);
  await journal.append(spending(7));
  expect(await all(journal.read())).toHaveLength(appended + 1);
  expect(notices).toEqual([]);
  await journal.close();
});

test("kill -9 in the middle of appending leaves whole records without a hole", async () => {
  const path = await ledgerFile();
  const writer = startProgram("append-records", path, "1000000");
  await writer.next();
  while ((await stat(path)).size < 20_000);
  await writer.kill("SIGKILL");

  const journal = await openJournal(path, Spending, silent);
  const iterations = (await all(journal.read())).map(({ iteration }) => iteration);
  expect(iterations).toEqual(Array.from({ length: iterations.length }, (_, index) => index));
  expect(iterations.length).toBeGreaterThan(50);
  await journal.close();
});

test("a journal that was deleted under way is a fault, not a silent loss", async () => {
  const path = await ledgerFile();
  const journal = await openJournal(path, Spending, silent);
  await journal.append(spending(1));
  await rm(path);
  await expect(journal.append(spending(2))).rejects.toMatchObject({ code: "records_lost", message: /deleted/ });
  await journal.close();
});

test("a record that was changed in its place is a fault, and what stands there is not taken for ours later", async () => {
  const path = await ledgerFile();
  const earlier = await openJournal(path, Spending, silent);
  await earlier.append(spending(1));
  await earlier.close();
  const journal = await openJournal(path, Spending, silent);
  await journal.append(spending(2));
  expect(() => journal.check()).not.toThrow();
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"iteration":1', '"iteration":9'), { flag: "r+" });

  expect(() => journal.check()).toThrow(
    expect.objectContaining({ details: { path, problem: saying("it was changed while") } }),
  );
  await expect(journal.append(spending(3))).rejects.toMatchObject({ code: "records_lost" });
  await journal.close();
  const again = await openJournal(path, Spending, silent);
  expect(await all(again.read())).toEqual([]);
  expect(await readFile(`${path}.changed`, "utf8")).toContain('"iteration":9');
  await again.close();
});

test("records of several kinds live in one file", async () => {
  const journal = await openJournal<HistoryRecord>(await ledgerFile(), HistoryRecord, silent);
  await journal.append(summary(1));
  await journal.append(judgment(1));
  expect((await all(journal.read())).map(({ type }) => type)).toEqual(["summary", "judgment"]);
  await journal.close();
});

test("a long file is read bit by bit, never as a whole", async () => {
  const path = await ledgerFile();
  await writeFile(path, Array.from({ length: 50_000 }, (_, n) => `${JSON.stringify(spending(n))}\n`).join(""));
  let count = 0;
  for await (const _ of readRecords(path, Spending, silent)) {
    if (count === 0) await truncate(path);
    count += 1;
  }
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(5_000);
});

test("a journal that was moved and replaced under way is a fault, too", async () => {
  const path = await ledgerFile();
  const journal = await openJournal(path, Spending, silent);
  await journal.append(spending(1));
  await rename(path, `${path}.mine`);
  await writeFile(path, `${JSON.stringify(spending(7))}\n`);
  await expect(journal.append(spending(2))).rejects.toMatchObject({ code: "records_lost", message: /moved/ });
  await journal.close();
});

test("what somebody else writes behind our records is cut off before the next one, and said", async () => {
  const path = await ledgerFile();
  const { notices, report } = noticeBoard();
  const journal = await openJournal(path, Spending, report);
  await journal.append(spending(1));
  await appendFile(path, `${JSON.stringify(spending(7))}\n`);
  await journal.append(spending(2));
  expect((await all(journal.read())).map(({ iteration }) => iteration)).toEqual([1, 2]);
  expect(notices).toMatchObject([{ code: "records_restored", params: { file: path } }]);

  await truncate(path, 10);
  await expect(journal.append(spending(3))).rejects.toMatchObject({ code: "records_lost", message: /shortened/ });
  await journal.close();
});
