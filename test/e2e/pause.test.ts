import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { isOnce, runOf } from "../support/live-view.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { pidOutside } from "../support/spaces.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

/** A worker that counts until it is let go, with a process in a session of its own that counts, too. */
const COUNTING = [
  "echo $$ > pid",
  "setsid sh -c 'echo $$ > pid2; while [ ! -f go ]; do echo . >> ticks2; sleep 0.05; done' &",
  "while [ ! -f go ]; do echo . >> ticks; sleep 0.05; done; echo done",
].join("\n");

const ps = promisify(execFile);

/** The states of the worker's processes that are left, as ps writes them; T: stopped. */
async function states(box: Sandbox): Promise<string[]> {
  const pids = await Promise.all([box.read("pid"), box.read("pid2")]);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const outside = pidOutside(Number(pid), box.project);
      if (outside === undefined) return "";
      const { stdout } = await ps("ps", ["-o", "stat=", "-p", String(outside)]).catch(() => ({ stdout: "" }));
      return stdout.trim().slice(0, 1);
    }),
  );
  return found.filter((state) => state !== "" && state !== "Z");
}

const patiently = { timeout: 60_000, interval: 50 };

async function counts(box: Sandbox): Promise<void> {
  await vi.waitFor(() => Promise.all([box.read("ticks"), box.read("ticks2")]), patiently);
  const before = [await box.read("ticks"), await box.read("ticks2")];
  await vi.waitFor(async () => {
    expect((await box.read("ticks")).length).toBeGreaterThan(before[0]?.length ?? 0);
    expect((await box.read("ticks2")).length).toBeGreaterThan(before[1]?.length ?? 0);
  }, patiently);
}

async function standsStill(box: Sandbox): Promise<void> {
  await vi.waitFor(async () => expect(await states(box)).toEqual(["T", "T"]), patiently);
  const before = [await box.read("ticks"), await box.read("ticks2")];
  await sleep(300);
  expect([await box.read("ticks"), await box.read("ticks2")]).toEqual(before);
}

async function running(box: Sandbox) {
  const run = box.start(runOf(COUNTING, "--json-events"));
  await counts(box);
  const [id = ""] = await box.tasks();
  return { run, id };
}

describe("e8 pause", () => {
  test("stops every process of the run, e8 list says so, and e8 resume has it go on to its end", async () => {
    const box = await quickSandbox();
    const { run, id } = await running(box);

    expect(await box.e8(["pause"])).toMatchObject({ code: 0, stdout: expect.stringContaining(`e8 resume ${id}`) });
    await standsStill(box);
    expect(JSON.parse((await box.e8(["list", "--json"])).stdout)).toMatchObject([{ status: "paused" }]);
    expect((await box.e8(["show"])).stdout).toContain(`${id}  paused`);
    const [row] = JSON.parse((await box.e8(["query", "select status from tasks", "--json"])).stdout);
    expect(row).toEqual({ status: "paused" });

    expect(await box.e8(["resume"])).toMatchObject({ code: 0, stdout: expect.stringContaining(id) });
    await counts(box);
    await box.write("go", "");
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    const events = stdout.trim().split("\n");
    const pauses = events.map((line) => JSON.parse(line).event).filter(({ type }) => type === "pause");
    expect(pauses.map(({ is_paused }) => is_paused)).toEqual([true, false]);
  });

  test("is refused for a task that is not running; a run that is not paused needs no resume", async () => {
    const box = await quickSandbox();
    expect(await box.e8(["pause"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/No task of .* is running/),
    });
    const { run, id } = await running(box);
    expect(await box.e8(["resume", id])).toMatchObject({ code: 2, stderr: expect.stringContaining("not paused") });
    await box.write("go", "");
    await run.ended;
    expect(await box.e8(["pause", id])).toMatchObject({ code: 2, stderr: expect.stringContaining("is not running") });
  });

  test("a paused run can be cancelled, and leaves no process", async () => {
    const box = await quickSandbox();
    const { run, id } = await running(box);
    await box.e8(["pause", id]);
    await standsStill(box);

    expect(await box.e8(["cancel", id])).toMatchObject({ code: 0, stdout: expect.stringContaining("was cancelled") });

    expect(await run.ended).toMatchObject({ code: 3 });
    expect(await states(box)).toEqual([]);
  });

  test("a paused run that is killed leaves no stopped process, and e8 resume runs the task again", async () => {
    const box = await quickSandbox();
    const { run, id } = await running(box);
    await box.e8(["pause", id]);
    await standsStill(box);

    run.child.kill("SIGKILL");
    await run.ended;
    await vi.waitFor(async () => expect(await states(box)).not.toContain("T"), patiently);

    await box.write("go", "");
    expect(await box.e8(["resume", id])).toMatchObject({ code: 0, stdout: expect.stringContaining("completed") });
    expect(await states(box)).toEqual([]);
  });

  test("several running tasks are named where no id is given", async () => {
    const box = await quickSandbox();
    const first = box.start([...runOf("until [ -f go ]; do sleep 0.1; done"), "--same-place"]);
    const second = box.start([...runOf("until [ -f go ]; do sleep 0.1; done"), "--same-place"]);
    await vi.waitFor(async () => {
      const tasks = JSON.parse((await box.e8(["list", "--json"])).stdout);
      expect(tasks.filter(({ status }: { status: string }) => status === "running")).toHaveLength(2);
    }, patiently);

    const [one = "", other = ""] = await box.tasks();
    for (const command of [["pause"], ["tell", "a note"]]) {
      const { code, stderr } = await box.e8(command);
      expect(code).toBe(2);
      expect(stderr).toContain(one);
      expect(stderr).toContain(other);
    }
    await box.write("go", "");
    await Promise.all([first.ended, second.ended]);
  });
});

describe.skipIf(!hasTmux)("Ctrl-Z", () => {
  test.each(["", "--plain"])("stops the worker and all it has started, and fg has them go on %s", async (flag) => {
    const box = await quickSandbox();
    const terminal = await openTerminal(box, runOf(COUNTING, ...(flag ? [flag] : [])));

    await counts(box);
    await terminal.press("C-z");
    await terminal.shows("Stopped");
    await standsStill(box);
    expect(JSON.parse((await box.e8(["list", "--json"])).stdout)).toMatchObject([{ status: "paused" }]);
    await terminal.isUsable();

    await terminal.type("clear; fg");
    await terminal.press("Enter");
    await counts(box);
    if (!flag) await isOnce(terminal);
    await box.write("go", "");
    await terminal.shows("completed: every criterion is met");
    await terminal.isUsable();
  });

  test("a run that was stopped goes on with e8 resume in the background of its shell", async () => {
    const box = await quickSandbox();
    const terminal = await openTerminal(box, runOf(COUNTING));
    await counts(box);
    await terminal.press("C-z");
    await terminal.shows("Stopped");
    await standsStill(box);

    expect(await box.e8(["resume"])).toMatchObject({ code: 0 });

    await counts(box);
    await box.write("go", "");
    await terminal.shows("completed: every criterion is met");
  });

  test("a run that was stopped can be cancelled", async () => {
    const box = await quickSandbox();
    const terminal = await openTerminal(box, runOf(COUNTING));
    await counts(box);
    await terminal.press("C-z");
    await terminal.shows("Stopped");

    const [id = ""] = await box.tasks();
    expect(await box.e8(["cancel", id])).toMatchObject({ stdout: expect.stringContaining("was cancelled") });
    expect(await states(box)).toEqual([]);
  });
});
