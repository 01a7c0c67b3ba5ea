// In a folder without git, a task that finds the files as the one before it did asks git nothing about them.
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Workspace } from "../../../src/connection/ports/workspace.ts";
import { askThrough, runGit } from "../../../src/connection/processes/git.ts";
import { createWorkspace } from "../../../src/connection/workspace/workspace.ts";
import { git, write } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

afterEach(() => askThrough(runGit));

/** Until the clock of the file system has gone on. */
const SETTLED_MILLISECONDS = 1200;

const task = async (directory: string, id: string): Promise<Workspace> =>
  createWorkspace(directory, { kept: { folder: await temporaryDirectory(), task: id } });

async function snapshot(workspace: Workspace, label: string): Promise<string> {
  const kept = await workspace.snapshot(label);
  if ("problem" in kept) throw new Error(JSON.stringify(kept));
  return kept.commit;
}

/** A folder that a task has kept, and how to see what git is asked from now on. */
async function keptFolder() {
  const above = await temporaryDirectory();
  await mkdir(join(above, ".git")); // empty: no repository
  const directory = join(above, "project");
  await write(directory, { "a.txt": "one\r\n", "b/c.txt": "two\n" });
  await sleep(SETTLED_MILLISECONDS);
  const first = await snapshot(await task(directory, "first"), "start");
  const asked: string[] = [];
  askThrough((args, question) => {
    asked.push(args.join(" "));
    return runGit(args, question);
  });
  return { directory, first, asked };
}

test("the next task is given the same commit, under its own name, and its iterations ask nothing either", async () => {
  const { directory, first, asked } = await keptFolder();
  const second = await task(directory, "second");
  expect(await snapshot(second, "start")).toBe(first);
  expect(await snapshot(second, "1")).toBe(first);
  expect(await second.changesSince(first, [])).toEqual([]);
  expect(asked).toEqual([]);
  const names = await git(join(directory, ".e8/repository"), "for-each-ref", "--format=%(refname)");
  expect(names.trim().split("\n")).toEqual(["refs/e8/first/start", "refs/e8/second/1", "refs/e8/second/start"]);
});

test("what it changes then is seen, and can be taken back", async () => {
  const { directory, first } = await keptFolder();
  const second = await task(directory, "second");
  await snapshot(second, "start");
  await write(directory, { "b/c.txt": "2\n", "new.txt": "new\n" });
  await rm(join(directory, "a.txt"));
  const changed = (await second.changesSince(first, [])).map(({ path, status }) => [path, status]);
  expect(changed).toEqual([
    ["a.txt", "deleted"],
    ["b/c.txt", "modified"],
    ["new.txt", "added"],
  ]);
  expect(await snapshot(second, "1")).not.toBe(first);
  await second.restore(first);
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\r\n");
  expect(await second.changesSince(first, [])).toEqual([]);
});

test("a restore works where git was not asked before", async () => {
  const { directory, first } = await keptFolder();
  await write(directory, { "b/c.txt": "2\n" });
  await sleep(SETTLED_MILLISECONDS);
  await snapshot(await task(directory, "second"), "start");
  const third = await task(directory, "third");
  await snapshot(third, "start");
  await third.restore(first);
  expect(await readFile(join(directory, "b/c.txt"), "utf8")).toBe("two\n");
});

test.each([
  ["files have changed meanwhile", "1\n", (directory: string) => write(directory, { "a.txt": "1\n" })],
  [
    "git's settings have changed",
    "one\n",
    (directory: string) => git(join(directory, ".e8/repository"), "config", "core.autocrlf", "input"),
  ],
  ["the objects are gone", "one\r\n", (directory: string) => rm(join(directory, ".e8"), { recursive: true })],
])("it asks git where %s", async (_, text, happen) => {
  const { directory, asked } = await keptFolder();
  await happen(directory);
  const second = await task(directory, "second");
  const start = await snapshot(second, "start");
  expect(asked.some((words) => words.includes("write-tree"))).toBe(true);
  expect(await second.paths(start)).toEqual(["a.txt", "b/c.txt"]);
  expect((await second.textsAt(start, ["a.txt"])).get("a.txt")).toBe(text);
});
