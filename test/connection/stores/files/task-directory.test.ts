import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { latestTask, listTasks, openTask } from "../../../../src/connection/stores/files/reading.ts";
import { openTaskFiles } from "../../../../src/connection/stores/files/task-files.ts";
import { configuration } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") };
const ID = "2026-01-23T13-30-00";

async function leaveTask(project: string, id: string, text = "{}"): Promise<void> {
  await mkdir(join(project, ".e8", "tasks", id), { recursive: true });
  await writeFile(join(project, ".e8", "tasks", id, "task.json"), text);
}

test.each(["../..", "..", ".", "", "/etc", `${ID}/../../x`, `${ID}\0`, `${ID}\n`, "２０２６-01-23T13-30-00", `${ID}-`])(
  "%j is no task id, and is refused before any file is touched",
  async (id) => {
    await expect(openTask("/no such project", id)).rejects.toMatchObject({ code: "task_id_invalid", details: { id } });
  },
);

test("no text but an id reaches the file system", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: "binary" })), async (id) => {
      await expect(openTask("/no such project", id)).rejects.toMatchObject({ code: "task_id_invalid" });
    }),
  );
});

test("a task that is not there is not found, also where only its directory is left", async () => {
  const project = await temporaryDirectory();
  await expect(openTask(project, ID)).rejects.toMatchObject({ code: "task_not_found", details: { id: ID } });
  await mkdir(join(project, ".e8", "tasks", ID), { recursive: true });
  await expect(openTask(project, ID)).rejects.toMatchObject({ code: "task_not_found" });
  await writeFile(join(project, ".e8", "tasks", `${ID}-2`), "a file");
  await expect(openTask(project, `${ID}-2`)).rejects.toMatchObject({ code: "task_not_found" });
});

test.each([
  ["no JSON", "{"],
  ["empty", ""],
  ["something else", '{"version":1}'],
  ["of a later version", JSON.stringify({ version: 2, task_id: ID })],
])("a task.json that is %s is broken, and the fault names the file", async (_, text) => {
  const project = await temporaryDirectory();
  await leaveTask(project, ID, text);
  await expect(openTask(project, ID)).rejects.toMatchObject({
    code: "task_file_broken",
    details: { path: join(project, ".e8", "tasks", ID, "task.json") },
  });
});

test("a project without tasks has an empty list and no latest task", async () => {
  const project = await temporaryDirectory();
  expect(await listTasks(project)).toEqual([]);
  await expect(latestTask(project)).rejects.toMatchObject({ code: "no_tasks" });
  await expect(latestTask(join(project, "missing"))).rejects.toMatchObject({ code: "project_missing" });
});

test("tasks are listed from the oldest to the newest, counting within a second", async () => {
  const project = await temporaryDirectory();
  const ids = ["2025-12-31T23-59-59", ID, `${ID}-2`, `${ID}-9`, `${ID}-10`, `${ID}-100`, "2026-01-23T13-30-01"];
  for (const id of ids.toSorted(() => 0.5 - Math.random())) await leaveTask(project, id);
  expect(await listTasks(project)).toEqual(ids);
  expect(await latestTask(project)).toBe("2026-01-23T13-30-01");
});

test("broken tasks are listed; other files, and directories that never became a task, are not", async () => {
  const project = await temporaryDirectory();
  const tasks = join(project, ".e8", "tasks");
  const { id } = await createTask(project, request);
  await leaveTask(project, `${ID}-2`, "{ broken");
  await mkdir(join(tasks, `${ID}-3`));
  await writeFile(join(tasks, `${ID}-3`, "history.jsonl"), "");
  await mkdir(join(tasks, `${ID}-4`));
  await writeFile(join(tasks, `${ID}-5`), "a file");
  await mkdir(join(tasks, "notes"));
  expect(await listTasks(project)).toEqual([id, `${ID}-2`, `${ID}-3`]);
});

test("a task that cannot be looked into is listed, and is the latest: no other one takes its place", async () => {
  const project = await temporaryDirectory();
  await leaveTask(project, ID);
  await symlink("loop", join(project, ".e8", "tasks", "loop"));
  await symlink("loop", join(project, ".e8", "tasks", `${ID}-2`));
  expect(await listTasks(project)).toEqual([ID, `${ID}-2`]);
  expect(await latestTask(project)).toBe(`${ID}-2`);
});

test("a project that was moved is known by its new place", async () => {
  const parent = await temporaryDirectory();
  const [old, moved] = [join(parent, "old place"), join(parent, "新しい場所")];
  await mkdir(old);
  await createTask(old, request);
  await rename(old, moved);
  const { task, path } = await openTask(moved, ID);
  expect(task.project).toBe(moved);
  expect(path.startsWith(moved)).toBe(true);
});

test("directories of a task move with its project, and others stay where they are", async () => {
  const parent = await temporaryDirectory();
  const [old, moved, beside] = [join(parent, "old"), join(parent, "new"), join(parent, "old too")];
  await mkdir(old);
  const agent = { name: "tester", parameters: {}, stdin: "" };
  const work = [
    [join(old, "packages", "a"), join(moved, "packages", "a")],
    [old, moved],
    [beside, beside],
  ] as const;
  for (const [directory] of work)
    await createTask(old, {
      ...request,
      configuration: configuration({ working_directory: directory }),
      agent: { ...agent, directory },
    });
  await rename(old, moved);

  for (const [index, id] of (await listTasks(moved)).entries()) {
    const { task, path } = await openTask(moved, id);
    const there = work[index]?.[1];
    expect([task.configuration.working_directory, task.agent?.directory]).toEqual([there, there]);
    expect((await openTaskFiles({ project: moved, id, path })).task).toEqual(task);
  }
});

test("a task that was deleted is gone", async () => {
  const project = await temporaryDirectory();
  const { path } = await createTask(project, request);
  await rm(path, { recursive: true });
  expect(await listTasks(project)).toEqual([]);
});

test("a task that is listed for its records alone is told from one that does not exist", async () => {
  const project = await temporaryDirectory();
  const directory = join(project, ".e8", "tasks", ID);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "history.jsonl"), "");

  expect(await listTasks(project)).toEqual([ID]);
  await expect(openTask(project, ID)).rejects.toMatchObject({
    code: "task_file_broken",
    message: expect.stringContaining("it does not exist"),
  });
});
