import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileEventLog } from "../../../../src/connection/stores/files/event-log.ts";
import { readEvents } from "../../../../src/connection/stores/files/event-reading.ts";
import { toLine } from "../../../../src/connection/stores/files/json-lines.ts";
import { acquireLock } from "../../../../src/connection/stores/files/lock.ts";
import { taskPaths } from "../../../../src/connection/stores/files/task-paths.ts";
import type { RunEvent } from "../../../../src/model/events.ts";
import type { HistoryRecord } from "../../../../src/model/records.ts";
import { NOTHING_SPENT } from "../../../../src/model/usage.ts";
import { all, finalResult, judgment, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const ID = "2026-01-23T13-30-00";
const free = async () => {};

async function place() {
  const directory = await temporaryDirectory();
  const { events: path, history, lock } = taskPaths(directory);
  return { directory, path, history, lock };
}

/** What is read back of events that one run announces. */
async function kept({ directory, path }: { directory: string; path: string }, ...events: RunEvent[]) {
  const log = new FileEventLog(path, { task_id: ID, guard: free });
  const announced = [];
  for (const event of events) announced.push(await log.append(event));
  await log.close();
  return { announced, stored: await all(readEvents(directory)) };
}

const text = (said: string): RunEvent => ({ type: "text", role: "executor", text: said });
const spent: RunEvent = { type: "spent", total: NOTHING_SPENT };
const checked = (evidence: string): Extract<RunEvent, { type: "check-end" }> => ({
  type: "check-end",
  iteration: 1,
  evaluation: { id: 1, criterion: "c", is_met: false, evidence, confidence: 1, source: "command" },
});
const begun = (task: string, evidence = ""): RunEvent => ({
  type: "run-start",
  task_id: ID,
  directory: "/project",
  task,
  criteria: [],
  resumed_after: 1,
  max_iterations: 2,
  budget: { cost_usd: null, tokens: null, minutes: null },
  spent: NOTHING_SPENT,
  evaluations: evidence === "" ? [] : [checked(evidence).evaluation],
});

describe("what is stored of an event", () => {
  test("is all of it where it is short, with its number and its time", async () => {
    const { announced, stored } = await kept(await place(), begun("Make it work"), text("hello"), checked("failed"));
    expect(stored).toEqual(announced);
    expect(stored.map(({ v, task_id, seq }) => [v, task_id, seq])).toEqual([1, 2, 3].map((seq) => [1, ID, seq]));
    expect(stored.every(({ at }) => new Date(at).toISOString() === at)).toBe(true);
  });

  test("is the beginning of a long text, whole characters only, and how long it was; who listens hears all of it", async () => {
    const long = `x${"🙂".repeat(5000)}`;
    const { announced, stored } = await kept(await place(), text(long));
    const [event] = stored.map((one) => one.event);

    expect(announced[0]?.event).toEqual(text(long));
    expect(event).toMatchObject({ type: "text", cut_from: long.length });
    const said = event?.type === "text" ? event.text : "";
    expect(said).toBe(`x${"🙂".repeat(999)}`);
  });

  test("is the end of long evidence, which is then said to be cut", async () => {
    const long = `${"🙂".repeat(5000)}x`;
    const { stored } = await kept(await place(), checked(long), begun("Make it work", long));
    const cut = { evidence: `${"🙂".repeat(999)}x`, is_cut: true };
    expect(stored.map(({ event }) => event)).toMatchObject([{ evaluation: cut }, { evaluations: [cut] }]);
  });

  test("is a reference where the history has the record, and the whole record is read back", async () => {
    const here = await place();
    const long = summary(1, { reason: "長い話".repeat(10_000) });
    const records: HistoryRecord[] = [long, judgment(1), summary(2), finalResult(ID)];
    await writeFile(here.history, records.map(toLine).join(""));
    const thrown = { message: "no", stack: "no\n  at all" };
    const events: RunEvent[] = [
      { type: "summary", summary: long },
      { type: "judgment", judgment: judgment(1) },
      { type: "summary", summary: summary(2) },
      { type: "run-end", result: finalResult(ID), thrown },
    ];
    const { stored } = await kept(here, ...events);

    expect(stored.map(({ event }) => event)).toEqual(events);
    expect((await readFile(here.path)).length).toBeLessThan(1000);
  });

  test("is skipped by a reader that cannot find its record", async () => {
    const { stored } = await kept(await place(), { type: "summary", summary: summary(1) }, text("still there"));
    expect(stored.map(({ event }) => event)).toEqual([text("still there")]);
  });
});

describe("a reader", () => {
  test("passes over what it does not know: other events, later versions, torn lines and noise", async () => {
    const here = await place();
    const { stored } = await kept(here, text("first"));
    const [envelope] = stored;
    const lines = [
      { ...envelope, seq: 2, event: { type: "from-the-future", surprise: 1 } },
      { ...envelope, seq: 3, v: 2 },
      { ...envelope, seq: 4, event: { type: "text", role: "stranger", text: "?" } },
      { ...envelope, seq: 5, event: { ...text("known"), and: "more" }, more: true },
    ];
    await appendFile(here.path, `${lines.map(toLine).join("")}noise\n7\n{"v":1,"event":{}}\n{"v":1,"task_id":"2026`);

    const read = await all(readEvents(here.directory));
    expect(read.map(({ seq, event }) => [seq, event])).toEqual([
      [1, text("first")],
      [5, text("known")],
    ]);
  });

  test("finds no events where there is no file, and a fault where there is a directory", async () => {
    const { directory, path } = await place();
    expect(await all(readEvents(directory))).toEqual([]);
    await mkdir(path);
    await expect(all(readEvents(directory))).rejects.toMatchObject({ code: "file_is_directory", details: { path } });
  });

  test("who follows waits for a file that is not there yet, for the rest of a line, and ends with the run", async () => {
    const { directory, path, lock: lockPath } = await place();
    const lock = await acquireLock(lockPath, ID);
    const events = readEvents(directory, { follow: true });
    const first = events.next();
    const log = new FileEventLog(path, { task_id: ID, guard: free });
    await log.append(text("一"));
    await log.close();
    expect((await first).value).toMatchObject({ seq: 1 });

    const envelope = Buffer.from(toLine({ v: 1, task_id: ID, seq: 2, at: "t", event: text("二") }));
    const middle = envelope.indexOf("二") + 1; // of a character
    await appendFile(path, envelope.subarray(0, middle));
    const second = events.next();
    await appendFile(path, envelope.subarray(middle));
    expect((await second).value).toMatchObject({ seq: 2, event: text("二") });

    await lock.release();
    expect((await events.next()).done).toBe(true);
  });

  test("who follows sees a record that was written after the first look at the history", async () => {
    const { directory, path, history, lock: lockPath } = await place();
    const lock = await acquireLock(lockPath, ID);
    const log = new FileEventLog(path, { task_id: ID, guard: free });
    const events = readEvents(directory, { follow: true });
    for (const iteration of [1, 2]) {
      await appendFile(history, toLine(summary(iteration)));
      await log.append({ type: "summary", summary: summary(iteration) });
      expect((await events.next()).value?.event).toEqual({ type: "summary", summary: summary(iteration) });
    }
    await log.close();
    await lock.release();
    expect((await events.next()).done).toBe(true);
  });
});

describe("numbers", () => {
  test.each([
    ["whose last line is torn", (line: string) => line.slice(0, -20), [1, 2]],
    ["whose last line lacks nothing but its newline", (line: string) => line.slice(0, -1), [1, 2, 3]],
    ["that ends in noise", (line: string) => `${line}noise\n`, [1, 2, 3]],
  ])("go on in a file %s, and its next event is whole", async (_, torn, expected) => {
    const here = await place();
    await kept(here, text("one"), text("two"));
    const lines = (await readFile(here.path, "utf8")).split(/(?<=\n)/);
    await writeFile(here.path, [...lines.slice(0, -1), torn(lines.at(-1) ?? "")].join(""));
    const { announced } = await kept(here, text("next"));

    expect(announced[0]?.seq).toBe(expected.at(-1));
    const stored = await all(readEvents(here.directory));
    expect(stored.map(({ seq }) => seq)).toEqual(expected);
    expect(stored.at(-1)?.event).toEqual(text("next"));
  });

  test("go on after a run that was cut off as it began with a task as long as a book", async () => {
    const here = await place();
    await kept(here, text("one"), begun("word ".repeat(50_000)));
    const { announced } = await kept(here, text("next"));
    expect(announced[0]?.seq).toBe(3);
  });
});

describe("a log that has grown too long", () => {
  test("keeps where the run stands, and leaves out what its agents say; the numbers have gaps", async () => {
    const { directory, path, history } = await place();
    await writeFile(history, toLine(finalResult(ID)));
    const log = new FileEventLog(path, { task_id: ID, guard: free, most_bytes: 1000 });
    const chatter: RunEvent[] = [
      text("語".repeat(200)),
      spent,
      { type: "usage", role: "executor", usage: NOTHING_SPENT },
    ];
    const heard = [];
    for (const event of [text("語".repeat(400)), ...chatter, checked("failed"), ...chatter])
      heard.push(await log.append(event));
    await log.append({ type: "run-end", result: finalResult(ID) });
    await log.close();

    const stored = await all(readEvents(directory));
    expect(stored.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, "text"],
      [5, "check-end"],
      [9, "run-end"],
    ]);
    expect(heard.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("was already too long when it was opened", async () => {
    const here = await place();
    await kept(here, text("x".repeat(900)), text("y".repeat(900)));
    const log = new FileEventLog(here.path, { task_id: ID, guard: free, most_bytes: 1000 });
    await log.append(text("more"));
    await log.append(checked("failed"));
    await log.close();
    expect((await all(readEvents(here.directory))).map(({ seq }) => seq)).toEqual([1, 2, 4]);
  });
});

describe("a run does not depend on its events", () => {
  test("a writer that has lost its lock writes no more of them, and goes on", async () => {
    const { directory, path, lock: lockPath } = await place();
    const lock = await acquireLock(lockPath, ID);
    const log = new FileEventLog(path, { task_id: ID, guard: async () => void (await lock.keep()) });
    const own = await log.append(text("mine"));
    await expect.poll(() => all(readEvents(directory))).toEqual([own]);

    await rm(lockPath);
    const other = await acquireLock(lockPath, ID);
    expect(await log.append(text("too late"))).toMatchObject({ seq: 2, event: text("too late") });
    await log.close();
    expect(await all(readEvents(directory))).toEqual([own]);
    await other.release();
  });

  test("events that cannot be written are announced all the same", async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, "events.jsonl");
    await mkdir(path);
    const log = new FileEventLog(path, { task_id: ID, guard: free });
    expect(await log.append(text("hello"))).toMatchObject({ seq: 1, event: text("hello") });
    await log.close();
  });
});
