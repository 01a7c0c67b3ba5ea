import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { answer, fault, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { HINT, isOnce, PATIENT, runOf } from "../support/live-view.ts";
import { sandbox, scriptedSandbox } from "../support/sandbox.ts";
import { accepts, judges, report, summarizes, works } from "../support/stories.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

function checks(count: number): string[] {
  return Array.from({ length: count }, (_, index) => ["--check", `test ${index} -lt 90`]).flat();
}

describe.skipIf(!hasTmux)("the live view", () => {
  test.each([
    [80, 24],
    [200, 50],
  ])("shows where a run is at %i columns and %i rows, and leaves only its log behind", async (columns, rows) => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT, "--max-cost", "5", ...checks(30)), { columns, rows });

    await terminal.shows(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] iteration 1 of 10 · working {2}0:0\d$/m);
    await terminal.shows("📝 looking at 日本語のファイル");
    const screen = (await terminal.screen()).join("\n");
    expect(screen).toMatch(/\$0\.00 of \$5\.00/);
    expect(screen).toContain("·  1. `test -f go` exits 0");
    expect(screen).toContain(rows === 24 ? "… 27 more" : "· 20. `test 18 -lt 90` exits 0");
    await isOnce(terminal);
    await box.write("go", "");
    await terminal.shows("exit code 0");

    const everything = await terminal.scrollback();
    expect(everything).toMatch(
      /task \d{4}-[\s\S]*\n {2}Mend the cart\n {2}note: [\s\S]*\niteration 1 of 10\n {2}the worker claims success: [\s\S]*✔ met/,
    );
    expect(everything).not.toContain(HINT);
    expect(everything).not.toContain("working");
    await terminal.isUsable();
  });

  test("keys that are pressed meanwhile leave no trace in it, and the terminal shows them again afterwards", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT));
    await terminal.shows("working");
    await terminal.press("Enter", "Enter", "Enter", "a", "b", "c", "Enter");
    await sleep(1500); // the view is drawn anew at least once
    await isOnce(terminal);
    expect((await terminal.screen()).join("\n")).not.toContain("abc");
    await box.write("go", "");
    await terminal.shows("exit code 0");

    const everything = await terminal.scrollback();
    expect(everything).not.toContain("working");
    await terminal.answer("$ ", "stty -a | tr ' ' '\\n' | grep -x -e '-*echo'");
    await terminal.shows(/^echo$/m);
  });

  test("the marks of the criteria change while the checks run and the judge looks", async () => {
    const slow = (name: string) => `until [ -f ${name} ]; do sleep 0.1; done; test ${name} = first`;
    const box = await sandbox();
    const two = ["--check", slow("first"), "--check", slow("second"), "--agent-command", "echo ok", "-n", "1"];
    const terminal = await openTerminal(box, ["run", "x", ...two]);

    await terminal.shows(/running the checks[\s\S]*◌ 1\.[^\n]*\n {2}· 2\./);
    await box.write("first", "");
    await terminal.shows(/✔ 1\.[^\n]*\n {2}◌ 2\./);
    await box.write("second", "");
    await terminal.shows("exit code 1");
  });

  test("they change while the summary is being made, too", async () => {
    const thinking = { ...answer({ approach: "none", reason: "never said" }), delay_ms: 600_000 };
    const box = await scriptedSandbox(story(works("done"), scene("summarizer", thinking)));
    const checks = ["--check", "true", "--check", "until [ -f go ]; do sleep 0.1; done; false"];
    const terminal = await openTerminal(box, ["run", "x", "--no-intake", ...checks]);

    await terminal.shows(/summarizing, checks running[\s\S]*✔ 1\.[^\n]*\n {2}◌ 2\./);
    await box.write("go", "");
    await terminal.shows(/summarizing {2}\d[\s\S]*✔ 1\.[^\n]*\n {2}✘ 2\./);
    await terminal.press("C-c");
    await terminal.shows("exit code 3");
  });

  test("tool calls of the real Claude Code are shown, and its text cannot steer the terminal", async () => {
    const title = "printf x # \u001b]2;taken over\u0007\u001b[2J";
    const box = await sandbox(
      story(
        accepts("it is good"),
        scene(
          "executor",
          use("Write", { file_path: "notes.txt", content: "hello" }),
          use("Bash", { command: title, description: "a title" }),
          use("Bash", { command: "until [ -f go ]; do sleep 0.1; done", description: "wait" }),
          report("done"),
        ),
        summarizes("done"),
        judges(true, [{ id: 1, is_met: true }]),
      ),
    );
    const terminal = await openTerminal(box, ["run", "x", "-c", "good"], { columns: 80, rows: 24 });

    await terminal.shows(/→ Write: \S*notes\.txt\n.*printf x #.*\n {2}→ Bash: until/);
    await terminal.shows(/^ {2}· 1\. it is good$/m);
    expect((await terminal.screen()).join("\n")).toMatch(/ tokens · \$0\.\d+/);
    expect(await terminal.fact("pane_title")).not.toContain("taken over");
    await isOnce(terminal);
    await box.write("go", "");
    await terminal.shows("exit code 0");
  });

  test("a waiting run counts down until it asks again", async () => {
    const box = await scriptedSandbox(story(scene("executor", { ...fault({ status: 429, resets_in: 50 }), times: 5 })));
    const env = { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" };
    const terminal = await openTerminal(box, ["run", "x", "--check", "true"], { columns: 80, rows: 24, env });

    await terminal.shows(/waiting, again in 0:\d\d\n {2}usage limit: /);
    const secondsLeft = async () => Number(/again in 0:(\d\d)/.exec((await terminal.screen()).join("\n"))?.[1]);
    const before = await secondsLeft();
    await vi.waitFor(async () => expect(await secondsLeft()).toBeLessThan(before), { timeout: 10_000 });
    await terminal.press("C-c");
    await terminal.shows("exit code 3");
  });

  test("re-flows when the terminal changes its size, and stands there once", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT, ...checks(30)), { columns: 120, rows: 40 });
    await isOnce(terminal);

    for (const [columns, rows] of [
      [40, 24],
      [80, 10],
      [200, 50],
    ] as const) {
      await terminal.resize(columns, rows);
      await sleep(1500); // tmux tells the program a while after
      await isOnce(terminal, "Ctrl-C stops; e8 run");
    }
    await box.write("go", "");
    await terminal.shows("exit code 0");
    expect((await terminal.screen()).join("\n")).not.toContain(HINT);
    await terminal.isUsable();
  });

  test("speaks Japanese, with wide letters cut at the edge", async () => {
    const box = await sandbox();
    const env = { LANG: "ja_JP.UTF-8" };
    const task = "カートの合計金額が正しくない問題を調べて直す。".repeat(5);
    const args = ["run", task, "--check", "test -f go", "--agent-command", PATIENT];
    const terminal = await openTerminal(box, args, { columns: 80, rows: 24, env });

    await terminal.shows(/ イテレーション 1 \/ 10 · 作業中 {2}0:0\d\n {2}\S+ {2}カートの[^\n]*…\n/);
    await terminal.shows("Ctrl-C で停止、e8 run --resume で再開");
    await isOnce(terminal, "Ctrl-C で停止");
    await box.write("go", "");
    await terminal.shows("exit code 0");
  });

  test.each([
    ["", true],
    ["1", false],
  ])("with NO_COLOR=%j, that it is coloured is %s", async (NO_COLOR, isColoured) => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT), { env: { NO_COLOR } });

    await isOnce(terminal);
    expect((await terminal.coloured()).includes("\u001b[")).toBe(isColoured);
    await box.write("go", "");
    await terminal.shows("exit code 0");
    expect((await terminal.coloured()).includes("\u001b[")).toBe(isColoured);
  });

  test("Ctrl-C while the view changes all the time leaves nothing of it behind", async () => {
    const busy = "while :; do echo tick; sleep 0.03; done";
    const terminal = await openTerminal(await sandbox(), ["run", "x", "--check", "true", "--agent-command", busy]);
    await terminal.shows(/working {2}0:0[2-9][\s\S]*tick/); // it has its full height by then

    await terminal.press("C-c");
    await terminal.shows("exit code 3");

    expect((await terminal.screen()).join("\n")).not.toMatch(/tick|Ctrl-C/);
  });

  test("Ctrl-C is shown as winding down, a second one ends it at once, and the terminal is as it was", async () => {
    const box = await sandbox();
    const stubborn = "trap '' TERM INT; echo up; while :; do sleep 1; done";
    const terminal = await openTerminal(box, runOf(stubborn));

    await terminal.shows("📝 up");
    await terminal.press("C-c");
    await terminal.shows(/iteration 1 of 10 · stopping/);
    await terminal.shows("Ctrl-C again: at once");
    await terminal.press("C-c");
    await terminal.shows(/cancelled[\s\S]*exit code 3/);
    await terminal.isUsable();
    expect(await terminal.scrollback()).toContain("iteration 1 of 10\n"); // nothing of the log was lost
  });

  test("Ctrl-Z gives the terminal back, and fg goes on", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT));

    await isOnce(terminal);
    await terminal.press("C-z");
    await terminal.shows("Stopped");
    await terminal.isUsable();
    await terminal.type("clear; fg");
    await terminal.press("Enter");
    await isOnce(terminal);
    await box.write("go", "");
    await terminal.shows("completed: every criterion is met");
    await terminal.isUsable();
  });

  test.skipIf(process.platform !== "linux")("Ctrl-Z works also while a program is waited for", async () => {
    const box = await sandbox();
    const slow = "#!/bin/sh\ntouch probing\nsleep 1\nexit 1\n"; // asked whether it works, before the first agent starts
    await box.write("bin/setpriv", slow);
    await chmod(join(box.project, "bin/setpriv"), 0o755);
    const env = { PATH: `${join(box.project, "bin")}:${box.env.PATH}`, ENDLESS8_SANDBOX: "off" };
    const terminal = await openTerminal(box, runOf(PATIENT), { env });

    await vi.waitFor(() => box.read("probing"), { timeout: 20_000 });
    await terminal.press("C-z");
    await terminal.shows("Stopped");
    await terminal.type("clear; fg");
    await terminal.press("Enter");
    await isOnce(terminal);
    await box.write("go", "");
    await terminal.shows("completed: every criterion is met");
  });

  test("kill -TERM and an unexpected error leave a usable terminal, too", async () => {
    const killed = await sandbox();
    const terminal = await openTerminal(killed, runOf("echo up; sleep 300"));
    await terminal.shows("📝 up");
    await terminal.kill("SIGTERM");
    await terminal.shows(/cancelled[\s\S]*exit code 3/);
    await terminal.isUsable();

    const broken = await sandbox();
    const bomb = "--import=data:text/javascript,process.on('SIGUSR2',()=>{throw(new(Error)('boom'))})";
    const other = await openTerminal(broken, runOf("echo up; sleep 300"), { env: { NODE_OPTIONS: bomb } });
    await other.shows("📝 up");
    await other.kill("SIGUSR2");
    await other.shows(/boom[\s\S]*exit code [1-9]/);
    expect((await other.screen()).join("\n")).not.toContain(HINT);
    await other.isUsable();
  });

  test("kill -9 leaves a usable terminal below the last frame", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf("echo up; sleep 300"));

    await terminal.shows("📝 up");
    await isOnce(terminal);
    await terminal.kill("SIGKILL");
    await terminal.shows("exit code 137");
    await isOnce(terminal);
    await terminal.isUsable();
  });

  test.each([
    ["in CI", { CI: "true" }, []],
    ["on a terminal that cannot be drawn on", { TERM: "dumb" }, []],
    ["with --plain", {}, ["--plain"]],
  ])("%s there are plain lines", async (_, env, flags) => {
    const box = await sandbox();
    const args = [...runOf("echo up"), "-n", "1", ...flags];
    const terminal = await openTerminal(box, args, { env: { ...env } });

    await terminal.shows("exit code 1");
    const screen = (await terminal.screen()).join("\n");
    expect(screen).toMatch(/iteration 1 of 1\n {2}working\n/);
    expect(screen).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });

  test("the result stays alone on standard output, and the view on standard error", async () => {
    const box = await sandbox();
    const line = `'${process.execPath}' "$E8" run x --check 'test -f go' --agent-command "$AGENT" --json > out`;
    const terminal = await openTerminal(box, line, { env: { AGENT: PATIENT } });

    await isOnce(terminal);
    await box.write("go", "");
    await terminal.shows("exit code 0");
    expect(JSON.parse(await box.read("out"))).toMatchObject({ status: "completed" });
  });
});
