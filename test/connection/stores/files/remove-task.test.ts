import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileStore } from "../../../../src/connection/stores/files/file-store.ts";
import { store } from "../../../cli/support.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const ID = "2026-01-23T10-00-00";

test("raw logs that the user keeps elsewhere go with their task, and count for its size", async () => {
  const project = await temporaryDirectory();
  await store(project, ID, { configuration: { logging: { raw_log: true, raw_log_dir: "logs" } } });
  for (const id of [ID, "2026-01-23T11-00-00"]) {
    await mkdir(join(project, "logs", id), { recursive: true });
    await writeFile(join(project, "logs", id, "iteration-001.jsonl"), "x".repeat(50_000));
  }

  expect(await fileStore(project).size(ID)).toBeGreaterThan(50_000);
  await fileStore(project).remove(ID);

  expect(await readdir(join(project, ".e8", "tasks"))).toEqual([]);
  expect(await readdir(join(project, "logs"))).toEqual(["2026-01-23T11-00-00"]);
});

test("a task that cannot be read can be removed", async () => {
  const project = await temporaryDirectory();
  const directory = await store(project, ID);
  await writeFile(join(directory, "task.json"), "{ torn");

  await fileStore(project).remove(ID);

  expect(existsSync(directory)).toBe(false);
});

test("what is left of an interrupted removal is not a task, and is cleared away with the next of that name", async () => {
  const project = await temporaryDirectory();
  const directory = await store(project, ID);
  await mkdir(`${directory}.removed`);

  expect(await fileStore(project).list()).toEqual([ID]);
  await fileStore(project).remove(ID);

  expect(await readdir(join(project, ".e8", "tasks"))).toEqual([]);
});
