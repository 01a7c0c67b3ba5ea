import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFolderTracker } from "../../../src/connection/trackers/folder/folder-tracker.ts";
import { startProgram } from "../../support/program.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { uncancelled } from "../../support/uncancelled.ts";

const everything = { state: "all", labels: [], limit: 999 } as const;

async function backlog() {
  const folder = join(await temporaryDirectory(), "issues");
  await mkdir(folder);
  await writeFile(join(folder, "1.md"), "---\ntitle: One\n---\n");
  return { folder, tracker: uncancelled(createFolderTracker(folder)) };
}

test("processes that change and create issues at once lose nothing", async () => {
  const { folder, tracker } = await backlog();
  const names = ["a", "b", "c"];
  const writers = names.map((name) => startProgram("issue-writer", folder, name, "5"));

  for (const writer of writers) for (let next: unknown = ""; next !== "end"; ) next = await writer.next();

  const titles = names.flatMap((name) => [0, 1, 2, 3, 4].map((index) => `${name}${index}`));
  expect((await tracker.get("issue", 1)).labels.sort()).toEqual(titles);
  expect((await tracker.list(everything)).map(({ title }) => title).sort()).toEqual(["One", ...titles]);
  expect(await tracker.comments(1)).toHaveLength(5);
});

test("processes that are killed anywhere leave whole files, and the next one goes on", async () => {
  const { folder, tracker } = await backlog();
  for (const round of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const writer = startProgram("issue-writer", folder, `${round}-`, "1000");
    await writer.next();
    await sleep(round * 3);
    await writer.kill("SIGKILL");
    await tracker.list(everything); // it is enough to look
    const names = await readdir(folder, { recursive: true });
    expect(names.filter((name) => !/(^|\/)\d+\.(md|comments)$/.test(name))).toEqual([]);
  }

  const issues = await tracker.list(everything);
  const { number } = await tracker.create({ title: "last", body: "", labels: [], blocked_by: [] });

  expect(number).toBe(Math.max(...issues.map((issue) => issue.number)) + 1);
  for (const issue of issues.slice(1)) expect(issue.body).toBe("It is whole.");
  const bodies = (await tracker.comments(1)).map(({ body }) => body);
  expect(new Set(bodies)).toEqual(new Set(["Once."]));
  expect(await readdir(folder)).not.toContain(".lock");
});
