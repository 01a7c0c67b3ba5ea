import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox, sandbox } from "../support/sandbox.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

/** A repository whose user stands on `mine`, with a check that looks for done.txt. */
async function repositoryBox(open = quickSandbox): Promise<Sandbox> {
  const box = await open();
  delete box.env.ENDLESS8_PROOF;
  await git(box.project, "init", "-q");
  await write(box.project, { "check.sh": "grep -q done done.txt\n", "a.txt": "one\n", ".gitignore": ".env\n" });
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "first");
  await git(box.project, "branch", "-M", "main");
  await git(box.project, "checkout", "-q", "-b", "mine");
  return box;
}

const TASK = ["run", "Write done.txt", "--check", "sh check.sh", "--no-intake", "--json"];

function worker(script: string): string[] {
  return [...TASK, "--agent-command", `cat > prompt.log; ${script}; rm prompt.log; echo worked`];
}

const IN_WORKTREE = ["--worktree", "--base", "main"];

async function usersState(project: string): Promise<string[]> {
  const index = await readFile(join(project, ".git/index"), "base64");
  return [
    index,
    ...(await Promise.all(
      [
        ["rev-parse", "HEAD"],
        ["status", "--porcelain"],
        ["stash", "list"],
      ].map((args) => git(project, ...args)),
    )),
  ];
}

describe("e8 run --worktree", () => {
  test("works on its own branch, merges what is proved, and leaves nothing but the merge", async () => {
    const box = await repositoryBox(sandbox);
    await write(box.project, { "a.txt": "the user is typing\n", "new.txt": "untracked\n" });
    const before = await usersState(box.project);

    const ended = await box.e8([...worker("echo done > done.txt"), ...IN_WORKTREE]);

    const result = resultOf(ended);
    expect(result).toMatchObject({
      status: "completed",
      proof: { method: "clean-room" },
      landing: { outcome: "landed", base: "main" },
      changed_files: [{ path: "done.txt", status: "added" }],
    });
    expect(await git(box.project, "show", "main:done.txt")).toBe("done\n");
    expect((await git(box.project, "rev-parse", "main")).trim()).toBe(result.landing?.commit);
    expect(await usersState(box.project)).toEqual(before);
    expect(existsSync(join(box.project, "done.txt"))).toBe(false);
    expect(await git(box.project, "branch", "--list", "e8/*")).toBe("");
    expect((await readdir(box.home)).filter((name) => name.endsWith(".worktrees"))).toEqual([]);
    expect(await readdir(join(box.project, ".git", "e8"))).toEqual([]);
    expect(ended.code).toBe(0);
  });

  test("needs a base: there is no implicit one", async () => {
    const box = await repositoryBox();

    const ended = await box.e8([...worker("true"), "--worktree"]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("the branch to start from and to land on is not named");
    expect(await box.tasks()).toEqual([]);
  });

  test.each([
    ["outside a repository", rmGit, "not in a git repository"],
    ["with a base that does not exist", async () => {}, "no branch gone"],
  ])("is refused %s, and nothing is made", async (_, prepare, words) => {
    const box = await repositoryBox();
    await prepare(box);

    const ended = await box.e8([...worker("true"), "--worktree", "--base", words.includes("gone") ? "gone" : "main"]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(words);
    expect(await box.tasks()).toEqual([]);
  });

  test("a checkout of the base is not moved; the report has the command that brings it forward", async () => {
    const box = await repositoryBox();
    await git(box.project, "checkout", "-q", "main");
    const before = await usersState(box.project);

    const ended = await box.e8([...worker("echo done > done.txt"), ...IN_WORKTREE]);

    const { landing } = resultOf(ended);
    expect(landing).toMatchObject({ outcome: "kept", forward: expect.stringContaining("merge --ff-only") });
    expect(await usersState(box.project)).toEqual(before);
    await git(box.project, "merge", "-q", "--ff-only", "refs/e8/landed/main");
    expect(await readFile(join(box.project, "done.txt"), "utf8")).toBe("done\n");
  });

  test.skipIf(!hasTmux)("at a terminal, e8 offers to bring a checkout of the base forward", async () => {
    const box = await repositoryBox();
    await git(box.project, "checkout", "-q", "main");
    await writeFile(join(box.project, "a.txt"), "the user is typing\n");
    const words = ["run", "Write done.txt", "--check", "sh check.sh", "--no-intake", "--plain", ...IN_WORKTREE];
    const terminal = await openTerminal(box, [...words, "--agent-command", "cat >/dev/null; echo done > done.txt"]);

    await terminal.shows("Run it now?");
    expect(existsSync(join(box.project, "done.txt"))).toBe(false);
    await terminal.press("y");

    await terminal.shows("The checkout of main was brought forward.");
    await terminal.shows("exit code 0");
    expect(await readFile(join(box.project, "done.txt"), "utf8")).toBe("done\n");
    expect(await git(box.project, "status", "--porcelain")).toBe(" M a.txt\n");
  });

  test("a worktree is provisioned with copies and a setup command, and a setup that fails says so", async () => {
    const box = await repositoryBox();
    await write(box.project, { ".env": "KEY=1\n" });
    const settings = {
      worktree: { base: "main", copy: [".env"], setup: "cp .env set-up.txt" },
      finalize: { merge: false },
    };
    await writeFile(join(box.project, "endless8.yaml"), JSON.stringify(settings));

    const ended = await box.e8([...worker("cat set-up.txt && echo done > done.txt"), "--worktree"]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", landing: null });
    expect(ended.stderr).toContain("git merge e8/");
    const [worktree = ""] = await readdir(join(box.home, "my project.worktrees"));
    expect(await readFile(join(box.home, "my project.worktrees", worktree, "done.txt"), "utf8")).toBe("done\n");
    await writeFile(
      join(box.project, "endless8.yaml"),
      JSON.stringify({ worktree: { base: "main", setup: "echo no network; exit 7" } }),
    );
    const failed = await box.e8([...worker("true"), "--worktree"]);
    expect(failed.code).toBe(2);
    expect(failed.stdout).toContain("no network");
  });

  test("a base that moved meanwhile comes into the worktree, and the merged tree is proved before it lands", async () => {
    const box = await repositoryBox();
    const move = `git -C '${box.project}' worktree add -q '${box.home}/user' main && cd '${box.home}/user' && echo more > b.txt && git add b.txt && git -c user.name=u -c user.email=u@x commit -qm user && cd - && git worktree remove --force '${box.home}/user'`;

    const ended = await box.e8([
      ...worker(
        `echo done > done.txt; if ! git -C '${box.project}' cat-file -e main:b.txt 2>/dev/null; then ${move}; fi`,
      ),
      ...IN_WORKTREE,
    ]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", landing: { outcome: "landed" } });
    const types = (await box.records()).map(({ type }) => type);
    expect(types.filter((type) => type === "proof")).toHaveLength(2);
    expect(await git(box.project, "ls-tree", "--name-only", "main")).toBe(
      ".gitignore\na.txt\nb.txt\ncheck.sh\ndone.txt\n",
    );
  });

  test("a conflict goes to the next worker, with the merge in progress and the files in its prompt", async () => {
    const box = await repositoryBox();
    await write(box.home, { "worker.sh": conflictWorker(box) });

    const ended = await box.e8([...TASK, "--agent-command", `sh '${box.home}/worker.sh'`, ...IN_WORKTREE]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2, landing: { outcome: "landed" } });
    expect(await git(box.project, "show", "main:a.txt")).toBe("both\n");
    const landings = (await box.records()).filter((record) => record.type === "landing");
    expect(landings).toMatchObject([{ outcome: "conflict", files: ["a.txt"] }, { outcome: "landed" }]);
  });

  test("work that does not get done stays, and the report says where; where there was nothing to do, nothing stays", async () => {
    const box = await repositoryBox();
    const task = worker("echo half > half.txt").filter((word) => word !== "--json");

    const ended = await box.e8([...task, ...IN_WORKTREE, "-n", "1"]);
    const [id = ""] = await box.tasks();
    const shown = await box.e8(["show", id]);

    const place = join("..", `${basename(box.project)}.worktrees`, id);
    for (const { stdout } of [ended, shown]) expect(stdout).toContain(`the work is in '${place}', on branch e8/${id}`);
    expect(await readFile(join(box.project, place, "half.txt"), "utf8")).toBe("half\n");

    const nothing = await box.e8([...TASK.with(3, "test -f a.txt"), "--agent-command", "true", ...IN_WORKTREE]);
    expect(resultOf(nothing)).toMatchObject({ status: "completed", stop_reason: "already_true" });
    expect(resultOf(nothing).kept_in).toBeUndefined();
    expect(await readdir(join(box.project, place, ".."))).toEqual([id]);
    expect((await git(box.project, "branch", "--list", "e8/*")).trim()).toBe(`+ e8/${id}`);
  });

  test("with on_conflict stop everything is kept, and the run says so", async () => {
    const box = await repositoryBox();
    await write(box.home, { "worker.sh": conflictWorker(box) });
    await writeFile(join(box.project, "endless8.yaml"), JSON.stringify({ finalize: { on_conflict: "stop" } }));

    const ended = await box.e8([...TASK, "--agent-command", `sh '${box.home}/worker.sh'`, ...IN_WORKTREE]);

    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({
      stop_reason: "not_landed",
      landing: { outcome: "failed", files: ["a.txt"] },
    });
    expect(await git(box.project, "show", "main:a.txt")).toBe("the user's\n");
    expect(await git(box.project, "branch", "--list", "e8/*")).not.toBe("");
  });

  test("what is pushed lands on the remote, and the local branch stays where it was", async () => {
    const box = await repositoryBox();
    await withRemote(box);
    const local = await git(box.project, "rev-parse", "main");

    const ended = await box.e8([...worker("echo done > done.txt"), ...IN_WORKTREE, "--push"]);

    expect(resultOf(ended).landing).toMatchObject({ outcome: "landed", remote: "origin" });
    expect(await git(join(box.home, "remote.git"), "show", "main:done.txt")).toBe("done\n");
    expect(await git(box.project, "rev-parse", "main")).toBe(local);
  });

  test("the worker cannot write into the user's checkout, and can commit on its branch", async () => {
    const box = await repositoryBox();
    const script = `echo done > done.txt; echo mine > '${box.project}/a.txt'; git add done.txt; git -c user.name=w -c user.email=w@x commit -qm done`;

    const ended = await box.e8([...worker(script), ...IN_WORKTREE]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", landing: { outcome: "landed" } });
    expect(await readFile(join(box.project, "a.txt"), "utf8")).toBe("one\n");
    expect(await git(box.project, "log", "--format=%s", "main")).toContain("done");
  });

  test("a pull request takes the place of the merge, with the evidence; unproved work is a draft", async () => {
    const box = await repositoryBox();
    await withRemote(box);
    await write(box.project, { ".e8/issues/1.md": "---\ntitle: Write done.txt\n---\nPlease.\n" });
    const authors = JSON.stringify({ finalize: { author: "Robot <robot@example.com>" } });
    await writeFile(join(box.project, "endless8.yaml"), authors);
    const wish = [...worker("echo done > done.txt"), ...IN_WORKTREE, "--create-pr"];

    const proved = resultOf(await box.e8(wish));
    const unproved = resultOf(await box.e8([...wish, "--proof", "none"]));

    const { branch = "" } = proved.landing ?? {};
    expect(proved).toMatchObject({ status: "completed", landing: { outcome: "published", remote: "origin" } });
    expect(await git(join(box.home, "remote.git"), "log", "-1", "--format=%an", branch)).toBe("Robot\n");
    expect(await git(join(box.home, "remote.git"), "ls-tree", "--name-only", "main")).not.toContain("done.txt");
    const request = await readFile(join(box.project, ".e8/issues/2.md"), "utf8");
    expect(request).toContain(`head: ${branch}`);
    expect(request).toMatch(/Proved in a clean checkout of/);
    expect(request).toContain("`sh check.sh` exits 0");
    expect(request).not.toContain("draft: true");
    expect(unproved.landing).toMatchObject({ outcome: "published", pull_request: { number: 3 } });
    expect(await readFile(join(box.project, ".e8/issues/3.md"), "utf8")).toContain("draft: true");
    expect(await git(box.project, "branch", "--list", "e8/*")).toBe("");
  });
});

async function withRemote(box: Sandbox): Promise<void> {
  await git(box.home, "init", "-q", "--bare", "remote.git");
  await git(box.project, "remote", "add", "origin", join(box.home, "remote.git"));
  await git(box.project, "push", "-q", "origin", "main");
}

/** The first time it makes a change that conflicts with one of the user's; then it settles the conflict. */
function conflictWorker({ project, home }: Sandbox): string {
  return `prompt=$(cat)
if git rev-parse -q --verify MERGE_HEAD >/dev/null; then
  case "$prompt" in *"conflicts in a.txt"*) echo both > a.txt ;; esac
  echo settled
  exit 0
fi
echo done > done.txt
echo mine > a.txt
git -C '${project}' worktree add -q '${home}/user' main && cd '${home}/user' && echo "the user's" > a.txt &&
git -c user.name=u -c user.email=u@x commit -qam user && git -C '${project}' worktree remove --force '${home}/user'
echo worked
`;
}

async function rmGit(box: Sandbox): Promise<void> {
  const { rm } = await import("node:fs/promises");
  await rm(join(box.project, ".git"), { recursive: true });
}
