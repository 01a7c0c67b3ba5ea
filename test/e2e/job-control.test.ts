import { describe, expect, test, vi } from "vitest";
import { HINT, isOnce, PATIENT, runOf } from "../support/live-view.ts";
import { sandbox } from "../support/sandbox.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const COMPLETED = "completed: every criterion is met";

describe.skipIf(!hasTmux)("a run that is a job of a shell", () => {
  test("started with & it says lines and leaves the terminal to the shell; after fg there is the live view", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT), { start: "bash ../go &" });

    await terminal.shows(/^ {2}working$/m);
    await terminal.isUsable();
    expect((await terminal.screen()).join("\n")).not.toContain(HINT);
    await terminal.type("clear; fg");
    await terminal.press("Enter");
    await isOnce(terminal);
    await box.write("go", "");
    await terminal.shows(COMPLETED);
    await terminal.isUsable();
  });

  test("after Ctrl-Z and bg it works on to its end, in lines, and draws over nothing", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT));

    await isOnce(terminal);
    await terminal.press("C-z");
    await terminal.shows("Stopped");
    await terminal.type("bg");
    await terminal.press("Enter");
    await terminal.isUsable();
    await box.write("go", "");
    await terminal.shows(COMPLETED);

    const [, since] = (await terminal.screen()).join("\n").split("Stopped"); // above it may stand what was drawn before
    expect(since).toMatch(/\$ bg\n[\s\S]*works: 42\n[\s\S]*running the checks\n[\s\S]*completed:/);
    expect(since).not.toContain(HINT);
    await terminal.isUsable();
  });

  test("Ctrl-Z does not stop it where no shell could have it go on", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT), {
      start: `exec bash -c 'bash ../go; echo "exit code $?"; read'`,
    });

    await isOnce(terminal);
    await terminal.press("C-z");
    await terminal.shows(/working {2}0:(0[2-9]|[1-5]\d)$/m);
    await box.write("go", "");
    await terminal.shows("exit code 0");
  });

  test("a hangup of its terminal ends it as cancelled", async () => {
    const box = await sandbox();
    const terminal = await openTerminal(box, runOf(PATIENT));

    await isOnce(terminal);
    await terminal.kill("SIGHUP");
    await terminal.shows(/cancelled[\s\S]*exit code 3/);
  });
});

test("a run without any terminal, as nohup and cron start it, outlives a hangup", async () => {
  const box = await sandbox();
  const run = box.start(runOf(`touch up; ${PATIENT}`));
  await vi.waitFor(() => box.read("up"), { timeout: 60_000, interval: 50 });

  run.child.kill("SIGHUP");
  await box.write("go", "");

  expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringContaining(COMPLETED) });
});
