import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Story } from "../../src/connection/agents/scripted/model/story.ts";
import { quickScripted } from "../support/in-process.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";
import { works } from "../support/stories.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const execute = promisify(execFile);
const IDENTITY = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
const NO_SUMMARIES = { models: { summarizer: "none" } };

async function committed({ project, write }: Sandbox): Promise<void> {
  await write("old.txt", "1\n2\n");
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-q", "-m", "first"],
  ])
    await execute("git", [...IDENTITY, ...words], { cwd: project });
}

const writes = (name: string, content: string) => use("Write", { file_path: name, content });

describe("the report of a run", () => {
  test("[FR-028] compares with the start of the task, also after it was resumed, and has no file that only the worker names", async () => {
    const box = await quickScripted(
      story(works("Wrote src/imagined.ts", writes("new one.txt", "a\nb\n"), writes("old.txt", "1\nzwei\n"))),
      NO_SUMMARIES,
    );
    await committed(box);
    const first = await box.e8(["run", "x", "--check", "test -f done.txt", "-n", "1", "--json"]);
    await box.plays(story(works("Done.", writes("done.txt", "1\n"))));
    const second = await box.e8(["run", "--resume", "-n", "2", "--json"]);

    const earlier = [
      { path: "new one.txt", status: "added", added: 2, removed: 0 },
      { path: "old.txt", status: "modified", added: 1, removed: 1 },
    ];
    expect(resultOf(first)).toMatchObject({ status: "max_iterations", changed_files: earlier });
    expect(resultOf(second)).toMatchObject({
      status: "completed",
      changed_files: [{ path: "done.txt", status: "added", added: 1, removed: 0 }, ...earlier],
      change_totals: { files: 3, added: 4, removed: 1 },
    });
  });

  test("e8 show lists them once, from wherever it is called", async () => {
    const box = await quickScripted(story(works("Did it.", writes("new one.txt", "a\nb\n"))), NO_SUMMARIES);
    await committed(box);
    await box.e8(["run", "x", "--check", "test -f 'new one.txt'"]);

    const { stdout } = await box.e8(["show", "--project", box.project], { cwd: box.home });

    expect(stdout).toMatch(/^files changed: 1, \+2\n {2}new {2}'my project\/new one\.txt' {2}\+2$/m);
    expect(stdout.match(/^files changed/gm)).toHaveLength(1);
    expect(stdout).toMatch(/^records: 'my project\/\.e8\/tasks\/.*\/history\.jsonl'$/m);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("completed: every criterion is met");
  });

  test("without git it has the same", async () => {
    const box = await quickScripted(story(works("Did it.", writes("a.txt", "1\n"))), NO_SUMMARIES);

    const { stdout } = await box.e8(["run", "x", "--check", "test -f a.txt"]);

    expect(stdout).toMatch(/^files changed: 1, \+1\n {2}new {2}a\.txt {2}\+1\n/);
  });

  test.skipIf(!hasTmux)("leaves its verdict on a screen of 80 by 24, however much changed", async () => {
    const box = await quickScripted(long(), NO_SUMMARIES);
    await committed(box);
    const checks = Array.from({ length: 12 }, (_, index) => ["--check", `seq ${index} ${index + 30}`]).flat();
    const terminal = await openTerminal(box, ["run", "x", ...checks], { columns: 80, rows: 24 });

    await terminal.shows("exit code 0");

    expect((await terminal.screen()).slice(-24).join("\n")).toContain("completed: every criterion is met");
  });
});

function long(): Story {
  return story(works("Did it.", use("Bash", { command: "for n in $(seq 60); do echo $n > file-$n.txt; done" })));
}
