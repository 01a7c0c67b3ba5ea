import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addIssue, appears, backlogBox, HONEST, leftovers, outcomeOf, RUN, worker } from "../support/backlog-box.ts";
import { issueIn } from "../support/landed-backlog.ts";
import { git, write } from "../support/repository.ts";

describe("e8 orchestrate", () => {
  test("works on every issue on its own branch, merges what is proved, and closes the issues", async () => {
    const box = await backlogBox({ 1: "", 2: "", 3: "" });
    const before = await git(box.project, "status", "--porcelain");

    const ended = await box.e8([...RUN, ...HONEST, "--parallel", "2"]);

    expect(outcomeOf(ended).items).toMatchObject(
      [1, 2, 3].map((issue) => ({ issue, state: "done", landing: "landed" })),
    );
    expect(await git(box.project, "ls-tree", "--name-only", "main")).toContain("done-1.txt\ndone-2.txt\ndone-3.txt");
    const files = await Promise.all([1, 2, 3].map((n) => readFile(join(box.project, `.e8/issues/${n}.md`), "utf8")));
    for (const file of files) expect(file).toContain("state: CLOSED");
    expect(await leftovers(box)).toEqual([]);
    expect(await git(box.project, "status", "--porcelain")).toBe(before);
    expect(ended.code).toBe(0);
  });

  test("two issues that change one line both end merged: the second one settles the conflict", async () => {
    const box = await backlogBox({ 1: "", 2: "" });

    const ended = await box.e8([...RUN, ...worker('echo done > done-$n.txt; echo "by $n" > a.txt'), "--parallel", "2"]);

    expect(outcomeOf(ended).items).toMatchObject([{ state: "done" }, { state: "done" }]);
    const commits = (await git(box.project, "rev-list", "--first-parent", "main")).trim().split("\n");
    expect(commits).toHaveLength(3);
  });

  test("an issue whose checks pass already is closed without work, says so, and is worked on when it is opened again", async () => {
    const box = await backlogBox({ 1: "" });
    await git(box.project, "checkout", "-q", "main");
    await write(box.project, { "done-1.txt": "done\n" });
    await git(box.project, "add", "-A");
    await git(box.project, "commit", "-q", "-m", "the user's own");
    await git(box.project, "checkout", "-q", "mine");

    const ended = await box.e8([...RUN, ...HONEST]);

    expect(outcomeOf(ended).items).toMatchObject([{ issue: 1, state: "done" }]);
    expect(await issueIn(box, 1)).toEqual({ is_closed: true, comments: 1 });
    expect(await box.read(".e8/issues/1.comments/1.md")).toContain("there was nothing to do");
    expect(await leftovers(box)).toEqual([]);
    expect((await git(box.project, "rev-list", "--count", "main")).trim()).toBe("2");

    await addIssue(box, 1);
    expect(outcomeOf(await box.e8([...RUN, ...HONEST])).items).toMatchObject([{ issue: 1, state: "done" }]);
    expect(await issueIn(box, 1)).toEqual({ is_closed: true, comments: 2 });
  });

  test("an issue waits for those that block it, and for ever for one that nobody closes", async () => {
    const box = await backlogBox({ 1: "Blocked by #2", 2: "", 3: "Blocked by #9" });

    const ended = await box.e8([...RUN, ...HONEST, "--parallel", "3"]);

    const { items } = outcomeOf(ended);
    expect(items).toMatchObject([
      { issue: 1, state: "done" },
      { issue: 2, state: "done" },
      { issue: 3, state: "waits", blocked_by: [9] },
    ]);
    const order = (await git(box.project, "log", "--first-parent", "--reverse", "--format=%s", "main"))
      .trim()
      .split("\n");
    expect(order.slice(1)).toEqual(["Merge feature/issue-2 into main", "Merge feature/issue-1 into main"]);
    expect(ended.code).toBe(1);
  });

  test("what does not get done waits for a person, everything is kept, and --resume takes it up again", async () => {
    const box = await backlogBox({ 1: "" });
    const half = worker("test -e ~/.cache/go && echo done > done-$n.txt");

    const first = await box.e8([...RUN, ...half, "-n", "1"]);
    await write(box.home, { ".cache/go": "" });
    const idle = await box.e8([...RUN, ...half]);
    const resumed = await box.e8([...RUN, ...half, "--resume", "-n", "3"]);

    expect(outcomeOf(first).items).toMatchObject([{ state: "parked", problem: { code: "issue_not_done" } }]);
    expect(first.code).toBe(1);
    expect(outcomeOf(idle).items).toMatchObject([{ state: "parked" }]);
    expect(await box.tasks()).toHaveLength(1);
    expect(outcomeOf(resumed).items).toMatchObject([{ state: "done", landing: "landed" }]);
    expect(await leftovers(box)).toEqual([]);
  });

  test("--dry-run says what would run, in which order, on which branches, and changes nothing", async () => {
    const box = await backlogBox({ 1: "", 2: "Priority: high", 3: "Blocked by #1" });

    const ended = await box.e8([...RUN, ...HONEST, "--dry-run"]);

    expect(JSON.parse(ended.stdout)).toMatchObject({
      next: [
        { issue: { number: 2 }, branch: "feature/issue-2", base: "main" },
        { issue: { number: 1 }, branch: "feature/issue-1", base: "main" },
      ],
      waiting: [{ issue: { number: 3 }, blocked_by: [1] }],
    });
    expect(await box.tasks()).toEqual([]);
    expect(existsSync(join(box.project, ".e8/backlog"))).toBe(false);
  });

  test.each([
    ["without a base", [], "base_unnamed"],
    ["with a base that does not exist", ["--base", "gone"], "base_missing"],
  ])("%s nothing is begun, and the issue says why", async (_, flags, code) => {
    const box = await backlogBox({ 1: "" });

    const ended = await box.e8(["orchestrate", "--json", ...flags, ...HONEST]);

    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain(code);
    expect(await leftovers(box)).toEqual([]);
    expect(await box.tasks()).toEqual([]);
  });

  test("two at once: the second one is refused", async () => {
    const box = await backlogBox({ 1: "" });
    const slow = box.start([
      ...RUN,
      ...worker(`touch ~/.cache/begun; until [ -e ~/.cache/go ]; do sleep 0.1; done; echo done > done-$n.txt`),
    ]);
    await appears(box, ".cache/begun");

    const second = await box.e8([...RUN, ...HONEST]);
    await write(box.home, { ".cache/go": "" });

    expect(second.code).toBe(2);
    expect(second.stderr).toContain("worked on already");
    expect(outcomeOf(await slow.ended).items).toMatchObject([{ state: "done" }]);
  });
});
