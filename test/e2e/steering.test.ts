import { spawnSync } from "node:child_process";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import { resultOf, type Sandbox, type Started } from "../support/sandbox.ts";
import { judges, summarizes, works } from "../support/stories.ts";

/** Waits until the run has said something, and returns all it has said. */
async function said({ child, ended }: Started, what: RegExp): Promise<void> {
  let text = "";
  child.stderr?.on("data", (data: Buffer) => {
    text += data;
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!what.test(text)) {
    if (isOver) throw new Error(`it ended without saying ${what}:\n${text}`);
    await sleep(20);
  }
}

/** Every process whose command line or environment names this sandbox, besides our own. */
function processesOf({ home }: Sandbox): string[] {
  const { stdout } = spawnSync("ps", ["axeww", "-o", "pid=,args="], { encoding: "utf8", maxBuffer: 1 << 28 });
  return stdout.split("\n").filter((line) => line.includes(home) && !/^\s*\d+ ps /.test(line));
}

/** Nothing is at work any more; the guard that watches over e8 itself sees that a moment later. */
async function expectNothingLeft(box: Sandbox): Promise<void> {
  expect(processesOf(box).filter((line) => !line.includes("read -r sign group"))).toEqual([]);
  await vi.waitFor(() => expect(processesOf(box)).toEqual([]), { timeout: 20_000, interval: 100 });
}

describe("Ctrl-C", () => {
  test("[FR-012] ends a program and everything it started, records the run as cancelled, and leaves a task that --resume completes", async () => {
    const box = await quickSandbox();
    const agent =
      "if [ -f ready ]; then touch done; else touch ready; (setsid sleep 300 &) ; sleep 300 & echo up; wait; fi";
    const run = box.start(["run", "x", "--check", "test -f done", "--agent-command", agent, "--json", "--verbose"]);
    await said(run, /📝 up/);

    run.child.kill("SIGINT");
    const ended = await run.ended;

    expect(ended.code).toBe(3);
    expect(resultOf(ended)).toMatchObject({ status: "cancelled", stop_reason: "cancelled", iterations_used: 0 });
    await expectNothingLeft(box);
    const resumed = await box.e8(["run", "--resume", "--json"]);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resultOf(resumed)).toMatchObject({ status: "completed", iterations_used: 1 });
  });

  test("ends Claude Code in the middle of a command, with no process of its tree left", async () => {
    const box = await quickSandbox(
      story(scene("executor", use("Bash", { command: "touch started; tail -f /dev/null", description: "wait" }))),
    );
    const run = box.start(["run", "x", "--check", "true", "--json", "--verbose"]);
    await said(run, /→ Bash/);
    while (!((await box.read("started").catch(() => undefined)) !== undefined)) await sleep(50);

    run.child.kill("SIGINT");
    const ended = await run.ended;

    expect(ended.code, ended.stderr).toBe(3);
    await expectNothingLeft(box);
    expect((await box.records()).at(-1)).toMatchObject({ type: "final_result", status: "cancelled" });
  });

  test("a second Ctrl-C does not wait for a program that ignores the first", async () => {
    const box = await quickSandbox();
    const run = box.start([
      "run",
      "x",
      "--check",
      "true",
      "--agent-command",
      "trap '' TERM INT; echo up; while :; do sleep 1; done",
      "--verbose",
      "--json",
    ]);
    await said(run, /📝 up/);

    run.child.kill("SIGINT");
    await said(run, /stopping/);
    run.child.kill("SIGINT");
    const ended = await run.ended;

    expect(ended.code).toBe(3);
    await expectNothingLeft(box);
  });
});

test("kill -9 of e8 takes Claude Code and its commands along, at the latest when the task is resumed", async () => {
  const box = await quickSandbox(
    story(
      scene("executor", use("Bash", { command: "touch started; tail -f /dev/null", description: "wait" })),
      works("went on"),
      summarizes("went on"),
    ),
  );
  const run = box.start(["run", "x", "--check", "true"]);
  while ((await box.read("started").catch(() => undefined)) === undefined) await sleep(50);

  run.child.kill("SIGKILL");
  await run.ended;
  const ended = await box.e8(["run", "--resume", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  await vi.waitFor(() => expect(processesOf(box)).toEqual([]), { timeout: 15_000, interval: 100 });
});

describe("one run per task", () => {
  test("a second run of a running task is refused and names the first; cancel stops it; then it can be resumed", async () => {
    const box = await quickSandbox();
    const agent = "echo up; if [ -f go ]; then touch done; else sleep 300; fi";
    const run = box.start(["run", "x", "--check", "test -f done", "--agent-command", agent, "--json", "--verbose"]);
    await said(run, /📝 up/);
    const [id = ""] = await box.tasks();

    const second = await box.e8(["run", "--resume"]);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`process ${run.child.pid}`);
    expect((await box.e8(["list"])).stdout).toMatch(/running/);

    const cancelled = await box.e8(["cancel", id]);
    expect(cancelled.code, cancelled.stderr).toBe(0);
    expect((await run.ended).code).toBe(3);
    expect((await box.e8(["cancel", id])).code).toBe(2);

    await box.write("go", "");
    expect((await box.e8(["run", "--resume", id])).code).toBe(0);
  });
});

describe("[FR-011] [FR-029] resume", () => {
  test("the judge's evidence and suggestion and the failed check stand in the first prompt after a resume", async () => {
    const refuses = judges(
      false,
      [{ id: 1, is_met: false, evidence: "EVIDENCE-FROM-BEFORE" }],
      "SUGGESTION-FROM-BEFORE",
    );
    const box = await quickScripted(story(works("tried"), summarizes("tried something"), refuses));
    await box.e8([
      "run",
      "x",
      "-c",
      "it is good",
      "--check",
      "echo TAIL-FROM-BEFORE; test -f go",
      "--no-intake",
      "-n",
      "1",
    ]);
    await box.write("go", "");
    await box.plays(story(works("tried"), summarizes("tried something"), judges(true, [{ id: 1, is_met: true }])));

    const ended = await box.e8(["run", "--resume", "-n", "3", "--json"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
    const prompt = (await box.asked("executor")).at(-1)?.text;
    for (const words of ["EVIDENCE-FROM-BEFORE", "SUGGESTION-FROM-BEFORE", "TAIL-FROM-BEFORE", "tried something"])
      expect(prompt).toContain(words);
  });

  test("a torn last line is dropped with a note, and nothing that follows is harmed", async () => {
    const box = await quickSandbox();
    await box.e8(["run", "x", "--check", "test -f go", "--agent-command", "echo $E8_ITERATION", "-n", "1"]);
    const [id = ""] = await box.tasks();
    const history = join(box.project, ".e8/tasks", id, "history.jsonl");
    await appendFile(history, '{"type":"summary","iteration":2,"approach":"テス');
    await box.write("go", "");

    const ended = await box.e8(["run", "--resume", "-n", "2"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toMatch(/incomplete record/);
    const lines = (await readFile(history, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual([
      ...["summary", "judgment", "final_result", "summary", "judgment", "final_result"],
    ]);
  });

  test("a completed task is not touched again", async () => {
    const box = await quickSandbox();
    await box.e8(["run", "x", "--check", "true", "--agent-command", "echo ok"]);
    const before = await box.records();

    const ended = await box.e8(["run", "--resume", "--json"]);

    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain("already completed");
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 1 });
    expect(await box.records()).toEqual(before);
  });

  test("an older task is chosen by its id, the latest by none", async () => {
    const box = await quickSandbox();
    const run = (text: string) => box.e8(["run", text, "--check", "false", "--agent-command", "echo ok", "-n", "1"]);
    await run("first");
    await run("second");
    const [first = "", second = ""] = await box.tasks();
    expect(first).not.toBe(second);

    expect(resultOf(await box.e8(["run", "--resume", "--json"])).task_id).toBe(second);
    expect(resultOf(await box.e8(["run", "--resume", first, "--json"])).task_id).toBe(first);
  });
});
