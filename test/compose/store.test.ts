import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { latestTask, storeOf } from "../../src/compose/store.ts";
import { configuration } from "../support/stored.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const ID = "2026-01-23T13-30-00";

test("the latest task is the one that began last, also when it cannot be read", async () => {
  const project = await temporaryDirectory();
  const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:00Z") };
  for (const _ of Array.from({ length: 10 })) await storeOf(project).create(request);
  expect(await latestTask(project)).toBe(`${ID}-10`);

  await mkdir(join(project, ".e8", "tasks", `${ID}-11`));
  await writeFile(join(project, ".e8", "tasks", `${ID}-11`, "task.json"), "{ broken");
  expect(await latestTask(project)).toBe(`${ID}-11`);
});

test("a project without tasks has no latest one, and neither has a project that is missing", async () => {
  const project = await temporaryDirectory();
  await expect(latestTask(project)).rejects.toMatchObject({ code: "no_tasks", details: { directory: project } });
  await expect(latestTask(join(project, "missing"))).rejects.toMatchObject({ code: "project_missing" });
});
