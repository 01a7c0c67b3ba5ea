import { cp, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commitAll } from "../support/agents.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git } from "../support/repository.ts";
import type { Sandbox } from "../support/sandbox.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));

/** As its README says: a copy in a repository, whose user is not on main, with the issues in their place. */
async function copyOf(name: string): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF; // as users run them
  await cp(join(EXAMPLES, name), box.project, { recursive: true });
  await box.write(".e8/made", "");
  await rename(join(box.project, "issues"), join(box.project, ".e8/issues"));
  await commitAll(box);
  await git(box.project, "branch", "-M", "main");
  await git(box.project, "checkout", "-q", "-b", "mine");
  const author = { GIT_AUTHOR_NAME: "Test", GIT_AUTHOR_EMAIL: "test@example.invalid" };
  const committer = { GIT_COMMITTER_NAME: "Test", GIT_COMMITTER_EMAIL: "test@example.invalid" };
  Object.assign(box.env, author, committer);
  return box;
}

/** The command of the README that does the work. */
async function commandOf(name: string): Promise<string[]> {
  const readme = await readFile(join(EXAMPLES, name, "README.md"), "utf8");
  const line = /^e8 (orchestrate (?!.*--dry-run).*)$/m.exec(readme)?.[1] ?? "";
  return line.split(" ");
}

async function merges(box: Sandbox): Promise<string[]> {
  const subjects = await git(box.project, "log", "--first-parent", "--reverse", "--format=%s", "main");
  return subjects.trim().split("\n").slice(1);
}

async function shown(box: Sandbox, issue: number) {
  return JSON.parse((await box.e8(["issues", "show", String(issue), "--json"])).stdout);
}

describe("examples/backlog", () => {
  test("two issues are merged, then the one that waits for them; all are closed, and the user's branch stays", async () => {
    const box = await copyOf("backlog");

    const ended = await box.e8([...(await commandOf("backlog")), "--json"]);

    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    expect(JSON.parse(ended.stdout).items).toMatchObject(
      [1, 2, 3].map((issue) => ({ issue, state: "done", landing: "landed" })),
    );
    expect((await merges(box)).at(-1)).toBe("Merge feature/issue-3 into main");
    expect(await git(box.project, "show", "main:LANGUAGES.md")).toBe("English (en), French (fr), Japanese (ja)\n");
    for (const issue of [1, 2, 3]) expect(await shown(box, issue)).toMatchObject({ state: "CLOSED" });
    expect(await git(box.project, "status", "--porcelain")).toBe("");
    expect(await git(box.project, "branch", "--list", "feature/*")).toBe("");
  });

  test("--dry-run says who comes first, and who waits", async () => {
    const box = await copyOf("backlog");

    const { stdout } = await box.e8(["orchestrate", "--base", "main", "--dry-run", "--json"]);

    expect(JSON.parse(stdout)).toMatchObject({
      next: [{ issue: { number: 2 } }, { issue: { number: 1 } }],
      waiting: [{ issue: { number: 3 }, blocked_by: [1, 2] }],
    });
  });
});

describe("examples/backlog-workflow", () => {
  test("the reviewer rejects the first work and approves the second; labels, comments and the base say so", async () => {
    const box = await copyOf("backlog-workflow");
    const synced = await box.e8(["labels", "sync", "--json"]);
    expect(synced.code, synced.stderr).toBe(0);

    const ended = await box.e8([...(await commandOf("backlog-workflow")), "--json"]);

    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    const records = (await box.read(".e8/backlog/queue.jsonl")).trim().split("\n");
    const turns = records.map((line) => JSON.parse(line)).filter(({ type }) => type === "ended");
    expect(turns.map(({ outcome, to }) => `${outcome} → ${to}`)).toEqual([
      "success → review",
      "rejected → implement",
      "success → review",
      "approved → done",
    ]);
    const { state, labels, comments } = await shown(box, 1);
    expect({ state, labels }).toEqual({ state: "CLOSED", labels: ["done"] });
    expect(comments.map(({ body }: { body: string }) => body)).toEqual([
      "Not yet: it mumbles: no capital letter, no exclamation mark",
      "Approved: friendly enough",
    ]);
    expect(await git(box.project, "show", "main:hello.txt")).toBe("Hello!\n");
    expect(await merges(box)).toHaveLength(2);
    expect(await shown(box, 2)).toMatchObject({ state: "OPEN", labels: ["question"] });
    expect(await git(box.project, "status", "--porcelain")).toBe("");
  });

  test.each(["builder", "reviewer"])("its %s is valid", async (name) => {
    const box = await copyOf("backlog-workflow");

    const { stdout } = await box.e8(["agent", "validate", name, "--json"]);

    expect(JSON.parse(stdout)).toMatchObject([{ name, valid: true, problems: [] }]);
  });
});
