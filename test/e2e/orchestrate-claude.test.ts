import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { answer, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Scene } from "../../src/connection/agents/scripted/model/story.ts";
import { eventually } from "../connection/processes/helpers.ts";
import { addIssues, addRemote, expectGreen, expectNothingLeft, issueIn, landings } from "../support/landed-backlog.ts";
import { git, write } from "../support/repository.ts";
import { type Sandbox, type Started, sandbox } from "../support/sandbox.ts";
import { always, report } from "../support/stories.ts";
import { processesOf } from "../support/users-repository.ts";

const ISSUES = [1, 2, 3, 4, 5, 6];

/** Issues 1 and 2 change the same line. A worker that finds a conflict settles it. */
function worksOn(issue: number): Scene {
  const line = issue <= 2 ? `; echo "by ${issue}" > a.txt` : "";
  const command = `echo done > done-${issue}.txt${line}; git add -A; git -c user.name=w -c user.email=w@x commit -qm "work on ${issue}"`;
  const who = { who: "executor", when: `Issue #${issue}: `, repeat: true };
  return scene(who, { ...use("Bash", { command }), delay_ms: 300 }, report(`wrote done-${issue}.txt`));
}

async function project(): Promise<{ box: Sandbox; remote: string }> {
  const reviews = always(scene("reviewer", answer({ findings: [], criteria: [] })));
  const box = await sandbox(story(...ISSUES.map(worksOn), reviews));
  delete box.env.ENDLESS8_PROOF;
  await git(box.project, "init", "-q", "-b", "main");
  await write(box.project, {
    ...{ "a.txt": "start\n", "user.txt": "start\n", ".gitignore": ".e8/\n.env\n" },
    "endless8.yaml": "models: { summarizer: none }\n",
  });
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "first");
  const remote = await addRemote(box);
  await git(box.project, "checkout", "-q", "-b", "mine");
  await write(box.project, { "user.txt": "stashed\n" });
  await git(box.project, "stash", "-q");
  await write(box.project, { "staged.txt": "staged\n", "a.txt": "the user is typing\n", ".env": "KEY=1\n" });
  await git(box.project, "add", "staged.txt");
  await addIssues(box, ISSUES.length);
  return { box, remote };
}

/** Commits on the user's own branch, again and again, beside a file that is staged and one that is being changed. */
async function userWorks({ project }: Sandbox, { ended }: Started): Promise<string[]> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const commits: string[] = [];
  while (!isOver) {
    await write(project, { "user.txt": `line ${commits.length}\n`, "a.txt": `typed ${commits.length}\n` });
    await git(project, "commit", "-q", "-m", `user ${commits.length}`, "--", "user.txt");
    commits.push((await git(project, "rev-parse", "HEAD")).trim());
    await sleep(700);
  }
  return commits;
}

async function expectUsersWork({ project }: Sandbox, commits: readonly string[], stash: string): Promise<void> {
  const own = (await git(project, "rev-list", "--reverse", "main..mine")).trim().split("\n");
  expect(own).toEqual(commits);
  expect(await git(project, "status", "--porcelain")).toBe(" M a.txt\nA  staged.txt\n");
  expect(await git(project, "diff", "--", "a.txt")).toContain(`+typed ${commits.length - 1}`);
  expect(await git(project, "symbolic-ref", "HEAD")).toBe("refs/heads/mine\n");
  expect(await git(project, "rev-parse", "stash")).toBe(stash);
}

test("six issues, three at a time, on the real Claude Code, while the user works: all land, and every commit is green", {
  timeout: 240_000,
}, async () => {
  const { box, remote } = await project();
  const stash = await git(box.project, "rev-parse", "stash");
  const main = await git(box.project, "rev-parse", "main");
  const command = ["orchestrate", "--base", "main", "--push", "--parallel", "3", "--no-intake", "--json"];

  const started = box.start(command);
  const commits = await userWorks(box, started);
  const ended = await started.ended;

  const { items } = JSON.parse(ended.stdout) as { items: { issue: number; state: string }[] };
  expect(items, ended.stderr).toMatchObject(ISSUES.map((issue) => ({ issue, state: "done", landing: "landed" })));
  expect((await landings(remote, "main")).sort()).toEqual(ISSUES);
  for (const issue of ISSUES) expect(await issueIn(box, issue)).toEqual({ is_closed: true, comments: 1 });
  await expectGreen(box, remote, "main");
  expect(commits.length).toBeGreaterThan(2);
  await expectUsersWork(box, commits, stash);
  expect(await git(box.project, "rev-parse", "main")).toBe(main);
  await eventually("no process is left", () => processesOf(box).length === 0);
  await expectNothingLeft(box);
  expect(box.model.unmatched).toBe(0);
});
