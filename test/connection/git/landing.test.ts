import { existsSync } from "node:fs";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { landedRef } from "../../../src/connection/git/base.ts";
import { checkoutOf } from "../../../src/connection/git/checkout.ts";
import { bringForward } from "../../../src/connection/git/landing.ts";
import { type BranchOptions, openBranch } from "../../../src/connection/git/open-branch.ts";
import { git, write } from "../../support/repository.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { landed, opened, optionsFor, project, removed, userCommits, usersState } from "./branch-support.ts";

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
