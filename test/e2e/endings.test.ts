import { expect, test } from "vitest";
import { fault, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox } from "../support/in-process.ts";
import { resultOf } from "../support/sandbox.ts";
import { always, report, summarizes, works } from "../support/stories.ts";

const BUSY = "date +%N > changed-$E8_ITERATION; echo worked";

test("[FR-010] [FR-027] iterations used up: exit 1, max_iterations; the flag beats the file", async () => {
  const { e8, write } = await quickSandbox();
  await write(
    "task.yaml",
    `task: x\ncriteria: [{type: command, command: 'false'}]\nmax_iterations: 5\nagent: {command: '${BUSY}'}\n`,
  );

  const ended = await e8(["run", "--config", "task.yaml", "--max-iterations", "2", "--json"]);

  expect(ended.code).toBe(1);
  expect(resultOf(ended)).toMatchObject({
    status: "max_iterations",
    stop_reason: "max_iterations",
    iterations_used: 2,
  });
});

test("no progress: exit 1, stalled", async () => {
  const { e8, write } = await quickSandbox();
  await write(
    "task.yaml",
    "task: x\ncriteria: [{type: command, command: 'date +%N; false'}]\nagent: {command: echo hm}\nstall_limit: 3\n",
  );

  const ended = await e8(["run", "--config", "task.yaml", "--json"]);

  expect(ended.code).toBe(1);
  expect(resultOf(ended)).toMatchObject({ status: "stalled", stop_reason: "stalled", iterations_used: 3 });
});

test("no progress, either, when the same file is written with the same content again and again", async () => {
  const { e8, write, records } = await quickSandbox();
  await write(
    "task.yaml",
    "task: x\ncriteria: [{type: command, command: 'false'}]\nagent: {command: echo the same > notes.txt}\nstall_limit: 3\n",
  );

  const ended = await e8(["run", "--config", "task.yaml", "--json"]);

  expect(resultOf(ended)).toMatchObject({ stop_reason: "stalled", iterations_used: 4 });
  const changed = (await records()).flatMap((one) => (one.type === "summary" ? [one.metadata.files_modified] : []));
  expect(changed).toEqual([["notes.txt"], [], [], []]);
});

test("the time budget ends a worker that would go on, judges what it did, and exits 1", async () => {
  const { e8, records } = await quickSandbox();

  const ended = await e8([
    "run",
    "x",
    "--check",
    "false",
    "--agent-command",
    "echo begun; sleep 60",
    "--max-time",
    "5s",
    "--json",
  ]);

  expect(ended.code, ended.stderr).toBe(1);
  expect(resultOf(ended)).toMatchObject({ status: "budget_exceeded", stop_reason: "budget_time", iterations_used: 1 });
  expect((await records())[0]).toMatchObject({ result: "error", metadata: { error_type: "timeout" } });
});

test.each([
  ["tokens", ["--max-tokens", "500"], "budget_tokens"],
  ["cost", ["--max-cost", "0.0001"], "budget_cost"],
])("the %s budget: exit 1, and it holds across a resume", async (_, flags, stop_reason) => {
  const expensive = scene("executor", { ...report("worked"), tokens: { input: 1000, output: 1000 } });
  const { e8, model } = await quickSandbox(story(always(expensive), always(summarizes("worked"))));

  const ended = await e8(["run", "x", "--check", "false", ...flags, "--json"]);

  expect(ended.code, ended.stderr).toBe(1);
  expect(resultOf(ended)).toMatchObject({ status: "budget_exceeded", stop_reason });
  const asked = model.requests.length;
  const again = await e8(["run", "--resume", "--json"]);
  expect(resultOf(again)).toMatchObject({ status: "budget_exceeded", stop_reason });
  expect(model.requests).toHaveLength(asked);
});

test("an agent that is not there: exit 2, error, with advice", async () => {
  const { e8, records } = await quickSandbox();

  const ended = await e8(["run", "x", "--check", "true", "--agent-command", "no-such-agent-anywhere", "--json"]);

  expect(ended.code).toBe(2);
  expect(resultOf(ended)).toMatchObject({ status: "error", stop_reason: "error", error_code: "agent_configuration" });
  expect(resultOf(ended).error_message).toContain("no-such-agent-anywhere");
  expect((await records()).at(-1)).toMatchObject({ type: "final_result", status: "error" });
});

test("where Claude Code cannot be used, another program takes the task over, as the advice says", async () => {
  const { e8, write } = await quickSandbox();
  await write("endless8.yaml", "agent_model: haiku\nclaude_options: {executable: ./no-claude-here}\n");

  const ended = await e8(["run", "x", "--check", "test -f done", "--json"]);

  expect(resultOf(ended)).toMatchObject({ error_code: "agent_configuration" });
  expect(resultOf(ended).hint).toContain("`e8 run --resume` (with `--agent-command` for another program)");
  const again = await e8(["run", "--resume", "--agent-command", "touch done; echo made it", "--json"]);
  expect(again.code, again.stdout).toBe(0);
  expect(resultOf(again)).toMatchObject({ status: "completed", iterations_used: 1 });
});

test("a worker that fails is recorded as an error that the next one reads, and the run goes on", async () => {
  const { e8, read, records } = await quickSandbox();
  const agent =
    'cat > prompt-$E8_ITERATION; if [ "$E8_ITERATION" = 1 ]; then echo the disk is on fire >&2; exit 3; fi; touch done';

  const ended = await e8(["run", "x", "--check", "test -f done", "--agent-command", agent, "--json"]);

  expect(ended.code).toBe(0);
  expect((await records())[0]).toMatchObject({ result: "error", metadata: { error_type: "crashed" } });
  expect(await read("prompt-2")).toContain("the disk is on fire");
});

test("an answer that never fits is asked for again, then recorded, and the next worker reads of it", async () => {
  const broken = scene("executor", { ...fault({ kind: "malformed" }), times: 4 });
  const { e8, model, records } = await quickSandbox(story(broken, works("mended"), always(summarizes("worked"))));

  const ended = await e8(["run", "x", "--check", "test -f done", "-n", "2", "--json"]);

  expect(ended.code, ended.stderr).toBe(1);
  expect((await records())[0]).toMatchObject({ result: "error", metadata: { error_type: "malformed" } });
  const second = model.requests.findLast(({ who }) => who === "executor");
  expect(JSON.stringify(second?.body)).toContain("malformed");
});
