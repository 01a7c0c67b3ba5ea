import { expect, test } from "vitest";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";

const TASK = ["run", "Mend it", "--check", "true", "--agent-command", "echo done"];

async function got(box: Sandbox) {
  return JSON.parse(await box.read("got.json"));
}

test("--on-end runs a command at the end of a task, with the result", async () => {
  const box = await quickSandbox();

  const { code } = await box.e8([...TASK, "--on-end", "cat > got.json"]);

  expect(code).toBe(0);
  expect(await got(box)).toMatchObject({
    event: "end",
    task: "Mend it",
    text: expect.stringContaining("completed: every criterion is met (1 iteration, 1 of 1 criteria met)"),
    result: { status: "completed", stop_reason: "criteria_met", iterations_used: 1 },
  });
});

test("notify in endless8.yaml counts for every task, in the user's language", async () => {
  const box = await quickSandbox();
  await box.write("endless8.yaml", "notify:\n  on: end\n  command: cat > got.json\n");
  await box.e8([...TASK, "--lang", "ja"]);
  expect((await got(box)).text).toContain("完了");
});

test("a notification that fails is a note, and neither the result nor the exit code change", async () => {
  const box = await quickSandbox();

  const done = await box.e8([...TASK, "--on-end", "echo offline >&2; exit 7"]);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("completed") });
  expect(done.stderr).toContain("You could not be notified (notify.on_end): exit code 7: offline");

  const failed = await box.e8([
    "run",
    "x",
    "--check",
    "false",
    "-n",
    "1",
    "--agent-command",
    "true",
    "--on-end",
    "true",
  ]);
  expect(failed.code).toBe(1);
});

test("open questions are told once, and the end of that run is not told besides", async () => {
  const clarification_questions = [{ question: "Which one?", context: "", suggested_answers: [] }];
  const answer = { status: "needs_clarification", task: "", criteria: [], clarification_questions };
  const settings = { notify: { command: "cat >> got.json" } };
  const box = await quickScripted({ scenes: [{ who: "intake", turns: [{ answer }] }] }, settings);

  expect((await box.e8(["run", "Do it", "-c", "It is done"])).code).toBe(4);

  expect(await got(box)).toMatchObject({ event: "question", questions: ["Which one?"] });
});

test("a task file with an unknown event or address says what is possible", async () => {
  const box = await quickSandbox();
  await box.write("task.yaml", "task: x\ncriteria: [y]\nnotify:\n  on: [ends]\n  webhook: nowhere\n  comand: x\n");
  const { code, stderr } = await box.e8(["run", "--config", "task.yaml"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/task\.yaml:4 notify\.on\[0\]: .*end, wait, question/);
  expect(stderr).toContain("task.yaml:5 notify.webhook");
  expect(stderr).toMatch(/task\.yaml:6 notify\.comand: .*command/);
});
