import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startOf } from "../../../src/connection/git/base.ts";
import { checkoutOf } from "../../../src/connection/git/checkout.ts";
import { discardBranch } from "../../../src/connection/git/discard.ts";
import { openBranch } from "../../../src/connection/git/open-branch.ts";
import { worktreePath } from "../../../src/connection/git/worktree.ts";
import { git, repository } from "../../support/repository.ts";

/** A branch with a worktree, in which a worker has left a file that no commit has. */
async function worked() {
  const project = await repository({ "a.txt": "one\n" });
  await git(project, "branch", "-M", "main");
  onTestFinished(() => rm(join(dirname(project), `${basename(project)}.worktrees`), { recursive: true, force: true }));
  const checkout = await checkoutOf(project);
  const base_commit = await startOf(checkout, { name: "main", remote: null });
  const worktree = worktreePath(checkout, null, "one");
  const place = { branch: "e8/one", base: "main", remote: null, base_commit, worktree, is_made: true };
  const locker = { id: "one", project };
  const more = { copy: [], author: null, forwards: false, isSettling: false, lane: undefined, state: "new" } as const;
  const branch = await openBranch({ project, locker, place, ...more });
  await writeFile(join(worktree, "b.txt"), "work\n");
  await branch.leave();
  const discard = () => discardBranch({ project, locker, place, author: null, words: "The work" });
  return { project, worktree, base_commit, discard };
}

test("the work of a discarded branch stays reachable, also when it is discarded again after a kill", async () => {
  const { project, worktree, discard } = await worked();

  const { tip = "" } = await discard();
  expect(await git(project, "show", `${tip}:b.txt`)).toBe("work\n");
  expect(await git(project, "rev-parse", "refs/e8/one/branch")).toContain(tip);
  expect([existsSync(worktree), await git(project, "branch", "--list", "e8/*")]).toEqual([false, ""]);

  expect(await discard()).toMatchObject({ tip });
});

test("nothing is removed where the work cannot be kept", async () => {
  const { project, worktree, discard } = await worked();
  await git(project, "update-ref", "refs/e8/one", "HEAD"); // no ref below it can be made

  await expect(discard()).rejects.toMatchObject({ code: "branch_kept" });
  expect(existsSync(join(worktree, "b.txt"))).toBe(true);
  expect(await git(project, "branch", "--list", "e8/*")).toContain("e8/one");
});
