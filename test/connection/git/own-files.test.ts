import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitAt, isAncestor, treesOf } from "../../../src/connection/git/checkout.ts";
import {
  gitFoldersIn,
  gitPath,
  isNoted,
  readCommitText,
  readHead,
  readRef,
  readRefs,
  writeRef,
} from "../../../src/connection/git/own-files.ts";
import { isIgnored } from "../../../src/connection/workspace/project-files.ts";
import { git, repository } from "../../support/repository.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const said = async (directory: string, ...words: string[]) => (await git(directory, ...words)).trim();

async function expectGitsOwn(directory: string, ref: string): Promise<void> {
  const folders = gitFoldersIn(directory);
  expect(folders && readRef(folders, ref)).toBe(await said(directory, "rev-parse", ref));
  expect(readHead(directory)?.commit).toBe(await said(directory, "rev-parse", "HEAD"));
}

test("a branch is read as git reads it: new, packed, and changed since it was packed", async () => {
  const project = await repository({ "a.txt": "one\n" });
  await git(project, "checkout", "-q", "-b", "feature/some/issue");
  const ref = "refs/heads/feature/some/issue";
  await expectGitsOwn(project, ref);

  await git(project, "pack-refs", "--all");
  await expectGitsOwn(project, ref);

  await git(project, "commit", "-q", "--allow-empty", "-m", "later");
  await expectGitsOwn(project, ref);
  expect(readHead(project)?.ref).toBe(ref);
});

test("a worktree has its own HEAD and the branches of its repository", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const worktree = join(await temporaryDirectory(), "beside");
  await git(project, "worktree", "add", "-q", "-b", "other", worktree);
  await git(worktree, "commit", "-q", "--allow-empty", "-m", "there");

  await expectGitsOwn(worktree, "refs/heads/other");
  expect(readHead(worktree)?.commit).not.toBe(readHead(project)?.commit);

  await git(worktree, "checkout", "-q", "--detach");
  expect(readHead(worktree)).toEqual({ commit: await said(worktree, "rev-parse", "HEAD") });
});

test("the files of git's own lie where git says, in a linked worktree too", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const worktree = join(await temporaryDirectory(), "other");
  await git(project, "worktree", "add", "-q", worktree);
  const names = ["objects", "index", "shallow", "info/attributes", "info/exclude", "info/sparse-checkout"];
  for (const directory of [project, worktree]) {
    const words = names.flatMap((name) => ["--git-path", name]);
    const there = await said(directory, "rev-parse", "--path-format=absolute", ...words);
    const folders = gitFoldersIn(directory);
    expect(names.map((name) => folders && gitPath(folders, name))).toEqual(there.split("\n"));
  }
});

test("a name of ours is set as git sets it, also where it is packed, and not beside another git that sets it", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const folders = gitFoldersIn(project);
  const first = await said(project, "rev-parse", "HEAD");
  await git(project, "commit", "-q", "--allow-empty", "-m", "later");
  const second = await said(project, "rev-parse", "HEAD");
  const ref = "refs/e8/2026-01-23T13-30-05/1";
  const set = (commit: string, name = ref) => folders && writeRef(folders, name, commit);

  expect(await set(first)).toBe(true);
  expect(await said(project, "rev-parse", ref)).toBe(first);
  await git(project, "pack-refs", "--all");
  expect(await set(second)).toBe(true);
  expect(await said(project, "rev-parse", ref)).toBe(second);

  await writeFile(join(project, ".git", `${ref}.lock`), "");
  expect(await set(first)).toBe(false);
  await rm(join(project, ".git", `${ref}.lock`));
  expect(await said(project, "rev-parse", ref)).toBe(second);
  expect(await set(first, "refs/e8/../heads/main")).toBe(false);
  expect(await set(first, `${ref}/below`)).toBe(false);
  expect(await said(project, "fsck", "--no-progress")).toBe("");
});

test("git is asked where its files do not answer by themselves", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const folders = { own: join(project, ".git"), common: join(project, ".git") };
  await mkdir(join(project, "inside"));

  expect(readRef(folders, "refs/heads/missing")).toBeUndefined();
  expect(readRef(folders, "refs/heads/../../HEAD")).toBeUndefined();
  expect(gitFoldersIn(join(project, "inside"))).toBeUndefined();
  await git(project, "symbolic-ref", "HEAD", "refs/heads/unborn");
  expect(readHead(project)).toBeUndefined();
  await writeFile(join(project, ".git", "HEAD"), "nonsense\n");
  expect(gitFoldersIn(project)).toBeUndefined();
  await rm(join(project, ".git"), { recursive: true });
  expect(gitFoldersIn(project)).toBeUndefined();
});

test("a directory that its repository ignores stays ignored, whatever a worker puts into it", async () => {
  const project = await repository({ ".gitignore": "out/\n" });
  const ignored = join(project, "out");
  await mkdir(join(ignored, ".git"), { recursive: true });
  await writeFile(join(ignored, ".git", "HEAD"), "ref: refs/heads/main\n");

  expect([await isIgnored(ignored), await isIgnored(project)]).toEqual([true, false]);
});

test("what is remembered of commits is what git says of them", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const ask = gitAt(project);
  const older = await said(project, "rev-parse", "HEAD");
  await git(project, "commit", "-q", "--allow-empty", "-m", "later");
  const newer = await said(project, "rev-parse", "HEAD");

  for (const _ of ["asked", "remembered"]) {
    expect([await isAncestor(ask, older, newer), await isAncestor(ask, newer, older)]).toEqual([true, false]);
    const tree = await said(project, "rev-parse", "HEAD^{tree}");
    expect(await treesOf(ask, [older, newer])).toEqual([tree, tree]);
  }
  expect(await treesOf(ask, ["0".repeat(40)])).toBeUndefined();
});

test("branches and tags are read as git lists them: in files of their own, in the common one, and in both", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const listed = async () =>
    (await said(project, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags")).split("\n");
  const read = () => readRefs({ own: join(project, ".git"), common: join(project, ".git") });
  await git(project, "branch", "feature/one");
  await git(project, "tag", "v1");
  await git(project, "tag", "-a", "-m", "annotated", "v2");
  await git(project, "update-ref", "refs/e8/task/1", "HEAD");
  expect(read()).toEqual(await listed());

  await git(project, "pack-refs", "--all");
  await git(project, "checkout", "-q", "feature/one");
  await git(project, "commit", "-q", "--allow-empty", "-m", "later");
  await git(project, "branch", "feature-2");
  expect(read()).toEqual(await listed());
  expect(read()).toHaveLength(5);

  await git(project, "symbolic-ref", "refs/heads/alias", "refs/heads/feature-2");
  expect(read()).toBeUndefined();
});

test("a commit's tree and parents are read from its own file, and git is asked where there is none", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const folders = { own: join(project, ".git"), common: join(project, ".git") };
  const first = await said(project, "rev-parse", "HEAD");
  await git(project, "checkout", "-q", "-b", "side");
  await git(project, "commit", "-q", "--allow-empty", "-m", "tree 1234\n\nparent 5678");
  await git(project, "checkout", "-q", "-");
  await git(project, "merge", "-q", "--no-ff", "-m", "merge", "side");
  const [merge, tree] = [await said(project, "rev-parse", "HEAD"), await said(project, "rev-parse", "HEAD^{tree}")];
  const side = await said(project, "rev-parse", "side");

  expect(readCommitText(folders, merge)).toEqual({ tree, parents: [first, side] });
  expect(readCommitText(folders, first)).toEqual({ tree, parents: [] });
  expect(readCommitText(folders, tree)).toBeUndefined();
  await git(project, "gc", "-q");
  expect(readCommitText(folders, merge)).toBeUndefined();
});

test("a worktree is noted where it and git's note name each other", async () => {
  const project = await repository({ "a.txt": "one\n" });
  const common = join(project, ".git");
  const worktree = join(await temporaryDirectory(), "beside");
  expect(isNoted(common, worktree)).toBe(false);
  await git(project, "worktree", "add", "-q", worktree);
  expect(isNoted(common, worktree)).toBe(true);
  expect(isNoted(common, project)).toBe(false);
  expect(isNoted(join(project, "other"), worktree)).toBe(false);

  await rm(join(common, "worktrees/beside/gitdir"));
  expect(isNoted(common, worktree)).toBe(false);
});
