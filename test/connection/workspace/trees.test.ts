import { appendFile, chmod, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Workspace } from "../../../src/connection/ports/workspace.ts";
import { createWorkspace } from "../../../src/connection/workspace/workspace.ts";
import type { ChangedFile } from "../../../src/model/changes.ts";
import { git, repository, write } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function open(directory: string, project = directory): Promise<Workspace> {
  return createWorkspace(directory, { project, kept: { folder: await temporaryDirectory(), task: "t" } });
}

async function startOf(workspace: Workspace): Promise<string | undefined> {
  const kept = await workspace.snapshot("start");
  return "commit" in kept ? kept.commit : undefined;
}

/** What differs after something has happened. */
async function changes(directory: string, happen: () => Promise<unknown>, seen: string[] = []): Promise<ChangedFile[]> {
  const workspace = await open(directory);
  const start = await startOf(workspace);
  await happen();
  return workspace.changesSince(start, seen);
}

const paths = (files: readonly ChangedFile[]) => files.map(({ path }) => path);
const unknown = (path: string) => ({ path, status: null, added: null, removed: null });

test("new, changed and deleted files have their lines, binary files have none", async () => {
  const project = await repository({ "a b.txt": "1\n2\n3\n", "gone.txt": "1\n", "src/日本 語.md": "x\n", same: "" });
  const found = await changes(project, async () => {
    await write(project, { "a b.txt": "1\ntwo\n3\n4\n", "new/ñ.txt": "1\n2\n", "logo.png": "\0\u0001" });
    await rm(join(project, "gone.txt"));
    await write(project, { same: "" });
  });
  expect(found).toEqual([
    { path: "a b.txt", status: "modified", added: 2, removed: 1 },
    { path: "gone.txt", status: "deleted", added: 0, removed: 1 },
    { path: "logo.png", status: "added", added: null, removed: null },
    { path: "new/ñ.txt", status: "added", added: 2, removed: 0 },
  ]);
});

test("changes from before the start do not count, committed or not; changes that were taken back do not either", async () => {
  const project = await repository({ "a.txt": "1\n", "b.txt": "1\n" });
  await write(project, { "a.txt": "mine\n", "untracked.txt": "mine\n" });
  const found = await changes(project, async () => {
    await write(project, { "b.txt": "changed\n" });
    await write(project, { "b.txt": "1\n" });
    await git(project, "add", "-A");
    await git(project, "commit", "-q", "-m", "second");
  }, ["b.txt"]);
  expect(found).toEqual([]);
});

test("what the worker commits has changed, too", async () => {
  const project = await repository({ "a.txt": "1\n" });
  const found = await changes(project, async () => {
    await write(project, { "a.txt": "2\n" });
    await git(project, "commit", "-q", "-a", "-m", "second");
  });
  expect(found).toEqual([{ path: "a.txt", status: "modified", added: 1, removed: 1 }]);
});

test("the user's index, branches, stash and hooks are left alone", async () => {
  const project = await repository({ "a.txt": "1\n" });
  await write(project, { "a.txt": "2\n", "staged.txt": "1\n", ".git/hooks/post-index-change": "#!/bin/sh\n: > ran\n" });
  await chmod(join(project, ".git/hooks/post-index-change"), 0o755);
  await git(project, "-c", "core.hooksPath=/dev/null", "add", "staged.txt");
  const state = async () => [
    await readFile(join(project, ".git/index"), "base64"),
    await git(project, "for-each-ref", "refs/heads", "refs/tags", "refs/stash"),
    await git(project, "--no-optional-locks", "status", "--porcelain"),
  ];
  const before = await state();

  await changes(project, async () => {});

  expect(await state()).toEqual(before);
});

test("a new repository without a commit or a tracked file has changes, too", async () => {
  const project = await temporaryDirectory();
  await git(project, "init", "-q");
  await write(project, { "old.txt": "1\n" });
  expect(await changes(project, () => write(project, { "new.txt": "1\n" }))).toMatchObject([
    { path: "new.txt", status: "added", added: 1 },
  ]);
});

test("files that git ignores are listed only when a watch has seen them change", async () => {
  const project = await repository({ ".gitignore": "*.log\n.env\n" });
  const happen = () => write(project, { "noise.log": "", ".env": "KEY=1", ".e8/x": "", "node_modules/p/index.js": "" });
  expect(await changes(project, happen, [".env", "came-and-went.txt"])).toEqual([unknown(".env")]);
});

test("files outside the project are listed when a watch has seen them change", async () => {
  const [project, outside] = [await repository({ "a.txt": "1\n" }), await temporaryDirectory()];
  await write(outside, { "x.txt": "1" });
  const seen = [join(outside, "x.txt")];
  expect(await changes(project, async () => {}, seen)).toEqual(seen.map(unknown));
});

test("files of repositories inside the project have their lines, also of one that the worker makes", async () => {
  const project = await repository({ "a.txt": "1\n" });
  await mkdir(join(project, "inner"));
  await git(join(project, "inner"), "init", "-q");
  await write(project, { "inner/.gitignore": "*.log\n", "inner/x.txt": "1\n" });
  const found = await changes(project, async () => {
    await write(project, { "inner/x.txt": "1\n2\n", "inner/y.txt": "1\n", "inner/noise.log": "", "made/z.txt": "1\n" });
    await git(join(project, "made"), "init", "-q");
    await git(join(project, "made"), "add", "-A");
    await git(join(project, "made"), "commit", "-q", "-m", "inside");
  });
  expect(found).toEqual([
    { path: "inner/x.txt", status: "modified", added: 1, removed: 0 },
    { path: "inner/y.txt", status: "added", added: 1, removed: 0 },
    { path: "made/z.txt", status: "added", added: 1, removed: 0 },
  ]);
});

test("a project inside a repository sees all of it, its own files under their names in the project", async () => {
  const root = await repository({ "packages/app/a.txt": "1\n", "packages/other/b.txt": "1\n" });
  const app = join(root, "packages", "app");
  const workspace = await open(app, join(root, "packages"));
  const start = await startOf(workspace);
  await write(root, {
    "packages/app/a.txt": "2\n",
    "packages/app/new.txt": "",
    "packages/other/b.txt": "2\n",
    "top.txt": "",
  });
  const found = paths(await workspace.changesSince(start, []));
  expect(found).toEqual([join(root, "top.txt"), "app/a.txt", "app/new.txt", "other/b.txt"]);
});

test("a large file that git does not track is not copied into the repository, and does not seem new later", async () => {
  const project = await repository({ "a.txt": "1\n" });
  await write(project, { "data.bin": "" });
  await truncate(join(project, "data.bin"), 65 * 1024 * 1024);
  const happen = async () => {
    await appendFile(join(project, "a.txt"), "2\n");
    await truncate(join(project, "data.bin"), 10);
  };
  expect(paths(await changes(project, happen))).toEqual(["a.txt"]);
});

test("another run goes on with the first one's start, also when its index is broken or locked", async () => {
  const project = await repository({ "a.txt": "1\n" });
  const folder = await temporaryDirectory();
  const index = join(folder, "index");
  const kept = { folder, task: "t" };
  const start = await startOf(createWorkspace(project, { kept }));
  await write(project, { "a.txt": "1\n2\n" });
  await writeFile(`${index}.lock`, "");

  const locked = await createWorkspace(project, { kept }).changesSince(start, []);
  await writeFile(index, "no index");
  const broken = await createWorkspace(project, { kept }).changesSince(start, []);

  for (const found of [locked, broken]) expect(found).toMatchObject([{ path: "a.txt", added: 1, removed: 0 }]);
});

test("without a repository, or in a folder that its repository ignores, a repository of ours keeps the files", async () => {
  const [plain, root] = [await temporaryDirectory(), await repository({ ".gitignore": "scratch/\n" })];
  await mkdir(join(root, "scratch"));
  for (const directory of [plain, join(root, "scratch")]) {
    await write(directory, { "a.txt": "1\n" });
    const happen = () => write(directory, { "b.txt": "1\n", "a.txt": "2\n", ".e8/x": "" });
    expect(paths(await changes(directory, happen))).toEqual(["a.txt", "b.txt"]);
  }
});

test("without a folder of the task, the files that watches have seen are all there is", async () => {
  const workspace = createWorkspace(await repository({ "a.txt": "1\n" }));
  expect(await startOf(workspace)).toBeUndefined();
  expect(await workspace.changesSince(undefined, ["b.txt", "a.txt"])).toEqual([unknown("a.txt"), unknown("b.txt")]);
});

test("a start that git has removed leaves the files that watches have seen", async () => {
  const project = await repository({ "a.txt": "1\n" });
  const lost = "0123456789012345678901234567890123456789";
  expect(await (await open(project)).changesSince(lost, ["a.txt"])).toEqual([unknown("a.txt")]);
});
