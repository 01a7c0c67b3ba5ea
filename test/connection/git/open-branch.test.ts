import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startOf } from "../../../src/connection/git/base.ts";
import { checkoutOf } from "../../../src/connection/git/checkout.ts";
import { discardBranch } from "../../../src/connection/git/discard.ts";
import { openBranch } from "../../../src/connection/git/open-branch.ts";
import { askThrough, NO_ANSWER, runGit } from "../../../src/connection/processes/git.ts";
import { git, write } from "../../support/repository.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { FILES, landed, opened, optionsFor, project, proved, removed, usersState } from "./branch-support.ts";

test("where git does not answer, a worktree is not taken for none", async () => {
  const directory = await project();
  const branch = await opened(directory);
  await branch.leave();
  await write(branch.worktree, { "work.txt": "not committed\n" });
  const options = await optionsFor(directory, "one", { state: "made" });
  const wish = { project: directory, locker: options.locker, place: options.place, author: null, words: "left" };
  const link = join(branch.worktree, ".git");
  const pointer = await readFile(link, "utf8");
  await writeFile(link, "gitdir: /somewhere/else\n"); // git must be asked whether it knows the place
  onTestFinished(() => askThrough(runGit));

  askThrough(async (args, question) => (args.includes("list") ? NO_ANSWER : runGit(args, question)));
  await expect(openBranch(options)).rejects.toMatchObject({ code: "branch_impossible" });
  await expect(discardBranch(wish)).rejects.toMatchObject({ code: "branch_impossible" });
  await writeFile(link, pointer);
  askThrough(async (args, question) => (args.includes("update-ref") ? NO_ANSWER : runGit(args, question)));
  await expect(discardBranch(wish)).rejects.toMatchObject({ code: "branch_kept" });

  expect(await readFile(join(branch.worktree, "work.txt"), "utf8")).toBe("not committed\n");
});

describe("a branch of its own", () => {
  test("is made beside the checkout, at the base, and the user's state stays as it was", async () => {
    const directory = await project();
    const before = await usersState(directory);

    const branch = await opened(directory);

    expect(branch.worktree).toBe(join(dirname(directory), `${basename(directory)}.worktrees`, "one"));
    expect(await readFile(join(branch.worktree, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
    expect(await git(branch.worktree, "branch", "--show-current")).toBe("e8/one\n");
    expect(await usersState(directory)).toEqual(before);
  });

  test("has the files to copy, never links, and not those that git has", async () => {
    const directory = await project();
    await write(directory, { ".env": "KEY=1\n", "a.txt": "changed by the user\n", "deep/.env": "KEY=2\n" });

    const branch = await opened(directory, "one", { copy: [".env", "deep/**", "a.txt"] });

    expect(await readFile(join(branch.worktree, ".env"), "utf8")).toBe("KEY=1\n");
    expect(await readFile(join(branch.worktree, "deep/.env"), "utf8")).toBe("KEY=2\n");
    expect(await readFile(join(branch.worktree, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
  });

  test("is refused to a second run while the first one works in it", async () => {
    const directory = await project();
    const branch = await opened(directory);

    await expect(opened(directory)).rejects.toMatchObject({
      code: "branch_taken",
      details: { branch: "e8/one", id: "one" },
    });
    await branch.leave();
    const again = await opened(directory, "one", { state: "made" });
    expect(again.worktree).toBe(branch.worktree);
  });

  test.each([
    [
      "a branch of that name exists",
      async (d: string) => git(d, "branch", "e8/one", "main"),
      "already a branch e8/one",
    ],
    [
      "a branch named e8 is in the way",
      async (d: string) => git(d, "branch", "e8", "main"),
      "git branch e8/one failed",
    ],
    [
      "its directory is taken",
      async (d: string) => {
        const place = join(dirname(d), `${basename(d)}.worktrees`, "one");
        await mkdir(place, { recursive: true });
        await writeFile(join(place, "mine.txt"), "");
      },
      "exists already",
    ],
  ])("is refused where %s, and nothing is left behind", async (_, spoil, words) => {
    const directory = await project();
    await spoil(directory);
    const before = await git(directory, "for-each-ref");

    await expect(opened(directory)).rejects.toMatchObject({
      code: "branch_impossible",
      details: { problem: saying(words) },
    });

    expect(await git(directory, "for-each-ref")).toBe(before);
    expect(await git(directory, "worktree", "list")).not.toContain("worktrees/one");
  });

  test("is refused without a repository, without a commit, and without the base", async () => {
    const plain = await temporaryDirectory();
    await expect(checkoutOf(plain)).rejects.toMatchObject({ details: { problem: saying("not in a git repository") } });
    await git(plain, "init", "-q");
    await expect(checkoutOf(plain)).rejects.toMatchObject({ details: { problem: saying("no commit yet") } });
    const checkout = await checkoutOf(await project());
    await expect(startOf(checkout, { name: "gone", remote: null })).rejects.toMatchObject({
      details: { problem: saying("no branch gone") },
    });
  });

  test("that a killed run has left half made is made anew", async () => {
    const directory = await project();
    const options = await optionsFor(directory, "one");
    const branch = await openBranch(options);
    await branch.leave();
    await rm(join(branch.worktree, ".git"));

    const again = await openBranch({ ...options, state: "begun" });

    expect(await git(again.worktree, "status", "--porcelain")).toBe("");
  });
});

describe("a conflict", () => {
  async function conflicting() {
    const directory = await project();
    const branch = await opened(directory);
    await write(branch.worktree, { "a.txt": "ONE\ntwo\nthree\n" });
    const gathered = await branch.gather("Shout\n", []);
    const tip = "commit" in gathered ? gathered.commit : "";
    await git(directory, "checkout", "-q", "main");
    await write(directory, { "a.txt": "uno\ntwo\nthree\n" });
    await git(directory, "commit", "-q", "-a", "-m", "Spanish");
    await git(directory, "checkout", "-q", "mine");
    return { directory, branch, tip };
  }

  test("names its files and leaves the merge in progress, which the worker concludes", async () => {
    const { directory, branch } = await conflicting();

    expect(await branch.integrate()).toMatchObject({ is: "conflict", files: ["a.txt"] });
    expect(await branch.gather("Merge\n", ["a.txt"])).toMatchObject({
      problem: saying("conflict markers are left in a.txt"),
    });
    await write(branch.worktree, { "a.txt": "UNO\ntwo\nthree\n" });
    expect(await branch.gather("Merge\n", [])).toMatchObject({ is_new: true });

    expect(await landed(branch)).toMatchObject({ is: "landed" });
    expect(await git(directory, "show", "main:a.txt")).toBe("UNO\ntwo\nthree\n");
  });

  test("that was cut off begins again at the same tip, and can be abandoned", async () => {
    const { branch, tip } = await conflicting();
    await branch.integrate();

    expect(await branch.integrate()).toMatchObject({ is: "conflict", files: ["a.txt"] });
    await branch.abandon();

    expect(await git(branch.worktree, "status", "--porcelain")).toBe("");
    expect(await git(branch.worktree, "rev-parse", "HEAD")).toBe(`${tip}\n`);
  });

  test("keeps worktree and branch", async () => {
    const { branch, tip } = await conflicting();
    await branch.integrate();
    await branch.abandon();

    expect(await branch.clear(undefined)).toMatchObject({ problem: saying("has not landed") });
    await write(branch.worktree, { "a.txt": "more\n" });
    expect(await branch.clear(tip)).toMatchObject({ problem: saying("no commit has") });
    expect(existsSync(branch.worktree)).toBe(true);
  });
});

describe("what a killed run has left", () => {
  test("work in a worktree whose worker has left its branch is kept, and becomes the branch", async () => {
    const directory = await project();
    const branch = await opened(directory);
    await git(branch.worktree, "checkout", "-q", "--detach");
    await write(branch.worktree, { "b.txt": "committed\n" });
    await git(branch.worktree, "add", "-A");
    await git(branch.worktree, "commit", "-q", "-m", "on no branch");
    await write(branch.worktree, { "c.txt": "not committed\n" });
    await branch.leave();

    const again = await openBranch(await optionsFor(directory, "one", { state: "made" }));
    await again.gather("The rest\n", []);

    expect(await git(directory, "ls-tree", "--name-only", "e8/one")).toBe(".gitignore\na.txt\nb.txt\nc.txt\n");
    expect(await landed(again)).toMatchObject({ is: "landed" });
    expect(await removed(await again.clear(await proved(again)))).toBe(true);
  });

  test("locks of a git that was killed in the worktree or at its branch are not in the way", async () => {
    const directory = await project();
    const branch = await opened(directory);
    const own = (await git(branch.worktree, "rev-parse", "--absolute-git-dir")).trim();
    await write(branch.worktree, { "b.txt": "new\n" });
    await write(own, { "index.lock": "", "HEAD.lock": "" });
    await write(directory, { ".git/refs/heads/e8/one.lock": "" });

    expect(await branch.gather("Add b\n", [])).toMatchObject({ is_new: true });
  });

  test.each([
    ["a directory", "worktree_path_taken", takePath],
    ["a branch", "branch_exists", takeBranch],
  ])("%s of the user's in the place of a worktree that was never made stays", async (_, code, take) => {
    const directory = await project();
    const options = await optionsFor(directory, "one", { state: "begun" });
    const look = await take(directory, options.place.worktree);
    const before = await look();

    await expect(openBranch(options)).rejects.toMatchObject({ details: { problem: { code } } });

    expect(await look()).toBe(before);
    expect(existsSync(join(directory, ".git/e8/branch-e8%2Fone.lock"))).toBe(false);
  });

  test("a conflict that nobody was told of does not land with its markers", async () => {
    const directory = await project();
    const branch = await opened(directory);
    await write(branch.worktree, { "a.txt": "mine\n" });
    await branch.gather("Mine\n", []);
    await git(directory, "checkout", "-q", "main");
    await write(directory, { "a.txt": "theirs\n" });
    await git(directory, "commit", "-q", "-am", "theirs");
    await git(directory, "checkout", "-q", "mine");
    expect(await branch.integrate()).toMatchObject({ is: "conflict" });

    expect(await branch.gather("Mine\n", [])).toMatchObject({ problem: { code: "conflict_markers_left" } });
  });
});

async function takePath(_: string, path: string) {
  await write(path, { "mine.txt": "the user's\n" });
  return () => readFile(join(path, "mine.txt"), "utf8");
}

async function takeBranch(directory: string) {
  await git(directory, "commit", "-q", "--allow-empty", "-m", "user");
  await git(directory, "branch", "e8/one");
  return () => git(directory, "rev-parse", "e8/one");
}
