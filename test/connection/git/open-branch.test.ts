import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { landedRef, startOf } from "../../../src/connection/git/base.ts";
import { checkoutOf, gitAt } from "../../../src/connection/git/checkout.ts";
import { discardBranch } from "../../../src/connection/git/discard.ts";
import { bringForward } from "../../../src/connection/git/landing.ts";
import { type BranchOptions, openBranch } from "../../../src/connection/git/open-branch.ts";
import { worktreePath } from "../../../src/connection/git/worktree.ts";
import type { Branch, Clearing } from "../../../src/connection/ports/branch.ts";
import { askThrough, NO_ANSWER, runGit } from "../../../src/connection/processes/git.ts";
import { git, repository, write } from "../../support/repository.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const FILES = { "a.txt": "one\ntwo\nthree\n", ".gitignore": "*.log\n" };

/** A repository whose user stands on another branch than main. */
async function project(files: Record<string, string> = FILES): Promise<string> {
  const directory = await repository(files);
  await git(directory, "branch", "-M", "main");
  await git(directory, "checkout", "-q", "-b", "mine");
  onTestFinished(() =>
    rm(join(dirname(directory), `${basename(directory)}.worktrees`), { recursive: true, force: true }),
  );
  return directory;
}

async function opened(directory: string, name = "one", more: Partial<BranchOptions> = {}): Promise<Branch> {
  return openBranch(await optionsFor(directory, name, more));
}

async function optionsFor(directory: string, name: string, more: Partial<BranchOptions> = {}): Promise<BranchOptions> {
  const checkout = await checkoutOf(directory);
  const base_commit = await startOf(checkout, { name: "main", remote: null });
  const worktree = worktreePath(checkout, null, name);
  const place = {
    branch: `e8/${name}`,
    base: "main",
    remote: null,
    base_commit,
    worktree,
    is_made: true,
    ...more.place,
  };
  const options = {
    project: directory,
    locker: { id: name, project: directory },
    copy: [],
    author: null,
    forwards: false,
    isSettling: false,
    lane: undefined,
  };
  return { ...options, state: "new", ...more, place };
}

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

/** Everything of the user's that must stay as it is. */
async function usersState(directory: string): Promise<string[]> {
  const index = await readFile(join(directory, ".git/index"), "base64");
  const asked = [["rev-parse", "HEAD"], ["status", "--porcelain"], ["stash", "list"], ["reflog"]];
  return [index, ...(await Promise.all(asked.map((args) => git(directory, ...args))))];
}

async function proved(branch: Branch): Promise<string> {
  return (await gitAt(branch.worktree)(["rev-parse", "HEAD"])).output.trim();
}

async function landed(branch: Branch) {
  return branch.land({ proved: await proved(branch), message: "Merge the work\n" });
}

async function removed(clearing: Clearing): Promise<boolean> {
  return "remove" in clearing && (await clearing.remove()) === undefined;
}

/** Moves main on. */
async function userCommits(directory: string): Promise<void> {
  await git(directory, "checkout", "-q", "main");
  await write(directory, { "c.txt": "the user's\n" });
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "-m", "user");
  await git(directory, "checkout", "-q", "mine");
}

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

describe("landing", () => {
  test("puts the proved tree on a base that is not checked out, with both parents, and removes worktree and branch", async () => {
    const directory = await project();
    const branch = await opened(directory);
    await write(branch.worktree, { "b.txt": "new\n", "run.log": "ignored\n" });
    const before = await usersState(directory);
    const gathered = await branch.gather("Add b\n", []);
    expect(gathered).toMatchObject({ is_new: true });
    const tip = "commit" in gathered ? gathered.commit : "";
    expect(await branch.integrate()).toMatchObject({ is: "current" });

    const result = await landed(branch);

    expect(result).toMatchObject({ is: "landed" });
    const commit = "commit" in result ? result.commit : "";
    expect((await git(directory, "rev-parse", "main")).trim()).toBe(commit);
    expect(await git(directory, "rev-parse", "main^2")).toBe(`${tip}\n`);
    const clearing = await branch.clear(commit);
    expect(clearing).toMatchObject({ ignored: ["run.log"] });
    expect(existsSync(branch.worktree)).toBe(true);
    expect(await removed(clearing)).toBe(true);
    expect(existsSync(branch.worktree)).toBe(false);
    expect(await git(directory, "branch", "--list", "e8/*")).toBe("");
    expect(await usersState(directory)).toEqual(before);
  });

  test("runs no hook, and moves no base that is checked out, whatever the repository's settings allow", async () => {
    const directory = await project();
    const branch = await opened(directory);
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);
    const ran = join(directory, ".git/ran");
    for (const hook of ["pre-receive", "update", "post-receive", "post-update", "reference-transaction", "pre-push"]) {
      await write(directory, { [`.git/hooks/${hook}`]: `#!/bin/sh\necho ${hook} >> '${ran}'\n` });
      await chmod(join(directory, ".git/hooks", hook), 0o755);
    }

    expect(await landed(branch)).toMatchObject({ is: "landed" });
    expect(existsSync(ran)).toBe(false);

    await git(directory, "config", "receive.denyCurrentBranch", "ignore");
    await git(directory, "checkout", "-q", "main");
    const before = await git(directory, "rev-parse", "main");
    const second = await opened(directory, "two");
    await write(second.worktree, { "c.txt": "new\n" });
    await second.gather("Add c\n", []);
    expect(await landed(second)).toMatchObject({ is: "kept" });
    expect(await git(directory, "rev-parse", "main")).toBe(before);
  });

  test("twice is harmless: the second time finds the first", async () => {
    const directory = await project();
    const branch = await opened(directory);
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);
    const first = await landed(branch);

    expect(await landed(branch)).toEqual(first);
    expect(await git(directory, "rev-list", "--count", "main")).toBe("3\n");
  });

  test("of a run that was killed after its push is found by the next one, also when the base has moved on: nothing lands twice", async () => {
    const directory = await project();
    const branch = await opened(directory);
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);
    await landed(branch);
    await branch.leave();
    await userCommits(directory);
    const tip = await git(directory, "rev-parse", "main");

    const again = await openBranch(await optionsFor(directory, "one", { state: "made" }));

    expect(await again.gather("Add b\n", [])).toMatchObject({ is_new: false });
    expect(await again.integrate()).toEqual({ is: "current" });
    expect(await landed(again)).toMatchObject({ is: "landed" });
    expect(await git(directory, "rev-parse", "main")).toBe(tip);
  });

  test("finds that the base has moved; the merge then needs another proof", async () => {
    const directory = await project();
    const branch = await opened(directory);
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);
    await userCommits(directory);

    expect(await landed(branch)).toEqual({ is: "moved" });
    expect(await branch.integrate()).toMatchObject({ is: "merged" });
    expect(await landed(branch)).toMatchObject({ is: "landed" });
    expect(await git(directory, "ls-tree", "--name-only", "main")).toBe(".gitignore\na.txt\nb.txt\nc.txt\n");
  });

  test("leaves a base that is checked out alone: the commit is kept, later work builds on it, and git brings it forward", async () => {
    const directory = await project();
    await git(directory, "checkout", "-q", "main");
    const first = await opened(directory, "one");
    await write(first.worktree, { "b.txt": "new\n" });
    await first.gather("Add b\n", []);
    await writeFile(join(directory, "a.txt"), "the user is typing\n");
    const before = await usersState(directory);

    const kept = await landed(first);

    expect(kept).toMatchObject({
      is: "kept",
      checkout: directory,
      forward: expect.stringContaining("merge --ff-only refs/e8/landed/main"),
    });
    expect(await usersState(directory)).toEqual(before);
    const second = await opened(directory, "two");
    expect(existsSync(join(second.worktree, "b.txt"))).toBe(true);
    await write(second.worktree, { "c.txt": "newer\n" });
    await second.gather("Add c\n", []);
    expect(await landed(second)).toMatchObject({ is: "kept" });
    await git(directory, "merge", "-q", "--ff-only", landedRef("main"));
    expect(await git(directory, "ls-tree", "--name-only", "main")).toBe(".gitignore\na.txt\nb.txt\nc.txt\n");
    expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("the user is typing\n");
    await opened(directory, "three");
    expect(await git(directory, "for-each-ref", "refs/e8/landed")).toBe("");
  });

  test("brings a checkout forward where that was asked for, and keeps the user's other changes", async () => {
    const directory = await project();
    await git(directory, "checkout", "-q", "main");
    await writeFile(join(directory, "a.txt"), "the user is typing\n");
    const branch = await opened(directory, "one", { forwards: true });
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);

    expect(await landed(branch)).toMatchObject({ is: "landed" });

    expect(await readFile(join(directory, "b.txt"), "utf8")).toBe("new\n");
    expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("the user is typing\n");
    expect(await git(directory, "for-each-ref", "refs/e8/landed")).toBe("");
  });

  test.each([
    ["a checkout that is clean", async () => {}, true],
    ["a base that the user has left", (directory: string) => git(directory, "checkout", "-q", "mine"), true],
    ["a base that is there already", (directory: string) => git(directory, "merge", "-q", landedRef("main")), true],
    ["a base that has moved on", userCommits, false],
    ["a checkout in which a file is in the way", (directory: string) => write(directory, { "b.txt": "own\n" }), false],
  ])("is brought to %s afterwards, or not at all", async (_, prepare, isMoved) => {
    const directory = await project();
    await git(directory, "checkout", "-q", "main");
    const branch = await opened(directory);
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);
    const { commit } = (await landed(branch)) as { commit: string };
    await prepare(directory);
    const before = await git(directory, "rev-parse", "main");

    expect(await bringForward(await checkoutOf(directory), "main")).toBe(isMoved);

    expect((await git(directory, "rev-parse", "main")).trim()).toBe(isMoved ? commit : before.trim());
    expect(await git(directory, "for-each-ref", "--format=%(objectname)", "refs/e8/landed")).toBe(
      isMoved ? "" : `${commit}\n`,
    );
    expect(await git(directory, "diff", "--cached")).toBe("");
  });

  test("keeps the commit where the user's own file would be in the way", async () => {
    const directory = await project();
    await git(directory, "checkout", "-q", "main");
    await writeFile(join(directory, "b.txt"), "the user's\n");
    const branch = await opened(directory, "one", { forwards: true });
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);

    expect(await landed(branch)).toMatchObject({ is: "kept" });
    expect(await readFile(join(directory, "b.txt"), "utf8")).toBe("the user's\n");
  });

  test("works on a base that moved on beside what is kept", async () => {
    const directory = await project();
    await git(directory, "checkout", "-q", "main");
    const first = await opened(directory, "one");
    await write(first.worktree, { "b.txt": "new\n" });
    await first.gather("Add b\n", []);
    await landed(first);
    await write(directory, { "user.txt": "x\n" });
    await git(directory, "add", "-A");
    await git(directory, "commit", "-q", "-m", "user");
    const second = await opened(directory, "two");
    await write(second.worktree, { "c.txt": "newer\n" });
    await second.gather("Add c\n", []);
    expect(await landed(second)).toEqual({ is: "moved" });

    expect(await second.integrate()).toMatchObject({ is: "merged" });
    expect(await landed(second)).toMatchObject({ is: "kept" });

    await git(directory, "merge", "-q", "--ff-only", landedRef("main"));
    expect(await git(directory, "ls-tree", "--name-only", "main")).toBe(".gitignore\na.txt\nb.txt\nc.txt\nuser.txt\n");
  });

  test("goes to the remote's branch where there is one, with a lease", async () => {
    const directory = await project();
    const remote = await temporaryDirectory();
    await git(remote, "init", "-q", "--bare");
    await git(directory, "remote", "add", "origin", remote);
    await git(directory, "push", "-q", "origin", "main");
    const place = { remote: "origin" } as BranchOptions["place"];
    const branch = await opened(directory, "one", { place });
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);
    const local = await git(directory, "rev-parse", "main");

    const result = await landed(branch);

    expect(result).toMatchObject({ is: "landed", remote: "origin" });
    expect(await git(remote, "ls-tree", "--name-only", "main")).toContain("b.txt");
    expect(await git(directory, "rev-parse", "main")).toBe(local);
    expect(await branch.publish("origin")).toEqual({
      commit: (await git(branch.worktree, "rev-parse", "HEAD")).trim(),
    });
    expect(await git(remote, "branch", "--list", "e8/one")).toContain("e8/one");
  });

  test("goes to a remote that is named by a path from the checkout, and so does the branch itself", async () => {
    const directory = await project();
    const name = `${basename(directory)}-remote.git`;
    await git(dirname(directory), "init", "-q", "--bare", name);
    onTestFinished(() => rm(join(dirname(directory), name), { recursive: true }));
    await git(directory, "remote", "add", "origin", `../${name}`);
    await git(directory, "push", "-q", "origin", "main");
    const { place } = await optionsFor(directory, "one");
    const branch = await opened(directory, "one", { place: { ...place, remote: "origin" } });
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);

    expect(await branch.publish("origin")).toMatchObject({ commit: expect.any(String) });
    expect(await landed(branch)).toMatchObject({ is: "landed", remote: "origin" });
    expect(await git(join(dirname(directory), name), "show", "main:b.txt", "e8/one:b.txt")).toBe("new\nnew\n");
  });

  test("says what the remote said when it refuses", async () => {
    const directory = await project();
    const remote = await temporaryDirectory();
    await git(remote, "init", "-q", "--bare");
    await git(directory, "remote", "add", "origin", remote);
    await git(directory, "push", "-q", "origin", "main");
    await write(remote, { "hooks/pre-receive": "#!/bin/sh\necho protected branch >&2\nexit 1\n" });
    await git(remote, "config", "core.hooksPath", join(remote, "hooks"));
    await (await import("node:fs/promises")).chmod(join(remote, "hooks/pre-receive"), 0o755);
    const branch = await opened(directory, "one", { place: { remote: "origin" } as BranchOptions["place"] });
    await write(branch.worktree, { "b.txt": "new\n" });
    await branch.gather("Add b\n", []);

    expect(await landed(branch)).toMatchObject({ is: "failed", problem: saying("protected branch") });
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
