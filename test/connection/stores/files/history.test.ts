import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openHistory } from "../../../../src/connection/stores/files/history.ts";
import { toLine } from "../../../../src/connection/stores/files/json-lines.ts";
import type { ExecutionSummary } from "../../../../src/model/records.ts";
import { all, finalResult, judgment, noticeBoard, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const TASK = { task_id: "2026-01-23T13-30-00", report: () => {} };

async function historyFile(): Promise<string> {
  return join(await temporaryDirectory(), "history.jsonl");
}

test("records come back in the order they were appended", async () => {
  const path = await historyFile();
  const history = await openHistory(path, TASK);
  const records = [summary(1), judgment(1), summary(2), judgment(2), finalResult(TASK.task_id)];
  for (const record of records) await history.append(record);
  expect(await all(history.records())).toEqual(records);
  await history.close();
});

test("a fresh history knows its context without asking the file", async () => {
  const path = await historyFile();
  const history = await openHistory(path, TASK);
  expect(await history.context(5)).toEqual({ latest: [], failures: [], failures_left_out: 0 });
  await history.append(summary(1, { result: "error", reason: "lone \ud83d and \0" }));
  await history.append(judgment(1));
  await history.append(summary(2));
  await writeFile(path, ""); // whoever asks the file now learns nothing
  const { latest, failures } = await history.context(1);
  expect(latest).toEqual([summary(2)]);
  expect(failures).toMatchObject([{ reason: "lone \ufffd and ", count: 1, first_iteration: 1, last_iteration: 1 }]);
  await history.close();
});

test("a resumed history gives the same context as an uninterrupted one", async () => {
  const [whole, resumed] = [await historyFile(), await historyFile()];
  const steps = fc.array(
    fc.record({
      kind: fc.oneof(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 150 }).map(String)),
      result: fc.constantFrom<ExecutionSummary["result"][]>("success", "failure", "error"),
    }),
    { minLength: 1, maxLength: 200, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), fc.integer({ min: 1, max: 25 }), async (plan, place, size) => {
      const summaries = plan.map(({ kind, result }, index) =>
        summary(index + 1, { approach: kind, reason: kind, result }),
      );
      await Promise.all([whole, resumed].map((path) => writeFile(path, "")));
      const steady = await openHistory(whole, TASK);
      let broken = await openHistory(resumed, TASK);
      for (const [index, one] of summaries.entries()) {
        if (index === place % plan.length) {
          await broken.close();
          broken = await openHistory(resumed, TASK);
        }
        await Promise.all([steady.append(one), broken.append(one)]);
        if (index % 7 === 0) expect(await broken.context(size)).toEqual(await steady.context(size));
      }
      expect(await broken.context(size)).toEqual(await steady.context(size));
      await Promise.all([steady.close(), broken.close()]);
    }),
    { numRuns: 15 },
  );
});

test("kinds of failure beyond the limit are counted", async () => {
  const history = await openHistory(await historyFile(), TASK);
  for (let iteration = 1; iteration <= 90; iteration += 1)
    await history.append(summary(iteration, { result: "failure" }));
  const { latest, failures, failures_left_out } = await history.context(5);
  expect(latest.map(({ iteration }) => iteration)).toEqual([86, 87, 88, 89, 90]);
  expect([failures.length, failures_left_out]).toEqual([60, 25]);

  await history.append(summary(91));
  expect((await history.context(5)).failures_left_out).toBe(26);
  await history.close();
});

test("after a resume the file is asked once, and memory goes on from there", async () => {
  const path = await historyFile();
  const text = [1, 2, 3].map((n) => toLine(summary(n, { result: "failure" }))).join("");
  await writeFile(path, text);
  const history = await openHistory(path, TASK);
  expect((await history.context(2)).failures).toHaveLength(1);
  await history.append(summary(4));
  await writeFile(path, " ".repeat(Buffer.byteLength(text)));
  const { latest, failures } = await history.context(2);
  expect(latest.map(({ iteration }) => iteration)).toEqual([3, 4]);
  expect(failures.map(({ first_iteration }) => first_iteration)).toEqual([1, 2]);
  await history.close();
});

test("a failure beyond the limit is recognised again after a resume", async () => {
  const path = await historyFile();
  const long = (n: number) => ({ ...summary(n, { result: "failure" }), artifacts: ["x".repeat(20_000)] });
  await writeFile(path, Array.from({ length: 100 }, (_, index) => toLine(long(index + 1))).join(""));
  const history = await openHistory(path, TASK);
  expect((await history.context(5)).failures_left_out).toBe(35);

  const { approach, reason } = summary(20); // neither among the oldest nor among the newest
  for (let n = 101; n <= 105; n += 1) await history.append(summary(n, { approach, reason, result: "failure" }));
  await history.append(summary(106));

  const { failures, failures_left_out } = await history.context(1);
  expect(failures.map((group) => group.approach)).not.toContain(approach);
  expect(failures.length + failures_left_out).toBe(100);
  await history.close();
});

test("where DuckDB gives the file up, it is read line by line, with the same answer and a notice", async () => {
  const path = await historyFile();
  const failures = Array.from({ length: 80 }, (_, index) => toLine(summary(index + 1, { result: "failure" })));
  await writeFile(path, [...failures, `${"x".repeat(40_000_000)}\n`, toLine(summary(81))].join(""));
  const { notices, report } = noticeBoard();
  const history = await openHistory(path, { ...TASK, report });
  const context = await history.context(3);

  expect(context.latest.map(({ iteration }) => iteration)).toEqual([79, 80, 81]);
  expect([context.failures.length, context.failures_left_out]).toEqual([60, 18]);
  expect(notices.map(({ code }) => code).toSorted()).toEqual(["history_scanned", "unreadable_lines"]);
  await history.close();
});

test("a second file gets a copy of every record with the task's id, and keeps what others wrote there", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "task"));
  const persist = join(directory, "all runs", "history.jsonl");
  const tasks = ["2026-01-23T13-30-00", "2026-01-23T13-30-00-2"];
  for (const task_id of tasks) {
    const history = await openHistory(join(directory, `${task_id}.jsonl`), { ...TASK, task_id, persist });
    for (const record of [summary(1), judgment(1), finalResult(task_id)]) await history.copy(record);
    await history.close();
  }
  const lines = (await readFile(persist, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    tasks.flatMap((task_id) => [summary(1), judgment(1), finalResult(task_id)].map((one) => ({ ...one, task_id }))),
  );
});

test("a copy that cannot be written is a fault, and the task's own record stands", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "in the way"), "");
  const options = { ...TASK, persist: join(directory, "in the way", "history.jsonl") };
  const history = await openHistory(join(directory, "history.jsonl"), options);
  await history.append(summary(1));
  await expect(history.copy(summary(1))).rejects.toMatchObject({ code: "write_failed" });
  expect((await history.context(5)).latest).toEqual([summary(1)]);
  expect(await all(history.records())).toEqual([summary(1)]);
  await history.close();
});

test("a persist copy of the ending that cannot be written gives a notice; the history decides how the run ended", async () => {
  const directory = await temporaryDirectory();
  const persist = join(directory, "copy.jsonl");
  await mkdir(persist);
  const { notices, report } = noticeBoard();
  const history = await openHistory(join(directory, "history.jsonl"), { ...TASK, persist, report });
  const ending = finalResult(TASK.task_id);
  await history.append(ending);
  await history.copy(ending);
  expect(notices).toMatchObject([{ code: "copy_unwritable", params: { file: persist } }]);
  await history.close();
});
