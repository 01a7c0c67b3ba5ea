import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { readLock } from "../../../../src/connection/stores/files/lock.ts";
import { openTask } from "../../../../src/connection/stores/files/open-task.ts";
import { type TaskPlace, taskDirectoryOf, taskPaths } from "../../../../src/connection/stores/files/task-paths.ts";
import { addUsage, NOTHING_SPENT } from "../../../../src/model/usage.ts";
import { forgetCopies } from "../../../support/older-task.ts";
import { saying } from "../../../support/saying.ts";
import { all, configuration, knowledge, spending, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const ID = "2026-01-23T13-30-00";

async function newTask(settings: Parameters<typeof configuration>[0] = {}): Promise<TaskPlace> {
  const project = await temporaryDirectory();
  const now = new Date("2026-01-23T13:30:00Z");
  const id = await createTask(project, { configuration: configuration(settings), now });
  return { project, id, path: taskDirectoryOf(project, id) };
}

test("a task that was opened, written and released has its files, and no lock", async () => {
  const place = await newTask();
  const task = await openTask(place);
  expect(task).toMatchObject({ location: place.path, history_path: `.e8/tasks/${ID}/history.jsonl` });
  await task.history.append(summary(1));
  await task.ledger.append(spending(1));
  await task.knowledge.add([knowledge("learned")]);
  await task.saveOutput({ iteration: 1, text: "text", is_handed_in: true });
  await task.release();

  expect((await readdir(place.path)).toSorted()).toEqual([
    ...["events.jsonl", "history.jsonl", "knowledge.jsonl", "output.md", "outputs", "spending.jsonl", "task.json"],
  ]);
});

test("a copy that the last run was killed before is made when the task is opened again", async () => {
  const place = await newTask({ persist: "all.jsonl" });
  const task = await openTask(place);
  await task.history.append(summary(1));
  await task.history.copy(summary(1));
  await task.history.append(summary(2));
  await task.release();

  await (await openTask(place)).release();

  const copied = (await readFile(join(place.project, "all.jsonl"), "utf8")).trimEnd().split("\n");
  expect(copied.map((line) => JSON.parse(line).iteration)).toEqual([1, 2]);
});

test("copies go to the files that the task's own settings name, relative to the project", async () => {
  const place = await newTask({ persist: "logs/履歴.jsonl", knowledge: ".e8/knowledge.jsonl" });
  const task = await openTask(place);
  await task.history.copy(summary(1));
  await task.knowledge.add([knowledge("learned")]);
  await task.release();

  const copied = await readFile(join(place.project, "logs", "履歴.jsonl"), "utf8");
  expect(JSON.parse(copied)).toEqual({ ...summary(1), task_id: place.id });
  expect(JSON.parse(await readFile(join(place.project, ".e8", "knowledge.jsonl"), "utf8"))).toEqual(
    knowledge("learned"),
  );
});

test("a file is never its own copy", async () => {
  const place = await newTask();
  const own = `.e8/tasks/${place.id}`;
  const paths = taskPaths(place.path);
  const stored = JSON.parse(await readFile(paths.task, "utf8"));
  Object.assign(stored.configuration, { persist: `${own}/history.jsonl`, knowledge: `./${own}/knowledge.jsonl` });
  await writeFile(paths.task, JSON.stringify(stored));
  await forgetCopies(place.project);
  const task = await openTask(place);
  await task.history.append(summary(1));
  await task.history.copy(summary(1));
  await task.knowledge.add([knowledge("learned")]);
  expect(await all(task.history.records())).toHaveLength(1);
  expect((await readFile(paths.knowledge, "utf8")).trimEnd().split("\n")).toHaveLength(1);
  expect(await readdir(place.project)).toEqual([".e8"]);
  await task.release();
});

test("what was torn or cannot be read is noticed when the task opens and while it is read, each once", async () => {
  const place = await newTask();
  const paths = taskPaths(place.path);
  await writeFile(paths.history, '{"type":"summary","iter');
  await writeFile(paths.ledger, `nonsense\n${JSON.stringify(spending(1))}\n`);
  await forgetCopies(place.project);
  const task = await openTask(place);
  expect(task.takeNotices()).toMatchObject([
    { code: "task_unverified" },
    { code: "torn_line", params: { file: paths.history } },
  ]);
  expect(await task.ledger.spent(null)).toEqual(addUsage(NOTHING_SPENT, spending(1)));
  expect(task.takeNotices().map(({ code }) => code)).toEqual(["unreadable_lines"]);
  await task.ledger.spent(null);
  expect(task.takeNotices()).toEqual([]);
  await task.release();
});

test("when a part of a task cannot be opened the lock is given back", async () => {
  const place = await newTask();
  const paths = taskPaths(place.path);
  await mkdir(paths.ledger);
  await expect(openTask(place)).rejects.toMatchObject({ code: "file_is_directory", details: { path: paths.ledger } });
  await rm(paths.ledger, { recursive: true });
  await writeFile(paths.task, "{ broken");
  await forgetCopies(place.project);
  await expect(openTask(place)).rejects.toMatchObject({ code: "task_file_broken" });
  expect(await readLock(paths.lock)).toBeUndefined();
});

test("a lock that a worker removes is put back with the next record, and that is said", async () => {
  const place = await newTask();
  const { lock } = taskPaths(place.path);
  const task = await openTask(place);
  await rm(lock);
  await task.history.append(summary(1));

  expect(await readLock(lock)).toMatchObject({ pid: process.pid });
  expect(task.takeNotices()).toMatchObject([{ code: "records_restored", params: { file: lock } }]);
  await task.release();
});

test("verify puts back a task.json that a worker has changed, which is a notice, and says nothing otherwise", async () => {
  const place = await newTask();
  const { task: path } = taskPaths(place.path);
  const task = await openTask(place);
  const before = await readFile(path, "utf8");
  await task.verify();
  expect(task.takeNotices()).toEqual([]);

  await writeFile(path, before.replace("npm test", "true"));
  await task.verify();
  expect(task.takeNotices()).toMatchObject([{ code: "records_restored", params: { file: path } }]);
  expect(await readFile(path, "utf8")).toBe(before);
  await task.release();
});

test.each(["history", "knowledge", "ledger"] as const)(
  "a directory that a worker puts in the place of its %s is told of before anything else is written",
  async (name) => {
    const place = await newTask();
    const task = await openTask(place);
    const path = taskPaths(place.path)[name];
    await rm(path);
    await mkdir(path);
    await expect(task.verify()).rejects.toMatchObject({
      code: "records_lost",
      details: { path, problem: saying("a directory was put in its place while the task was running") },
    });
    await task.release();

    await expect(openTask(place)).rejects.toMatchObject({ code: "file_is_directory", details: { path } });
  },
);

test("a task whose directory a worker has deleted is lost as a whole, and nothing of it is made again", async () => {
  const place = await newTask();
  const task = await openTask(place);
  await task.events.append({ type: "text", role: "executor", text: "hello" });
  await rm(place.path, { recursive: true, maxRetries: 5 });
  await expect(task.verify()).rejects.toMatchObject({ code: "records_lost", details: { all: true } });
  await task.release();
  expect(await readdir(join(place.project, ".e8", "tasks"))).toEqual([]);
});

test("outputs are replaced as a whole, and named relative to the project", async () => {
  const place = await newTask();
  const task = await openTask(place);
  await task.saveOutput({ iteration: 7, text: "a long first text", is_handed_in: true });
  const saved = await task.saveOutput({ iteration: 7, text: "# 結果\n", is_handed_in: true });
  expect(saved).toMatchObject({ name: `.e8/tasks/${ID}/output.md`, path: `.e8/tasks/${ID}/outputs/007.md` });
  expect(task.output_path).toBe(join(place.path, "output.md"));
  await saved.stored;

  for (const name of [saved.name ?? "", saved.path])
    expect(await readFile(join(place.project, name), "utf8")).toBe("# 結果\n");
  await task.release();
  expect(await readdir(place.path)).not.toContain("output.md.tmp");
  expect(await readdir(join(place.path, "outputs"))).toEqual(["007.md"]);
});

test("a raw log is named relative to the project, or absolute where it is kept outside", async () => {
  const inside = await openTask(await newTask());
  await inside.rawLog(3, "executor", "{}");
  expect(inside.rawLogPath(3)).toBe(`.e8/tasks/${ID}/logs/iteration-003.jsonl`);
  await inside.release();
  const raw_log_dir = await temporaryDirectory();
  const outside = await openTask(await newTask({ logging: { raw_log: true, raw_log_dir } }));
  await outside.rawLog(3, "executor", "{}");
  expect(outside.rawLogPath(3)).toBe(join(raw_log_dir, ID, "iteration-003.jsonl"));
  await outside.release();
});

test("an output that cannot be written is an error that names it, and so is one that cannot be read", async () => {
  const place = await newTask();
  const { output: path } = taskPaths(place.path);
  const task = await openTask(place);
  await mkdir(path);
  const output = { iteration: 1, text: "text", is_handed_in: true };
  await expect(task.saveOutput(output)).rejects.toMatchObject({ details: { path } });
  await expect(task.readOutput()).rejects.toMatchObject({ code: "file_is_directory", details: { path } });
  await task.release();
});

test("a request to cancel an earlier run has no effect, and one for this run is removed afterwards", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const place = await newTask();
  const { cancel, lock } = taskPaths(place.path);
  await writeFile(cancel, "0123456789abcdef01234567");
  const task = await openTask(place);
  vi.advanceTimersByTime(5000);
  expect(task.cancelled.aborted).toBe(false);

  await writeFile(cancel, (await readLock(lock))?.token ?? "");
  vi.advanceTimersByTime(1000);
  expect(task.cancelled.aborted).toBe(true);
  await task.release();
  expect(await readdir(place.path)).not.toContain("cancel");
});
