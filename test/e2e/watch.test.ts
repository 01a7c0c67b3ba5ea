import { describe, expect, test, vi } from "vitest";
import { EventEnvelope } from "../../src/model/events.ts";
import { quickSandbox } from "../support/in-process.ts";
import { isOnce, PATIENT, runOf } from "../support/live-view.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const SECOND_TRY = '[ "$E8_ITERATION" = 1 ] || touch go; echo worked';

function eventsIn(stdout: string): EventEnvelope[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => EventEnvelope.parse(JSON.parse(line)));
}

/** A run of another process that works until the file `go` is there. */
async function startPatientRun(box: Sandbox) {
  const run = box.start(runOf(PATIENT, "--json"));
  await vi.waitFor(async () => expect(await box.tasks()).toHaveLength(1), { timeout: 20_000 });
  return run;
}

describe("e8 run --json-events", () => {
  test("prints every event as a line as it happens, the last one being run-end, and exits as always", async () => {
    const box = await quickSandbox();
    const run = box.start(runOf(PATIENT, "--json-events"));
    let soFar = "";
    run.child.stdout?.on("data", (data: Buffer) => {
      soFar += data;
    });
    await vi.waitFor(() => expect(soFar).toContain('"phase":"execute"'), { timeout: 20_000 });
    expect(soFar).not.toContain("run-end");
    await box.write("go", "");
    const { stdout, stderr, code } = await run.ended;

    const events = eventsIn(stdout);
    expect([code, stderr]).toEqual([0, ""]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]?.event.type).toBe("run-start");
    expect(events.at(-1)?.event).toMatchObject({ type: "run-end", result: { status: "completed" } });
  });

  test("of a run that fails has its exit code, and cannot be had together with --json", async () => {
    const box = await quickSandbox();
    const limited = await box.e8(runOf("true", "--json-events", "-n", "1"));
    expect(limited.code).toBe(1);
    expect(eventsIn(limited.stdout).at(-1)?.event).toMatchObject({ result: { status: "max_iterations" } });

    const both = await box.e8(runOf("true", "--json-events", "--json"));
    expect(both).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--json or --json-events") });
  });
});

describe("e8 watch", () => {
  test("follows a run of another process to its end, and ends with its report and exit code", async () => {
    const box = await quickSandbox();
    const run = await startPatientRun(box);
    const watch = box.start(["watch", "--plain", "--verbose"]);
    let said = "";
    watch.child.stderr?.on("data", (data: Buffer) => {
      said += data;
    });
    await vi.waitFor(() => expect(said).toContain("looking at 日本語のファイル"), { timeout: 20_000 });
    expect(said).not.toContain("✔ met");
    await box.write("go", "");
    const [watched, ended] = await Promise.all([watch.ended, run.ended]);

    expect([watched.code, ended.code]).toEqual([0, 0]);
    expect(watched.stderr).toMatch(/^task .*\n {2}Mend the cart\niteration 1 of 10\n[\s\S]*✔ met/);
    expect(watched.stdout).toMatch(/^completed: every criterion is met\n/m);
  });

  test("is left with Ctrl-C, and the run goes on", async () => {
    const box = await quickSandbox();
    const run = await startPatientRun(box);
    const watch = box.start(["watch"]);
    const spoken = new Promise((resolve) => watch.child.stderr?.once("data", resolve));
    await spoken;
    watch.child.kill("SIGINT");
    const { code, stderr, stdout } = await watch.ended;
    await box.write("go", "");

    const [id] = await box.tasks();
    expect([code, stdout]).toEqual([130, ""]);
    expect(stderr).toContain(`Watch it again: e8 watch ${id}`);
    expect(resultOf(await run.ended)).toMatchObject({ status: "completed" });
  });

  test("replays a finished run at once, also as events, with its exit code, in either language", async () => {
    const box = await quickSandbox();
    const run = await box.e8(runOf(SECOND_TRY, "--plain"));
    const limited = await box.e8([
      "run",
      "y",
      "--check",
      "false",
      "--agent-command",
      "true",
      "-n",
      "1",
      "--json-events",
    ]);
    const [first = "", second = ""] = await box.tasks();

    expect(await box.e8(["watch", first])).toMatchObject({ code: 0, stderr: run.stderr, stdout: run.stdout });
    const replayed = await box.e8(["watch", second, "--json-events"]);
    expect([replayed.code, eventsIn(replayed.stdout)]).toEqual([1, eventsIn(limited.stdout)]);
    const japanese = await box.e8(["watch", first, "--lang", "ja"]);
    expect(japanese.stderr).toContain("イテレーション 2 / 10");
    expect(japanese.stdout).toMatch(/^完了：すべての完了条件を満たしました/m);
  });

  test("with --speed replays with the run's own pauses, and refuses anything but a number", async () => {
    const box = await quickSandbox();
    await box.e8(runOf("sleep 1; touch go"));

    const started = performance.now();
    expect(await box.e8(["watch", "--speed", "2"])).toMatchObject({ code: 0 });
    expect(performance.now() - started).toBeGreaterThan(500);
    for (const speed of ["0", "-1", "fast", ""]) {
      const { code, stderr } = await box.e8(["watch", "--speed", speed]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--speed")]);
    }
  });

  test("of a finished run is left with Ctrl-C without saying that the run goes on", async () => {
    const box = await quickSandbox();
    await box.e8(runOf("sleep 1; touch go"));
    const watch = box.start(["watch", "--speed", "0.01"]);
    await new Promise((resolve) => watch.child.stderr?.once("data", resolve));
    watch.child.kill("SIGINT");
    const { code, stderr } = await watch.ended;

    const [id] = await box.tasks();
    expect(code).toBe(130);
    expect(stderr).toContain(`Watch it again: e8 watch ${id}`);
    expect(stderr).not.toContain("goes on");
  });

  test("of a run that was killed says so, and how to go on", async () => {
    const box = await quickSandbox();
    const run = await startPatientRun(box);
    const watch = box.start(["watch"]);
    await new Promise((resolve) => watch.child.stderr?.once("data", resolve));
    run.child.kill("SIGKILL");
    const { code, stderr } = await watch.ended;
    await box.write("go", "");

    expect(code).toBe(2);
    expect(stderr).toMatch(/interrupted\nnext: e8 run --resume \S+\n$/);
  });

  test.skipIf(!hasTmux)("shows the live view of a run of another process", async () => {
    const box = await quickSandbox();
    const run = await startPatientRun(box);
    const terminal = await openTerminal(box, ["watch"]);

    await terminal.shows(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] iteration 1 of 10 · working {2}\d:\d\d$/m);
    await isOnce(terminal, "Ctrl-C leaves this view; the run goes on");
    await box.write("go", "");
    await terminal.shows("exit code 0");
    await terminal.isUsable();
    expect((await run.ended).code).toBe(0);
  });
});
