import { describe, expect, test } from "vitest";
import { store } from "../cli/support.ts";
import { sandbox } from "../support/sandbox.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

/** As remote shells and containers give it to a program when nobody has told them how large it is. */
const UNSIZED = `stty cols 0 rows 0; "${process.execPath}" "$E8"`;
const TASK = "Mend the cart so that discounts begin at ten items";

describe.skipIf(!hasTmux)("a terminal that says its size is nothing", () => {
  test("shows the live view as one of 80 columns does", async () => {
    const box = await sandbox();
    const agent = "until [ -f go ]; do sleep 0.1; done; echo done";
    const terminal = await openTerminal(
      box,
      `${UNSIZED} run "${TASK}" --check "test -f go" --agent-command '${agent}'`,
    );

    await terminal.shows(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] iteration 1 of 10 · working {2}0:0\d$/m);
    await terminal.shows("1. `test -f go` exits 0");
    await box.write("go", "");
    await terminal.shows("exit code 0");
  });

  test("shows the tasks of a list in full", async () => {
    const box = await sandbox();
    await store(box.project, "2026-01-23T10-00-00", { configuration: { task: TASK } });
    const terminal = await openTerminal(box, `${UNSIZED} list`, { columns: 200 });

    await terminal.shows("exit code 0");

    expect((await terminal.screen()).join("\n")).toContain(TASK);
  });
});
