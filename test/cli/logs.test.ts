import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import { forgetAllCopies } from "../support/older-task.ts";
import type { Sandbox, Started } from "../support/sandbox.ts";
import { accepts, judges, summarizes, works } from "../support/stories.ts";
import { store } from "./support.ts";

const ID = "2026-01-23T10-00-00";
const usage = { input_tokens: 1000, cache_creation_input_tokens: 200, cache_read_input_tokens: 9, output_tokens: 34 };
const assistant = (...content: object[]) => ({ type: "assistant", message: { role: "assistant", content } });
const output = Array.from({ length: 40 }, (_, index) => `test ${index + 1} failed`).join("\n");

const WORK = [
  { type: "system", subtype: "init", model: "claude-test", tools: ["Bash"] },
  { type: "system", subtype: "status", status: "requesting" },
  assistant({ type: "thinking", thinking: "where to\nbegin" }),
  assistant(
    { type: "text", text: "まずテストを実行します。\n次に直します。" },
    { type: "tool_use", name: "Bash", input: { command: "npm test" } },
  ),
  {
    type: "user",
    message: { content: [{ type: "tool_result", content: [{ type: "text", text: output }], is_error: true }] },
  },
  { ...assistant({ type: "tool_use", name: "Grep", input: { odd: 1 } }), parent_tool_use_id: "toolu_1" },
  { type: "from the future", surprise: {} },
  { type: "result", subtype: "success", is_error: false, num_turns: 3, total_cost_usd: 0.5, duration_ms: 4200, usage },
];
const JUDGE = [
  { type: "result", subtype: "error_max_turns", is_error: true, errors: ["too many turns"], num_turns: 9 },
  { type: "result", subtype: "success", is_error: true, result: "API Error: Overloaded", num_turns: 1 },
  { type: "result", subtype: "success", is_error: true, num_turns: 1 },
];

async function logged(): Promise<Sandbox> {
  const box = await quickSandbox();
  const directory = await store(box.project, ID, { configuration: { logging: { raw_log: true, raw_log_dir: null } } });
  await mkdir(join(directory, "logs"));
  const write = (name: string, messages: object[], rest = "") =>
    writeFile(join(directory, "logs", name), messages.map((one) => `${JSON.stringify(one)}\n`).join("") + rest);
  await write(
    "iteration-010.jsonl",
    [{ type: "text", text: "the \u001b[31mten\u001b[0mth\u0007" }],
    '{"type":"text","te',
  );
  await write("iteration-001.judge.jsonl", JUDGE);
  await write("iteration-001.jsonl", WORK);
  await write("iteration-000.intake.jsonl", [assistant({ type: "text", text: "clear enough" })]);
  await write("notes.txt", []);
  return box;
}

test("texts come whole, calls in a line, results by their end, and what it took; in the order of the work", async () => {
  const { stdout, stderr, code } = await (await logged()).e8(["logs", ID], { env: { COLUMNS: "60" } });
  expect([code, stderr]).toEqual([0, "from the raw logs\n"]);
  expect(stdout.split("\n")).toEqual([
    "intake",
    "  📝 clear enough",
    "iteration 1, executor",
    "  claude-test",
    "  … where to begin",
    "  📝 まずテストを実行します。",
    "     次に直します。",
    "  → Bash: npm test",
    "  ✘ … 34 lines left out",
    ...[35, 36, 37, 38, 39, 40].map((number) => `    test ${number} failed`),
    '      → Grep: {"odd":1}',
    "  Σ 3 turns  1200 tokens in, 34 out  $0.50  4.2 s",
    "iteration 1, judge",
    "  ✘ error_max_turns",
    "  ✘ too many turns",
    "  Σ 9 turns  0.0 s",
    "  ✘ API Error: Overloaded",
    "  Σ 1 turn  0.0 s",
    "  ✘ error",
    "  Σ 1 turn  0.0 s",
    "iteration 10, executor",
    "  the tenth",
    '  {"type":"text","te',
    "",
  ]);
});

test("one iteration can be chosen, and --json prints the log as it is", async () => {
  const { e8 } = await logged();
  const { stdout } = await e8(["logs", ID, "--iteration", "1", "--json"]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([...WORK, ...JUDGE]);
  expect((await e8(["logs", ID, "--iteration", "0", "--lang", "ja"])).stdout).toBe("受付\n  📝 clear enough\n");
});

test.each([
  [["--iteration", "7"], /no log of iteration 7.*\nnext: There are logs of: 0, 1, 10/],
  [
    ["--iteration", "two"],
    /--iteration: "two" is not possible: a whole number; 0 is the intake\nnext: .*e8 logs --help/,
  ],
])("an iteration that is not there is refused: %j", async (flags, problem) => {
  const { code, stderr } = await (await logged()).e8(["logs", ID, ...flags]);
  expect(code).toBe(2);
  expect(stderr).toMatch(problem);
});

test("a log that cannot be read is named, and the others are shown", async () => {
  const { e8, project } = await logged();
  await mkdir(join(project, ".e8", "tasks", ID, "logs", "iteration-002.jsonl"));
  const { code, stdout, stderr } = await e8(["logs", ID]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^note: Skipped .+iteration-002\.jsonl, which cannot be read: it is a directory\.$/m),
  ]);
  expect(stdout).toContain("iteration 10, executor");
});

/** A task without raw logs, whose first worker is refused a tool. */
async function ran(): Promise<Sandbox> {
  const looks = { say: `I look around.\n${"x".repeat(3000)}`, use: [{ tool: "Bash", input: { command: "ls" } }] };
  const box = await quickScripted(
    story(
      accepts("it works"),
      works("looked", looks),
      summarizes("only looked"),
      judges(false, [{ id: 1, is_met: false, evidence: "nothing was made" }]),
      works("made it", use("Write", { file_path: "made.txt", content: "x" })),
      summarizes("made it"),
      judges(true, [{ id: 1, is_met: true }]),
    ),
    { logging: { raw_log: false }, claude_options: { allowed_tools: ["Write"] } },
  );
  expect((await box.e8(["run", "Make it", "-c", "it works"])).code).toBe(0);
  return box;
}

test("where no raw log was kept, the stored events are shown, and how to keep more", async () => {
  const { stdout, stderr, code } = await (await ran()).e8(["logs"], { env: { COLUMNS: "60" } });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^from the stored events: .*e8 run --raw-log/);
  expect(stdout.split("\n")).toEqual([
    "intake",
    "  the task and its criteria are clear",
    "iteration 1, executor",
    "  📝 I look around.",
    expect.stringMatching(/^ {5}x{1900,1999}…$/),
    "  → Bash: ls",
    expect.stringMatching(/^ {4}not allowed: Bash/),
    "iteration 1, summarizer",
    "  the worker claims success: summary of: only looked",
    "iteration 1, judge",
    "  ✘ not met  1. it works",
    "      nothing was made",
    "iteration 2, executor",
    "  → Write: made.txt",
    "iteration 2, summarizer",
    "  the worker claims success: summary of: made it",
    "iteration 2, judge",
    "  ✔ met  1. it works",
    "",
  ]);
});

test("of stored events, too, one iteration can be chosen, and JSON is what was stored", async () => {
  const { e8 } = await ran();
  const { stdout } = await e8(["logs", "--iteration", "2", "--json"]);
  const types = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).event.type);
  expect(types).toEqual(["tool-call", "summary", "judgment"]);
  const missing = await e8(["logs", "--iteration", "7"]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/There are logs of: 0, 1, 2/)]);
});

test("an iteration from before raw logs were kept is shown from the stored events", async () => {
  const box = await ran();
  const { e8, project, tasks } = box;
  await forgetAllCopies(box);
  const [id = ""] = await tasks();
  const directory = join(project, ".e8", "tasks", id);
  const task = await readFile(join(directory, "task.json"), "utf8");
  await writeFile(join(directory, "task.json"), task.replace(/"raw_log": ?false/, '"raw_log":true'));
  await mkdir(join(directory, "logs"));
  await writeFile(join(directory, "logs", "iteration-003.jsonl"), '{"type":"text","text":"the third"}\n');
  expect((await e8(["logs", "--iteration", "1"])).stdout).toContain("I look around.");
  expect(await e8(["logs"])).toMatchObject({ stdout: "iteration 3, executor\n  the third\n" });
});

test("where neither raw logs nor events are stored, it says how to have raw logs", async () => {
  const { e8, project } = await quickSandbox();
  await store(project, ID);
  const { code, stderr } = await e8(["logs", ID, "-f"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/keeps no raw logs\.\nnext: .*`e8 run --raw-log`.*logging: \{raw_log: true\}/);
  expect((await e8(["logs", ID, "--lang", "ja"])).stderr).toContain("生ログは残していません");
});

test.each([
  ["raw logs", "{raw_log: true, raw_log_dir: my logs}", "iteration 1, executor\n  one\n  two\n  last\n"],
  ["events", "{}", /^iteration 1, executor\n {2}📝 one\n {2}📝 two\n {2}📝 last\n/],
])("following a live run shows what comes as it comes, and ends with the run: %s", async (_, logging, shown) => {
  const box = await quickSandbox();
  await box.write("task.yaml", `task: wait\ncriteria: [{type: command, command: test -f go}]\nlogging: ${logging}\n`);
  const agent = "echo one; until test -f go; do sleep 0.05; done; printf 'two\\nlast'";
  const run = box.start(["run", "--config", "task.yaml", "--agent-command", agent, "--no-intake"]);
  const id = await vi.waitFor(async () => (await box.tasks())[0] ?? Promise.reject(new Error("not begun")), 30_000);
  await vi.waitFor(() => box.read(`.e8/tasks/${id}/lock`), 30_000);
  const logs = box.start(["logs", id, "-f"]);
  await firstOutput(logs);

  await box.write("go", "");

  const { code, stdout, stderr } = await logs.ended;
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(shown);
  expect((await run.ended).code).toBe(0);
});

async function firstOutput({ child }: Started): Promise<void> {
  if (child.stdout) await once(child.stdout, "data");
}
