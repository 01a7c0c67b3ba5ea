import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WORKFLOW } from "../orchestrator/support.ts";
import { startGithub } from "../support/github-server.ts";
import { quickSandbox } from "../support/in-process.ts";

const COMMAND = "echo '```'\nnpm test | tail";

test("a backlog without a network: issues are added, listed, shown and closed", async () => {
  const { e8, project } = await quickSandbox();
  expect(await e8(["issues"])).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("e8 issues add") });

  const added = await e8(["issues", "add", "ログを直す", "-c", "one\nline", "--check", COMMAND, "--label", "bug"]);
  await e8(["issues", "add", "Second", "-b", "Because.", "--blocked-by", "#1", "--priority", "high", "--base", "main"]);

  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Issue #1 was added: .*\.e8\/issues\/1\.md\n$/),
  });
  const { stdout: list } = await e8(["issues", "--state", "all"]);
  expect(list).toMatch(/^# +state +age +labels +title\n1 +open +\d+ s +bug +ログを直す\n2 +open +\d+ s +Second\n$/);
  const { stdout: shown } = await e8(["issues", "show", "2"]);
  expect(shown).toContain("#2 Second (open)");
  expect(shown).toMatch(/priority: high\nblocked by: #1\nbase: main\n\ntask:\n {2}Second\n\n {2}Because\.\n/);
  expect(shown).toContain("none: the intake will ask");

  expect(await e8(["issues", "close", "#2"])).toMatchObject({ code: 0, stdout: "Issue #2 is closed.\n" });
  const { stdout: closed } = await e8(["issues", "--state", "closed", "--json"]);
  expect(JSON.parse(closed)).toMatchObject([{ number: 2, state: "CLOSED", blocked_by: [1] }]);
  expect(await readFile(join(project, ".e8/issues/2.md"), "utf8")).toContain("state: CLOSED");
});

test("what was added is shown as a run would be told", async () => {
  const { e8 } = await quickSandbox();
  await e8(["issues", "add", "Fix", "-b", "-", "-c", "it works", "--check", COMMAND], {
    stdin: "Words.\n```\nunclosed",
  });

  const { stdout } = await e8(["issues", "show", "1", "--json"]);

  expect(JSON.parse(stdout)).toMatchObject({
    title: "Fix",
    comments: [],
    task: {
      task: "Fix\n\nWords.\n```\nunclosed\n```",
      criteria: [
        { type: "semantic", text: "it works" },
        { type: "command", command: COMMAND },
      ],
    },
  });
});

test("only issues with all labels are listed, and no more than the limit", async () => {
  const { e8 } = await quickSandbox();
  for (const labels of [["a", "b"], ["a"], ["B", "a"]])
    await e8(["issues", "add", labels.join(), ...labels.flatMap((label) => ["--label", label])]);
  const titles = async (...flags: string[]) =>
    JSON.parse((await e8(["issues", "list", "--json", ...flags])).stdout).map(({ title }: { title: string }) => title);

  expect(await titles("--label", "a", "--label", "b")).toEqual(["a,b", "B,a"]);
  expect(await titles("--limit", "2")).toEqual(["a,b", "a"]);
});

test.each([
  [["list", "--state", "done"], "--state"],
  [["list", "--limit", "0"], "--limit"],
  [["show", "twelve"], "the number of an issue"],
  [["add", "two\nlines"], "one line"],
  [["add", "x", "--blocked-by", "y"], "--blocked-by"],
  [["add", "x", "--base", "a b"], "--base"],
  [["add"], "title"],
])("e8 issues %j says what is wrong, and writes nothing", async (args, problem) => {
  const { e8 } = await quickSandbox();

  const { code, stderr } = await e8(["issues", ...args]);

  expect(code).toBe(2);
  expect(stderr).toContain(problem);
  expect((await e8(["issues", "--json"])).stdout).toBe("[]\n");
});

test("an issue that does not exist, and a file that cannot be read, are named with what to do", async () => {
  const { e8, project } = await quickSandbox();
  await e8(["issues", "add", "One"]);

  const missing = await e8(["issues", "show", "7"]);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toMatch(/could not read issue #7: .*7\.md does not exist/);
  expect(missing.stderr).toContain("e8 issues show 7");

  await writeFile(join(project, ".e8/issues/1.md"), "---\nstate: nearly\n---\n");
  const broken = await e8(["issues"]);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toMatch(/could not read #1: .*state/);
});

test("the backlog is GitHub's where the project has such a remote; a wrong token is told, and not shown", async () => {
  const github = await startGithub({
    4: { title: "On GitHub", labels: ["bug"] },
    5: { title: "PR", pull_request: { merged: false } },
  });
  const { e8, project } = await quickSandbox();
  execFileSync("git", ["init", "-q", project]);
  execFileSync("git", ["remote", "add", "origin", "git@github.com:some-owner/some.repo.git"], { cwd: project });
  const env = { GITHUB_TOKEN: github.token, GITHUB_API_URL: github.url };

  expect((await e8(["issues"], { env })).stdout).toMatch(/^#.*\n4 +open +\d+ d +bug +On GitHub\n$/);
  const { stdout } = await e8(["issues", "add", "New", "-c", "a", "--priority", "P1"], { env });
  expect(stdout).toBe("Issue #6 was added: https://github.test/issues/6\n");
  expect(github.issues.get(6)?.body).toBe("## Acceptance criteria\n\n- [ ] a\n\nPriority: P1");

  const refused = await e8(["issues"], { env: { ...env, GITHUB_TOKEN: "a-wrong-secret" } });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("could not list the issues of some-owner/some.repo: 401 Bad credentials");
  expect(refused.stderr).toContain("gh auth login");
  expect(refused.stderr).not.toContain("a-wrong-secret");
});

test("the labels of workflow.json are created, and changed where they differ", async () => {
  const { e8, project } = await quickSandbox();
  const missing = await e8(["labels", "sync"]);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/There is no .*\.agent\/workflow\.json/) });
  await mkdir(join(project, ".agent"), { recursive: true });
  const write = (more: object) =>
    writeFile(join(project, ".agent/workflow.json"), JSON.stringify({ ...WORKFLOW, ...more }));
  await write({});

  const dry = await e8(["labels", "sync", "--dry-run"]);
  expect(dry.stdout).toContain("created  ready\n");
  const { stdout } = await e8(["labels", "sync", "--json"]);
  expect(JSON.parse(stdout)).toContainEqual({
    name: "ready",
    color: "0e8a16",
    description: "To be implemented",
    change: "created",
  });
  expect((await e8(["labels", "sync"])).stdout).not.toMatch(/created|updated/);

  await write({ labels: { ready: { color: "ffffff" } } });
  expect((await e8(["labels", "sync"])).stdout).toContain("updated    ready\n");

  await write({ labelMapping: { ready: "imple" } });
  const broken = await e8(["labels", "sync"]);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain('There is no phase "imple"');
});

test("in Japanese", async () => {
  const { e8 } = await quickSandbox();
  await e8(["issues", "add", "直す"]);

  expect((await e8(["issues", "--lang", "ja"])).stdout).toMatch(/^# +状態 +経過 +ラベル +件名\n1 +未完了/);
  expect((await e8(["issues", "show", "9", "--lang", "ja"])).stderr).toContain("イシュー #9 の読み取り");
});
