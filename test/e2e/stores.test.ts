import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/execution/prompt/bounds.ts";
import { quickSandbox } from "../support/in-process.ts";
import { forgetAllCopies } from "../support/older-task.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { judgment, summary } from "../support/stored.ts";

const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

test("[SC-002] a run of 90 iterations does not exhaust anything: its prompts stop growing", async () => {
  const { e8, read, records } = await quickSandbox();
  const agent = "cat > prompt-$E8_ITERATION; echo step $E8_ITERATION";

  const args = ["run", "x", "--check", "test -f prompt-90", "--agent-command", agent, "-n", "100", "--json"];
  const ended = await e8(args, { env: { ENDLESS8_SANDBOX: "off" } }); // 180 programs, and none has to do with it

  expect(ended.code, ended.stderr).toBe(0);
  expect((await records()).filter(({ type }) => type === "summary")).toHaveLength(90);
  const sizes = await Promise.all([10, 70, 80, 90].map(async (number) => (await read(`prompt-${number}`)).length));
  const [, ...grown] = sizes;
  expect(Math.max(...grown) - Math.min(...grown)).toBeLessThan(200);
  for (const size of sizes) expect(size).toBeLessThan(20_000);
});

describe.each([1_000, 100_000])("[FR-005] [SC-003] with %i history records", (count) => {
  test("the composed prompt stays bounded and old failures are still in it", async () => {
    const box = await quickSandbox();
    const agent = "cat > prompt; if [ -f ready ]; then touch go; fi";
    await box.e8(["run", "x", "--check", "test -f go", "--agent-command", agent, "-n", "1"]);
    await fillHistory(box, count / 2);
    await box.write("ready", "");

    const ended = await box.e8(["run", "--resume", "--json"]);

    expect(ended.code, ended.stderr.slice(-2000)).toBe(0);
    const prompt = await box.read("prompt");
    expect(estimateTokens(prompt)).toBeLessThan(100_000);
    expect(prompt).toContain("the very first mistake");
    expect(prompt).toMatch(
      /\(iteration 2\)\n {3}> the very first wrong claim.*\n.*refuted:\n {6}NOT MET: 1\. .*\n {9}exit code 1 .*\n {9}> no go$/m,
    );
    expect(prompt).toContain(`approach ${count / 2}`);
    if (count > 1_000) expect(prompt).toMatch(/more left out/);
  });
});

/** Records of iterations long past, every tenth a failure of its own kind, the second a refuted success. */
async function fillHistory(box: Sandbox, iterations: number): Promise<void> {
  const { project, tasks } = box;
  await forgetAllCopies(box);
  const [id = ""] = await tasks();
  const lines = Array.from({ length: iterations }, (_, index) => {
    const iteration = index + 1;
    const failed = iteration === 3 || iteration % 10 === 0;
    const approach = FIRST_APPROACHES[iteration] ?? `approach ${iteration}`;
    const evaluations = iteration === 2 ? [NO_GO] : [];
    const metadata = { tools_used: [], files_modified: ["a"], error_type: null, tokens_used: 0, strategy_tags: [] };
    const reason = "because ".repeat(60);
    const one = summary(iteration, { approach, reason, result: failed ? "failure" : "success", metadata });
    return `${JSON.stringify(one)}\n${JSON.stringify(judgment(iteration, evaluations))}\n`;
  });
  const directory = join(project, ".e8/tasks", id);
  await writeFile(join(directory, "history.jsonl"), lines.join(""));
  const task = JSON.parse(await readFile(join(directory, "task.json"), "utf8"));
  task.configuration.max_iterations = iterations + 1; // more than a task file may ask for
  await writeFile(join(directory, "task.json"), JSON.stringify(task));
}

const FIRST_APPROACHES: Record<number, string> = { 2: "the very first wrong claim", 3: "the very first mistake" };
const NO_GO = {
  ...{ id: 1, criterion: "`test -f go` exits 0", is_met: false, evidence: "no go", confidence: 1 },
  ...{ source: "command" as const, outcome: { code: "command_exited" as const, params: { exit_code: 1, seconds: 1 } } },
};

test("[FR-022] [FR-023] [FR-030] [FR-031] every task has its own directory in the chosen project, and list shows them", async () => {
  const box = await quickSandbox();
  await mkdir(join(box.home, "other project"));
  const run = ["run", "one line\nand another", "--check", "true", "--agent-command", "echo ok"];

  await box.e8([...run, "--project", "../other project"]);
  await box.e8([...run, "-p", "../other project"]);

  expect(await readdir(box.project)).not.toContain(".e8");
  const tasks = await readdir(join(box.home, "other project", ".e8", "tasks"));
  expect(tasks).toHaveLength(2);
  expect(tasks[0]).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(-\d+)?$/);
  const { stdout } = await box.e8(["list", "--project", "../other project"]);
  for (const id of tasks)
    expect(stdout).toMatch(new RegExp(`${id} +completed +1/10 +1/1 +unknown .+ one line and another`));
  const listed = JSON.parse((await box.e8(["list", "--json", "--project", "../other project"])).stdout);
  expect(listed).toMatchObject([{ status: "completed" }, { status: "completed" }]);
});

test("persist gets a copy of every record with its task id, and knowledge is shared where it is named", async () => {
  const box = await quickSandbox();
  const report = JSON.stringify({
    status: "success",
    output: "done",
    semantic_metadata: { approach: "a", discoveries: ["The build needs make"] },
  });
  await box.write(
    "task.yaml",
    `task: build it\ncriteria: [{type: command, command: 'true'}]\npersist: .e8/history.jsonl\nknowledge: .e8/knowledge.jsonl\nagent: {command: "cat > prompt-$(ls -d prompt-* now 2>/dev/null | wc -l); cat report"}\n`,
  );
  await box.write("report", report);
  await box.write("now", ""); // the prompts are counted from 1

  await box.e8(["run", "--config", "task.yaml"]);
  await box.e8(["run", "--config", "task.yaml"]);

  const copies = (await box.read(".e8/history.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(copies.map(({ type }) => type)).toEqual([
    "summary",
    "judgment",
    "final_result",
    "summary",
    "judgment",
    "final_result",
  ]);
  expect(new Set(copies.map(({ task_id }) => task_id)).size).toBe(2);
  expect(await box.read("prompt-1")).not.toContain("The build needs make");
  expect(await box.read("prompt-2")).toContain("The build needs make");
  expect(await box.read(".e8/knowledge.jsonl")).toMatch(/"applied_count":1/);
});

test("a full disk: one clear error, exit 2, and the records so far can be resumed", async () => {
  const box = await quickSandbox();
  const agent = "head -c 200000 /dev/zero | tr '\\\\0' x; echo; touch step-$E8_ITERATION";
  const args = ["run", "x", "--check", "test -f step-3", "--agent-command", agent];

  // Files may grow to 8 KiB: the history cannot hold three iterations.
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
  const ended = await promisify(execFile)("bash", ["-c", limited, "bash", process.execPath, E8, ...args], {
    cwd: box.project,
    env: box.env,
  }).catch((error) => error);

  expect(ended.code).toBe(2);
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/disk or quota is full/);
  const resumed = await box.e8(["run", "--resume"]);
  expect(resumed.code, resumed.stderr).toBe(0);
});

test("a copy of a project goes on in its own place, and leaves the one it was made of alone", async () => {
  const box = await quickSandbox();
  await box.e8(["run", "x", "--check", "test -f made-2", "--agent-command", "touch made-$E8_ITERATION", "-n", "1"]);
  const copy = join(box.home, "a copy");
  await cp(box.project, copy, { recursive: true });

  const ended = await box.e8(["run", "--resume", "-n", "2", "--project", copy]);

  expect(ended.code, ended.stdout).toBe(0);
  expect(await readdir(copy)).toContain("made-2");
  expect(await readdir(box.project)).not.toContain("made-2");
});
