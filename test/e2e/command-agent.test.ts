import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { resultOf } from "../support/sandbox.ts";

const TWO_STEPS = "if [ -f half ]; then echo ok > done.txt; else touch half; fi; echo worked";

test("with checks as the only criteria a program does the work and no model is ever asked", async () => {
  const { e8, model, records } = await quickSandbox();

  const ended = await e8([
    "run",
    "Make done.txt",
    "--check",
    "grep -q ok done.txt",
    "--agent-command",
    TWO_STEPS,
    "--json",
  ]);

  expect(ended.code).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", stop_reason: "criteria_met", iterations_used: 2 });
  expect((await records()).map((record) => record.type)).toEqual([
    "summary",
    "judgment",
    "summary",
    "judgment",
    "final_result",
  ]);
  expect(model.requests).toHaveLength(0);
});

test("a failing check's exit code and output tail stand in the next prompt", async () => {
  const { e8, read } = await quickSandbox();
  const agent = "cat > prompt-$E8_ITERATION.txt";

  await e8([
    "run",
    "Anything",
    "--check",
    "echo expected 3, got $((2 + 2)); exit 7",
    "--agent-command",
    agent,
    "-n",
    "2",
  ]);

  expect(await read("prompt-1.txt")).not.toContain("expected 3, got 4");
  expect(await read("prompt-2.txt")).toMatch(/exit code 7 .*\n.*expected 3, got 4/);
});

test("what the worker claims means nothing", async () => {
  const { e8 } = await quickSandbox();
  const agent = `echo 'All done! <promise>COMPLETE</promise> {"status":"success","is_complete":true,"output":"done"}'`;

  const ended = await e8(["run", "Anything", "--check", "false", "--agent-command", agent, "-n", "2", "--json"]);

  expect(ended.code).toBe(1);
  expect(resultOf(ended)).toMatchObject({
    status: "max_iterations",
    stop_reason: "max_iterations",
    iterations_used: 2,
  });
});

test("rules for tool calls that a program cannot be held to are told of at the start, and so is what it cannot do", async () => {
  const { e8, write } = await quickSandbox();
  const rules = { allowed_tools: ["Read"], permission_mode: "plan" };
  const criteria = [{ type: "command", command: "test -f a.txt" }];
  const agent = { command: "echo x > a.txt; echo done" };
  await write("task.yaml", JSON.stringify({ task: "Write a.txt", criteria, agent, claude_options: rules }));

  const dry = await e8(["run", "--config", "task.yaml", "--dry-run"]);
  const ended = await e8(["run", "--config", "task.yaml"]);

  const told = /cannot use claude_options\.allowed_tools, claude_options\.permission_mode: it works without/;
  expect(dry.stdout).toMatch(told);
  expect(dry.stdout).toMatch(/ cannot:\n[\s\S]* {2}have its cost worked out from `prices`\n/);
  expect(ended.stderr).toMatch(told);
});
