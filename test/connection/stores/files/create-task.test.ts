import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createTask } from "../../../../src/connection/stores/files/create-task.ts";
import { listTasks } from "../../../../src/connection/stores/files/reading.ts";
import { readTask } from "../../../../src/connection/stores/files/task-file.ts";
import { startLimited, startProgram } from "../../../support/program.ts";
import { configuration } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const now = new Date("2026-01-23T22:30:05.678+09:00");
const request = { configuration: configuration(), now };

test("a task is a directory of its project with nothing in it but its task.json", async () => {
  const project = await temporaryDirectory();
  const id = await createTask(project, request);

  const directory = join(project, ".e8", "tasks", "2026-01-23T13-30-05");
  expect(id).toBe("2026-01-23T13-30-05");
  expect(await readdir(directory)).toEqual(["task.json"]);
  expect(await readTask(project, directory, id)).toMatchObject({ version: 1, task_id: id, project });
});

test("the records are kept out of git by a .gitignore that is made with .e8 and left alone afterwards", async () => {
  const project = await temporaryDirectory();
  await promisify(execFile)("git", ["init", "-q"], { cwd: project });
  await createTask(project, request);
  const { stdout } = await promisify(execFile)("git", ["status", "--porcelain", "-uall"], { cwd: project });
  expect(stdout).toBe("");

  await writeFile(join(project, ".e8", ".gitignore"), "tasks\n");
  await createTask(project, request);
  expect(await readFile(join(project, ".e8", ".gitignore"), "utf8")).toBe("tasks\n");
});

test("an .e8 that the user made keeps the user's say about git, and only the records are kept out of it", async () => {
  const project = await temporaryDirectory();
  await promisify(execFile)("git", ["init", "-q"], { cwd: project });
  await mkdir(join(project, ".e8", "issues"), { recursive: true });
  await writeFile(join(project, ".e8", "issues", "1.md"), "");
  const id = await createTask(project, request);
  expect(await readdir(join(project, ".e8"))).toEqual(["issues", "tasks"]);
  const { stdout } = await promisify(execFile)("git", ["status", "--porcelain", "-uall"], { cwd: project });
  expect(stdout).toBe("?? .e8/issues/1.md\n");
  expect(await listTasks(project)).toEqual([id]);
});

test("where the user has said what git ignores of .e8, nothing is added", async () => {
  const project = await temporaryDirectory();
  await mkdir(join(project, ".e8"));
  await writeFile(join(project, ".e8", ".gitignore"), "*.log\n");
  const id = await createTask(project, request);
  expect(await readdir(join(project, ".e8", "tasks"))).toEqual([id]);
});

test("a project that is missing, or no directory, is refused and not made", async () => {
  const parent = await temporaryDirectory();
  const project = join(parent, "missing");
  await expect(createTask(project, request)).rejects.toMatchObject({ code: "project_missing" });
  await writeFile(project, "");
  await expect(createTask(project, request)).rejects.toMatchObject({ code: "project_not_directory" });
  await expect(createTask(join(project, "below"), request)).rejects.toMatchObject({ code: "project_missing" });
  expect(await readdir(parent)).toEqual(["missing"]);
});

test("a file in the place of .e8 is a fault and stays as it is", async () => {
  const project = await temporaryDirectory();
  await writeFile(join(project, ".e8"), "mine");
  await expect(createTask(project, request)).rejects.toMatchObject({ code: "write_failed" });
  expect(await readFile(join(project, ".e8"), "utf8")).toBe("mine");
});

test("a full disk leaves nothing of the new task, and older tasks stay", async () => {
  const fresh = await temporaryDirectory();
  expect(await startLimited(1, "create-task", fresh).next()).toEqual({ code: "disk_full" });
  expect(await readdir(fresh)).toEqual([]);

  const used = await temporaryDirectory();
  const id = await createTask(used, request);
  expect(await startLimited(1, "create-task", used).next()).toEqual({ code: "disk_full" });
  expect(await listTasks(used)).toEqual([id]);
  expect(await readdir(join(used, ".e8", "tasks"))).toEqual([id]);
  expect(await readdir(join(used, ".e8"))).toEqual([".gitignore", "tasks"]);
});

test("what a process leaves that is killed while it makes a task is removed by the next one that makes one; a live one keeps its own", async () => {
  const project = await temporaryDirectory();
  const [killed, alive] = [startProgram("make-task-slowly", project), startProgram("make-task-slowly", project)];
  const [gone, made] = [(await killed.next()) as string, (await alive.next()) as string];
  await killed.kill("SIGKILL");
  const tasks = join(project, ".e8", "tasks");
  await mkdir(join(tasks, "2026-01-01T00-00-00"));
  await mkdir(join(tasks, "2026-01-02T00-00-00"));
  await writeFile(join(tasks, "2026-01-02T00-00-00", "output.md"), "all that is left of a task");

  const id = await createTask(project, request);

  expect(id).toBe(gone);
  expect((await readdir(tasks)).sort()).toEqual(["2026-01-02T00-00-00", gone, made].sort());
  expect(await listTasks(project)).toEqual([id]);
  expect(await readdir(join(tasks, id))).toEqual(["task.json"]);
});
