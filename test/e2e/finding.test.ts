import { appendFile, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import { forgetAllCopies } from "../support/older-task.ts";
import { resultOf, type Sandbox, type Started, sandbox } from "../support/sandbox.ts";
import { accepts, asks, judges, summarizes, works } from "../support/stories.ts";

describe("[FR-012] a task file with persist, run again", () => {
  const PERSIST = ".e8/history.jsonl";
  const FILE = `task: make it\ncriteria: [{type: command, command: test -f done}]\nmax_iterations: 1\npersist: ${PERSIST}\n`;
  const idle = ["run", "--config", "task.yaml", "--agent-command", "true", "--json"];
  const working = ["run", "--config", "task.yaml", "--agent-command", "touch done", "-n", "3", "--json"];

  /** A project whose task has used up its one iteration. */
  async function unfinished(): Promise<Sandbox> {
    const box = await quickSandbox();
    await box.write("task.yaml", FILE);
    expect((await box.e8(idle)).code).toBe(1);
    return box;
  }

  test("goes on with the unfinished task, with the settings of now, and says so; after it is completed, it starts anew", async () => {
    const box = await unfinished();
    const [id = ""] = await box.tasks();

    expect((await box.e8([...working.slice(0, -1), "--dry-run"])).stdout).toContain(`Going on with task ${id}`);
    const second = await box.e8(working);
    expect(second.code, second.stderr).toBe(0);
    expect(resultOf(second)).toMatchObject({ task_id: id, status: "completed", iterations_used: 2 });
    expect(second.stderr).toContain(`Going on with task ${id}: ${PERSIST} has its records`);
    expect(second.stderr).toContain("--fresh starts anew");

    const third = await box.e8(working);
    expect(third.code).toBe(0);
    expect(resultOf(third)).toMatchObject({ iterations_used: 1 });
    expect(third.stderr).not.toContain("Going on");
    expect(await box.tasks()).toHaveLength(2);
  });

  test("says it in Japanese, too", async () => {
    const box = await unfinished();
    const [id = ""] = await box.tasks();
    const { stderr } = await box.e8([...working, "--lang", "ja"]);
    expect(stderr).toContain(`タスク ${id} の続きから再開します。`);
  });

  test("starts anew with --fresh, for other criteria, and where the file was put away", async () => {
    const box = await unfinished();
    const before = await box.tasks();
    const newIds: string[] = [];
    const startsAnew = async (...more: string[]) => {
      const ended = await box.e8([...idle, ...more]);
      expect(resultOf(ended)).toMatchObject({ iterations_used: 1 });
      newIds.push(resultOf(ended).task_id);
    };
    await startsAnew("--fresh");
    await startsAnew("--check", "test -f something-else");
    await rm(join(box.project, PERSIST));
    await startsAnew();
    expect(await box.tasks()).toEqual([...before, ...newIds]);
  });

  test("finds the task among torn lines and records of others, and starts anew where there are only those", async () => {
    const box = await unfinished();
    const [id = ""] = await box.tasks();
    const others = [
      '{"type":"summary","iteration":1,"approach":"of the Python endless8"}',
      '{"type":"judgment","task_id":"2020-01-01T00-00-00","iteration":1,"timestamp":"t"}',
      '{"type":"summary","task_id":"../../etc","iteration":1,"timestamp":"t"}',
      "[1]",
      '{"type":"summ',
    ].join("\n");
    await appendFile(join(box.project, PERSIST), others);
    expect(resultOf(await box.e8(working)).task_id).toBe(id);

    await writeFile(join(box.project, PERSIST), others);
    await rm(join(box.project, "done"));
    expect(resultOf(await box.e8(idle)).task_id).not.toBe(id);
  });

  test("starts anew where the records of the unfinished task cannot be read", async () => {
    const box = await unfinished();
    const [id = ""] = await box.tasks();
    await box.write(`.e8/tasks/${id}/task.json`, "{ torn");
    await forgetAllCopies(box);
    const ended = await box.e8(working);
    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended).task_id).not.toBe(id);
  });

  test("goes on after the run was killed", async () => {
    const box = await sandbox();
    await box.write("task.yaml", FILE);
    const agent = "if [ -f once ]; then touch waiting; sleep 300; fi; touch once";
    const run = box.start(["run", "--config", "task.yaml", "-n", "3", "--agent-command", agent]);
    await appears(box, "waiting", run);
    run.child.kill("SIGKILL");
    await run.ended;
    const [id = ""] = await box.tasks();

    const ended = await box.e8(working);

    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended)).toMatchObject({ task_id: id, iterations_used: 2 });
  });
});

async function appears({ read }: Sandbox, file: string, { child }: Started): Promise<void> {
  while ((await read(file).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before there was ${file}`);
    await sleep(20);
  }
}

describe("two runs in one directory", () => {
  const working = ["--agent-command", "true", "--check", "true"];

  /** A sandbox in which a task is at work. */
  async function busy(more: string[] = []) {
    const box = await sandbox();
    const agent = "touch started; until [ -f go ]; do sleep 0.05; done";
    const run = box.start(["run", "first", "--check", "true", "--agent-command", agent, ...more]);
    await appears(box, "started", run);
    const [id = ""] = await box.tasks();
    const goOn = async () => {
      await box.write("go", "");
      expect((await run.ended).code).toBe(0);
    };
    return { box, id, goOn, run };
  }

  test("the second is refused, by name of the first, and leaves nothing behind; --same-place lets it work", async () => {
    const { box, id, goOn } = await busy();

    const refused = await box.e8(["run", "second", ...working]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`Task ${id} is already at work in ${box.project}`);
    for (const way of [`e8 cancel ${id}`, "git worktree", "--same-place"]) expect(refused.stderr).toContain(way);
    expect(await box.tasks()).toEqual([id]);
    const japanese = await box.e8(["run", "second", ...working, "--lang", "ja"]);
    expect(japanese.stderr).toContain(`すでにタスク ${id} が作業中です`);

    expect((await box.e8(["run", "second", ...working, "--same-place"])).code).toBe(0);
    await goOn();
    expect((await box.e8(["run", "third", ...working])).code).toBe(0);
  });

  test("so is a resumed task, and an agent made of steps", async () => {
    const { box, id, goOn } = await busy(["--same-place"]);
    await box.e8(["agent", "init", "helper"]);
    await box.write("story.json", JSON.stringify({ scenes: [{ when: "anything", turns: [{ say: "" }] }] }));

    const agent = await box.e8([
      "agent",
      "run",
      "helper",
      "--agent",
      "scripted:story.json",
      "--task",
      "x",
      "--result",
      "y",
      "--accept-changes", // it was defined while a run was at work
    ]);
    expect(agent.stderr).toContain(`Task ${id} is already at work`);
    expect(agent.code).toBe(2);
    expect(
      (await box.e8(["run", "other", "--agent-command", "false", "--check", "false", "-n", "1", "--same-place"])).code,
    ).toBe(1);
    const resumed = await box.e8(["run", "--resume", "latest", "-n", "2"]);
    expect(resumed.stderr).toContain(`Task ${id} is already at work`);
    expect(resumed.code).toBe(2);
    expect(await box.tasks()).toHaveLength(2);
    await goOn();
  });

  test("it is the working directory that counts: of another project under another name, but not of a copy", async () => {
    const { box, id, goOn } = await busy();
    const other = join(box.home, "another project");
    const copy = join(box.home, "copy");
    await mkdir(other);
    await symlink(box.project, join(other, "link"));
    await writeFile(join(other, "endless8.yaml"), "working_directory: link\n");
    await cp(box.project, copy, { recursive: true });

    const refused = await box.e8(["run", "second", ...working, "--project", other]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`e8 cancel ${id} --project '${box.project}'`);
    expect((await box.e8(["run", "second", ...working, "--project", copy])).code).toBe(0);
    await goOn();
  });

  test("a killed run keeps nobody out", async () => {
    const { box, run } = await busy();
    run.child.kill("SIGKILL");
    await run.ended;
    expect((await box.e8(["run", "second", ...working])).code).toBe(0);
  });

  test("of two that start at the same instant, one works", async () => {
    const box = await sandbox();
    const agent = ["--agent-command", "until [ -f go ]; do sleep 0.05; done", "--check", "true"];
    const runs = [box.start(["run", "one", ...agent]), box.start(["run", "two", ...agent])];
    const first = await Promise.race(runs.map(({ ended }) => ended));
    expect(first.code).toBe(2);
    await box.write("go", "");
    const codes = await Promise.all(runs.map(async ({ ended }) => (await ended).code));
    expect(codes.sort()).toEqual([0, 2]);
    expect(await box.tasks()).toHaveLength(1);
  });
});

describe("[FR-022] from a subdirectory of a project", () => {
  test("e8 finds the project's tasks, and new ones work at the project's root; --project still decides", async () => {
    const box = await quickSandbox();
    const working = ["run", "x", "--agent-command", "touch made-here", "--check", "test -f made-here"];
    await box.e8(working);
    await mkdir(join(box.project, "src", "deep"), { recursive: true });
    const cwd = join(box.project, "src", "deep");

    expect(JSON.parse((await box.e8(["list", "--json"], { cwd })).stdout)).toHaveLength(1);
    expect(await box.e8([...working, "--json"], { cwd })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`project: ${box.project}`),
    });
    expect(await box.tasks()).toHaveLength(2);
    await expect(box.read("src/deep/made-here")).rejects.toThrow();

    expect((await box.e8([...working, "--project", "."], { cwd })).code).toBe(0);
    expect(await box.read("src/deep/made-here")).toBe("");
    expect(await box.tasks()).toHaveLength(2);
  });

  test("agents of the project are found, too, and e8 init writes where one is", async () => {
    const box = await quickSandbox();
    await box.e8(["agent", "init", "helper"]);
    await box.write(".e8/knowledge.jsonl", "");
    await mkdir(join(box.project, "src"));
    const cwd = join(box.project, "src");

    expect((await box.e8(["agent", "list"], { cwd })).stdout).toContain("helper");
    expect((await box.e8(["agent", "run", "helper", "--help"], { cwd })).stdout).toContain("--same-place");
    await box.e8(["init", "--task", "x", "--check", "true"], { cwd });
    expect(await box.read("src/task.yaml")).toContain("task");
  });
});

describe("tasks by a part of their id", () => {
  test("every command that takes an id takes a part of it, and `latest`", async () => {
    const box = await quickSandbox();
    await box.e8(["run", "x", "--agent-command", "true", "--check", "false", "-n", "1", "--raw-log"]);
    const [id = ""] = await box.tasks();
    const [start, end] = [id.slice(0, 12), id.slice(11)];

    for (const part of [start, end, "latest"]) {
      expect((await box.e8(["show", part])).stdout).toContain(id);
      expect((await box.e8(["watch", part])).code).toBe(1);
      expect((await box.e8(["knowledge", "list", "--task", part])).code).toBe(0);
      expect((await box.e8(["cancel", part])).stderr).toContain(`Task ${id} is not running`);
      expect((await box.e8(["answer", part])).stderr).toContain(`Task ${id} has no open questions`);
      expect((await box.e8(["logs", part])).stderr).not.toContain("no task");
    }
    expect((await box.e8(["run", "--resume", end, "-n", "2"])).stderr).toContain(`task ${id}, going on`);
  });

  test("where several fit, they are listed", async () => {
    const box = await quickSandbox();
    for (const task of ["one", "two"]) await box.e8(["run", task, "--agent-command", "true", "--check", "true"]);
    const [first = "", second = ""] = await box.tasks();

    const { code, stderr } = await box.e8(["show", "20"]);

    expect(code).toBe(2);
    expect(stderr).toContain(`20 fits several tasks:\n  ${first}  one\n  ${second}  two`);
    expect((await box.e8(["show", "20", "--lang", "ja"])).stderr).toContain("20 に一致するタスクが複数あります");
  });

  test("cancel takes the only running task, and answer says that no question is open", async () => {
    const box = await sandbox();
    const run = box.start(["run", "x", "--check", "true", "--agent-command", "touch started; sleep 300"]);
    await appears(box, "started", run);
    const [id = ""] = await box.tasks();

    expect((await box.e8(["cancel"])).stdout).toContain(`Task ${id} was cancelled.`);
    expect((await run.ended).code).toBe(3);
    expect(await box.e8(["cancel"])).toMatchObject({ code: 2, stderr: expect.stringContaining("is running") });
    expect(await box.e8(["answer"])).toMatchObject({ code: 2, stderr: expect.stringContaining("waits for an answer") });
  });
});

test("answer takes the only task with open questions", async () => {
  const asksOnce = story(
    { ...accepts("it is fast"), when: "under 100 ms" },
    asks({ question: "How fast?" }),
    works("made it fast"),
    summarizes("made it fast"),
    judges(true, [{ id: 1, is_met: true }]),
  );
  const box = await quickScripted(asksOnce);
  expect((await box.e8(["run", "Make it fast", "-c", "it is fast"])).code).toBe(4);

  const answered = await box.e8(["answer", "-a", "under 100 ms", "--json"]);

  expect(answered.code, answered.stderr).toBe(0);
  expect(await box.tasks()).toHaveLength(1);
});
