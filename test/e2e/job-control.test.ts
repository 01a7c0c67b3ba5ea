import { describe, expect, test } from "vitest";
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
});
