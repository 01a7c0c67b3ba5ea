import { describe, expect, test } from "vitest";
import { sandbox } from "../support/sandbox.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

describe.skipIf(!hasTmux)("what does not fit the terminal's width", () => {
  test("an error and what to do are broken between words", async () => {
    const terminal = await openTerminal(await sandbox(), ["run", "x"], { columns: 50 });

    await terminal.shows("exit code 2");

    expect(await terminal.screen()).toEqual(
      expect.arrayContaining([
        "error: There are no criteria, so it would never be",
        "  clear when the task is done.",
        'next: Add -c "what must be true" or --check "a',
        '  command that must exit 0".',
      ]),
    );
  });

  test("plain lines are, too", async () => {
    const said = "echo I have looked at every file of the cart and found nothing";
    const run = ["run", "x", "--check", "true", "--agent-command", said, "--plain"];
    const terminal = await openTerminal(await sandbox(), run, { columns: 40 });

    await terminal.shows("exit code 0");

    expect(await terminal.screen()).toEqual(
      expect.arrayContaining([
        "  the worker claims success: I have",
        "    looked at every file of the cart and",
        "    found nothing",
      ]),
    );
  });

  test("a question is broken between words, too, beside its bar", async () => {
    const terminal = await openTerminal(await sandbox(), ["init"], { columns: 40 });

    await terminal.answer("What do you want done?", "Fix it");
    await terminal.shows("What must be true then?");

    const screen = await terminal.screen();
    expect(screen).toEqual(
      expect.arrayContaining(["◆  What must be true then? One sentence", "│  at a time; empty goes on"]),
    );
  });

  test("the live view's log breaks Japanese between letters, whatever spaces it has", async () => {
    const said = "echo '割引の境界を 11 個から 10 個に直し、CHANGELOG.md に書いた'";
    const run = ["--lang", "ja", "run", "x", "--check", "true", "--agent-command", said];
    const terminal = await openTerminal(await sandbox(), run, { columns: 40 });

    await terminal.shows("exit code 0");

    expect(await terminal.screen()).toEqual(
      expect.arrayContaining([
        "  作業者の主張：成功 — 割引の境界を 11",
        "    個から 10 個に直し、CHANGELOG.md に",
        "    書いた",
      ]),
    );
  });

  test("a warning keeps its colour on every line of it", async () => {
    const box = await sandbox();
    await box.e8(["run", "x", "--check", "true", "--agent-command", "true"]);
    const terminal = await openTerminal(box, ["run", "--resume"], { columns: 60 });

    await terminal.shows("exit code 0");

    const note = (await terminal.coloured())
      .split("\n")
      .filter((line) => /is already completed|to check again/.test(line));
    expect(note).toHaveLength(2);
    for (const line of note) expect(line).toContain("\u001b[33m");
  });
});
