import { appendFile, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { toLine } from "../../../../src/connection/stores/files/json-lines.ts";
import { listTasks, overviews, placeOf, readPast } from "../../../../src/connection/stores/files/reading.ts";
import { taskDirectoryOf, taskPaths } from "../../../../src/connection/stores/files/task-paths.ts";
import type { HistoryRecord } from "../../../../src/model/records.ts";
import { forgetCopies } from "../../../support/older-task.ts";
import { configuration, finalResult, judgment, spending, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") };
const ID = "2026-01-23T13-30-00";

async function leaveTask(project: string, id: string, text = "{}"): Promise<void> {
  await mkdir(join(project, ".e8", "tasks", id), { recursive: true });
  await writeFile(join(project, ".e8", "tasks", id, "task.json"), text);
}

test.each(["../..", "..", ".", "", "/etc", `${ID}/../../x`, `${ID}\0`, `${ID}\n`, "２０２６-01-23T13-30-00", `${ID}-`])(
  "%j is not a task id, and is refused before any file is touched",
  async (id) => {
    await expect(placeOf("/no such project", id)).rejects.toMatchObject({ code: "task_id_invalid", details: { id } });
  },
);

test("no text but an id reaches the file system", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: "binary" })), async (id) => {
      await expect(placeOf("/no such project", id)).rejects.toMatchObject({ code: "task_id_invalid" });
    }),
  );
});

test("a task with nothing left but a directory or a file is not found", async () => {
  const project = await temporaryDirectory();
  await mkdir(join(project, ".e8", "tasks", ID), { recursive: true });
  await writeFile(join(project, ".e8", "tasks", `${ID}-2`), "a file");
  for (const id of [ID, `${ID}-2`])
    await expect(readPast(await placeOf(project, id))).rejects.toMatchObject({
      code: "task_not_found",
      details: { id },
    });
});

test("the tasks of a project that is missing cannot be listed", async () => {
  const missing = join(await temporaryDirectory(), "missing");
  await expect(listTasks(missing)).rejects.toMatchObject({ code: "project_missing" });
  await expect(placeOf(missing, ID)).rejects.toMatchObject({ code: "project_missing" });
});

test("tasks are listed from the oldest to the newest, counting within a second", async () => {
  const project = await temporaryDirectory();
  const ids = ["2025-12-31T23-59-59", ID, `${ID}-2`, `${ID}-9`, `${ID}-10`, `${ID}-100`, "2026-01-23T13-30-01"];
  for (const id of ids.toSorted(() => 0.5 - Math.random())) await leaveTask(project, id);
  expect(await listTasks(project)).toEqual(ids);
});

test("broken tasks are listed; other files, and directories that never became a task, are not", async () => {
  const project = await temporaryDirectory();
  const tasks = join(project, ".e8", "tasks");
  const id = await createTask(project, request);
  await leaveTask(project, `${ID}-2`, "{ broken");
  await mkdir(join(tasks, `${ID}-3`));
  await writeFile(join(tasks, `${ID}-3`, "history.jsonl"), "");
  await mkdir(join(tasks, `${ID}-4`));
  await writeFile(join(tasks, `${ID}-5`), "a file");
  await mkdir(join(tasks, "notes"));
  expect(await listTasks(project)).toEqual([id, `${ID}-2`, `${ID}-3`]);
  expect(await overviews(project)).toMatchObject([
    { task: { task_id: id } },
    { task_id: `${ID}-2`, error: { code: "task_file_broken" } },
    { task_id: `${ID}-3`, error: { code: "task_file_broken" } },
  ]);
});

test("a task that cannot be looked into is listed, and is the latest: no other one takes its place", async () => {
  const project = await temporaryDirectory();
  await leaveTask(project, ID);
  await symlink("loop", join(project, ".e8", "tasks", "loop"));
  await symlink("loop", join(project, ".e8", "tasks", `${ID}-2`));
  expect(await listTasks(project)).toEqual([ID, `${ID}-2`]);
});

test("a task that was deleted is gone", async () => {
  const project = await temporaryDirectory();
  const id = await createTask(project, request);
  await rm(taskDirectoryOf(project, id), { recursive: true });
  expect(await listTasks(project)).toEqual([]);
});

test("what the end of a history says is what reading all of it says", async () => {
  const project = await temporaryDirectory();
  const long = "長い".repeat(40_000);
  const cancelled = { ...finalResult("x"), status: "cancelled", stop_reason: "cancelled" } as const;
  const evaluated = { id: 1, criterion: "c", is_met: true, evidence: "e", confidence: 1, source: "command" } as const;
  const met = { ...judgment(1), evaluations: [evaluated] };
  const histories: HistoryRecord[][] = [
    [],
    [summary(1)],
    [summary(1), met],
    [summary(1), met, cancelled, summary(2)],
    [summary(1), met, summary(2, { reason: long }), summary(3, { reason: long })],
    [summary(1, { reason: long }), { ...met, overall_reason: long }, summary(2)],
    [summary(1), met, { ...finalResult("x"), final_judgment: met }],
  ];
  for (const records of histories) {
    const { history, ledger } = taskPaths(taskDirectoryOf(project, await createTask(project, request)));
    await writeFile(history, records.map(toLine).join(""));
    await writeFile(ledger, toLine(spending(1)));
  }
  await forgetCopies(project);
  await appendFile(taskPaths(taskDirectoryOf(project, `${ID}-3`)).history, '{"type":"final_result","torn');

  const listed = await overviews(project);

  for (const one of listed) {
    if ("error" in one) throw one.error;
    const past = await readPast(await placeOf(project, one.task.task_id));
    const { status, result, iterations, criteria_met, spent } = past;
    expect(one, one.task.task_id).toMatchObject({ status, result, iterations, criteria_met, spent });
  }
  expect(listed.map((one) => "status" in one && one.status)).toEqual([
    ...Array.from({ length: 6 }, () => "interrupted"),
    "completed",
  ]);
});

test("a task of the version before, which called a flow an agent, is listed as one", async () => {
  const project = await temporaryDirectory();
  const { task, history } = taskPaths(taskDirectoryOf(project, await createTask(project, request)));
  const { flow: _, ...stored } = JSON.parse(await readFile(task, "utf8"));
  const agent = { name: "tester", directory: "d", parameters: { issue: 1 }, stdin: "" };
  await writeFile(task, JSON.stringify({ ...stored, agent }));
  await writeFile(history, toLine(finalResult(ID)));
  await forgetCopies(project);

  expect(await overviews(project)).toMatchObject([
    { status: "completed", task: { flow: { name: "tester", parameters: { issue: 1 } } } },
  ]);
});
