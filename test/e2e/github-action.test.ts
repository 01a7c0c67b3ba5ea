import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import { readAction, runAction } from "../support/action-runner.ts";
import { startGithub } from "../support/github-server.ts";
import { git, write } from "../support/repository.ts";
import { type Sandbox, sandbox, scriptedSandbox } from "../support/sandbox.ts";
import { asks } from "../support/stories.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));
const HOSTILE = 'Add done.txt"; touch stolen; $(touch stolen) `touch stolen` $' + "{{ github.token }}";

/** A repository with a remote to push to and a loopback GitHub, on which ann may write. */
async function actionBox(words: readonly string[], given?: Sandbox) {
  const box = given ?? (await sandbox());
  const settings = given ? parse(await box.read("endless8.yaml")) : {};
  const github = await startGithub({ 7: { title: HOSTILE, body: "EOF\n--version\n\nPlease write done.txt." } });
  github.permissions = { ann: "write", eve: "read" };
  await git(box.home, "init", "-q", "--bare", "remote.git");
  await git(box.project, "init", "-q", "-b", "main");
  await write(box.project, {
    "a.txt": "one\n",
    "endless8.yaml": JSON.stringify({ ...settings, finalize: { remote: "work" } }),
  });
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "first");
  await git(box.project, "remote", "add", "work", join(box.home, "remote.git"));
  await git(box.project, "remote", "add", "origin", "https://github.com/some-owner/some.repo.git");
  await git(box.project, "push", "-q", "work", "main");
  const inputs = {
    program: `${process.execPath}\n${E8}`,
    checks: given ? "" : "test -f done.txt\n", // where there are checks, nobody asks
    criteria: "",
    arguments: words.join("\n"),
  };
  const { ENDLESS8_PROOF: _, ...env } = box.env;
  const call = (event: [string, object]) =>
    runAction({
      inputs,
      event,
      project: box.project,
      temporary: join(box.home, "runner"),
      env: {
        ...env,
        GITHUB_API_URL: github.url,
        GITHUB_TOKEN: github.token,
        GITHUB_REPOSITORY: "some-owner/some.repo",
      },
    });
  return { box, github, call };
}

/** Nobody but this worker and the checks. */
const alone = (worker: string) => ["--only", "--no-intake", "--max-iterations=1", `--agent-command=${worker}`];

const ISSUE = { number: 7, title: HOSTILE, body: "EOF\n--version\n\nPlease write done.txt.", state: "open" };
const labeled = (login: string, name = "e8"): [string, object] => [
  "issues",
  { action: "labeled", label: { name }, issue: ISSUE, sender: { login } },
];
const commented = (login: string, body: string): [string, object] => [
  "issue_comment",
  { action: "created", comment: { body }, issue: ISSUE, sender: { login } },
];

test("a maintainer's comment hands an issue over: the work is proved, a pull request has the report, the issue and the summary say so", async () => {
  const { box, github, call } = await actionBox(alone("cat > ../prompt; echo done > done.txt"));
  await writeFile(join(box.home, "prompt"), "");

  const ended = await call(commented("ann", "/e8 in small steps\nand with care"));

  expect(ended.code, ended.log).toBe(0);
  expect(ended.outputs).toMatchObject({ started: "true", status: "completed", "exit-code": "0" });
  const pull = github.issues.get(8);
  expect(pull?.pull_request).toMatchObject({ base: "main", merged: false });
  expect(ended.outputs["pull-request"]).toMatch(/\/8$/);
  expect(await git(join(box.home, "remote.git"), "show", `${pull?.pull_request?.head}:done.txt`)).toBe("done\n");
  const [report = ""] = github.comments.get(8)?.map(({ body }) => body) ?? [];
  expect(report).toContain("## ✅ Done and proved");
  expect(report).toContain("| 1 | test \\-f done.txt | ✅ met |");
  expect(report).toContain("The claim of iteration 1 holds.");
  expect(github.comments.get(7)?.at(-1)?.body).toBe("This is done and proved: #8.");
  expect(ended.summary).toContain("endless8: issue #7");
  expect(ended.summary).toContain(report.trim());
  expect(ended.summary).not.toContain("$(touch");
  const [task] = JSON.parse((await box.e8(["list", "--json"])).stdout);
  expect(task.task).toContain(HOSTILE);
  expect(task.task).toContain("A maintainer adds:\nin small steps\nand with care");
  expect(await git(box.project, "status", "--porcelain")).not.toContain("stolen");
});

test("a label does the same; what is not done is a failed job with its exit code, and is said", async () => {
  const { github, call } = await actionBox(alone("echo nothing"));

  const ended = await call(labeled("ann"));

  expect(ended.code, ended.log).toBe(1);
  expect(ended.outputs).toMatchObject({ started: "true", status: "max_iterations", "exit-code": "1" });
  expect(github.comments.get(7)?.at(-1)?.body).toContain("ended as max_iterations");
  expect(ended.summary).toContain("## ❌ Not done");
  expect(ended.summary).toContain("| 1 | test \\-f done.txt | ❌ not met |");
});

test("a run that has questions fails the job with 4, and the issue has the questions to answer", async () => {
  const question = { question: "Which file?", context: "There are two.", suggested_answers: ["done.txt", "a.txt"] };
  const { github, call } = await actionBox([], await scriptedSandbox(story(asks(question))));

  const ended = await call(commented("ann", "/e8"));

  expect(ended.code, ended.log).toBe(4);
  expect(ended.outputs).toMatchObject({ status: "clarification_needed", "exit-code": "4", "pull-request": "" });
  for (const said of [github.comments.get(7)?.at(-1)?.body, ended.summary]) {
    expect(said).toContain("1. Which file?");
    expect(said).toContain("Suggested: done.txt / a.txt");
  }
});

test("a run that cannot begin fails the job with 2, and the issue is told of an error", async () => {
  const { github, call } = await actionBox(["--max-cost=nothing"]);

  const ended = await call(labeled("ann"));

  expect(ended.code, ended.log).toBe(2);
  expect(ended.outputs).toMatchObject({ started: "true", "task-id": "", status: "error", "exit-code": "2" });
  expect(ended.log).toContain("--max-cost");
  expect(github.comments.get(7)?.at(-1)?.body).toContain("This ended as error.");
});

test.each([
  ["somebody who may only read", commented("eve", "/e8")],
  ["a label of somebody who may only read", labeled("eve")],
  ["another label", labeled("ann", "bug")],
  ["a comment about something else", commented("ann", "/e8x do it")],
  ["a comment that quotes the command", commented("ann", "> /e8\nno")],
])("%s starts nothing", async (_, event) => {
  const { github, call } = await actionBox(alone("echo done > done.txt"));

  const ended = await call(event);

  expect(ended).toMatchObject({ code: 0, outputs: { started: "false", "task-id": "" }, summary: "" });
  expect(github.comments.size).toBe(0);
});

test("no step puts a value into a script: they come in the environment only", async () => {
  const { runs, inputs } = await readAction();
  const workflow = parse(
    await readFile(fileURLToPath(new URL("../../examples/github-action/endless8.yml", import.meta.url)), "utf8"),
  );

  for (const { run, shell } of runs.steps) {
    expect(run).not.toContain("${{");
    expect(shell).toBe("bash");
  }
  const steps: { run?: string; uses?: string; with?: object }[] = workflow.jobs.work.steps;
  for (const { run = "" } of steps) expect(run).not.toContain("${{");
  const given = steps.find(({ uses }) => uses?.startsWith("endless8/"))?.with ?? {};
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
});
