import { describe, expect, test } from "vitest";
import { store } from "../cli/support.ts";
import { sandbox, scriptedSandbox } from "../support/sandbox.ts";
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

  test("shows the intake's questions as one of 80 columns does", async () => {
    const clarification_questions = [
      {
        question: "How fast is fast enough?",
        context: "It takes two seconds now.",
        suggested_answers: ["under 100 ms"],
      },
      { question: "On which machine?", context: "", suggested_answers: [] },
    ];
    const answer = { status: "needs_clarification", task: "", criteria: [], clarification_questions };
    const box = await scriptedSandbox({ scenes: [{ who: "intake", turns: [{ answer }] }] });
    const terminal = await openTerminal(box, `${UNSIZED} run "${TASK}" -c "It is fast"`);

    await terminal.shows(/How fast is fast enough\?\n│ {2}It takes two seconds now\.\n│ {2}● under 100 ms/);
    await terminal.press("Enter");
    await terminal.shows(/^◆ {2}On which machine\?$/m);
    await terminal.press("Escape");
    await terminal.shows("exit code 4");
  });

  test("shows the tasks of a list in full", async () => {
    const box = await sandbox();
    await store(box.project, "2026-01-23T10-00-00", { configuration: { task: TASK } });
    const terminal = await openTerminal(box, `${UNSIZED} list`, { columns: 200 });

    await terminal.shows("exit code 0");

    expect((await terminal.screen()).join("\n")).toContain(TASK);
  });
});
