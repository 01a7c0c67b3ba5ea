import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import type { Ended, Sandbox } from "../support/sandbox.ts";

const GOOD = ["--check", "true", "--agent-command", "true"];

/** One clear error, what to do next, no stack, and nothing changed. */
async function refused({ project }: Sandbox, ended: Ended, says: RegExp): Promise<void> {
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr).toMatch(/^next: .+/m);
  expect(ended.stderr).not.toMatch(/^\s+at /m);
  expect(ended.stdout).toBe("");
  expect(ended.code).toBe(2);
  expect(await readdir(project)).not.toContain(".e8");
}

describe("a task file that cannot be used", () => {
  const files: Record<string, { yaml: string; says: RegExp }> = {
    "an unknown key": {
      yaml: "task: x\ncriteria: [y]\nmax_iteration: 3\n",
      says: /max_iteration.*did you mean.*max_iterations/i,
    },
    "a wrong type": { yaml: "task: x\ncriteria: [y]\nmax_iterations: many\n", says: /max_iterations.*many/ },
    "a value out of range": {
      yaml: "task: x\ncriteria: [y]\nmax_iterations: 1001\n",
      says: /max_iterations.*1001.*1000/,
    },
    "broken YAML": { yaml: "task: [x\ncriteria: y\n", says: /not valid YAML.*line \d/s },
    "an empty task": { yaml: "task: ''\ncriteria: [y]\n", says: /task/ },
    "no criteria": { yaml: "task: x\ncriteria: []\n", says: /criteria/ },
  };

  test.each(Object.entries(files))("%s", async (_, { yaml, says }) => {
    const box = await quickSandbox();
    await box.write("task.yaml", yaml);
    await refused(box, await box.e8(["run", "--config", "task.yaml"]), says);
  });

  test("several faults are reported at once", async () => {
    const box = await quickSandbox();
    await box.write(
      "task.yaml",
      "task: x\ncriteria: [y]\nmax_iterations: 0\nbudgets: {}\nclaude_options: {modle: opus}\n",
    );
    const ended = await box.e8(["run", "--config", "task.yaml"]);
    await refused(box, ended, /max_iterations/);
    expect(ended.stderr).toMatch(/budgets/);
    expect(ended.stderr).toMatch(/modle.*did you mean.*model/i);
  });
});

test.each([
  ["no task", ["run", ...GOOD], /no task/i],
  ["a blank task", ["run", "  ", ...GOOD], /task/i],
  ["no criteria", ["run", "do it", "--agent-command", "true"], /no criteria/i],
  [
    "words after an agent that takes none",
    ["run", "do it", "--check", "true", "--agent", "codex:foo"],
    /^error: --agent: "codex:foo" is not possible: claude, codex, .* acp:<command>, command:<program> or scripted:<story>; only the last three/m,
  ],
  [
    "an agent that is none, with words of its own, among others",
    ["run", "do it", "--check", "true", "--agent", "claude", "--agent", "foo:bar"],
    /^error: --agent: "foo:bar" is not possible: claude, codex, /m,
  ],
  ["a missing task file", ["run", "--config", "nowhere.yaml"], /nowhere\.yaml does not exist/],
  ["a missing project", ["run", "do it", ...GOOD, "--project", "nowhere"], /nowhere does not exist/],
  ["iterations that are no number", ["run", "do it", ...GOOD, "-n", "many"], /--max-iterations/],
  ["iterations out of range", ["run", "do it", ...GOOD, "-n", "0"], /--max-iterations/],
  ["a negative budget", ["run", "do it", ...GOOD, "--max-cost", "-1"], /--max-cost/],
  ["a hostile task id", ["run", "--resume", "../.."], /not a task id/],
  ["an unknown task id", ["show", "2020-01-01T00-00-00"], /no task 2020-01-01T00-00-00/],
  ["a hostile id to show", ["show", "../../etc/passwd"], /not a task id/],
  ["nothing to resume", ["run", "--resume"], /no tasks/],
  ["a task that does not run", ["cancel", "2020-01-01T00-00-00"], /no task/],
])("%s", async (_, args, says) => {
  const box = await quickSandbox();
  await refused(box, await box.e8(args), says);
});

test("an unknown flag is bad usage", async () => {
  const box = await quickSandbox();
  const ended = await box.e8(["run", "do it", "--chek", "true"]);
  expect(ended.stderr).toMatch(/--chek.*\n.*--check/);
  expect(ended.code).toBe(2);
});

test.each([
  { words: ["rnu"], says: /^error: unknown command rnu\ndid you mean run\?\nnext: e8 --help/ },
  { words: ["knowledge", "serch", "x"], says: /^error: unknown command serch\nnext: e8 knowledge --help/ },
  { words: ["knowledge", "list", "x"], says: /^error: too many arguments.*\nnext: e8 knowledge list --help/ },
  { words: ["help", "rnu"], says: /^error: unknown command rnu\nnext: e8 --help/ },
  { words: ["help", "agent", "rnu"], says: /^error: unknown command rnu\nnext: e8 agent --help/ },
])("a command that there is none of is bad usage: $words", async ({ words, says }) => {
  const box = await quickSandbox();
  await refused(box, await box.e8(words), says);
});

test.each([
  [
    ["run", "x", "-c", "a", "-c", "", "-c", "b"],
    "-c, --criteria: value 2 of 3 is empty",
    "3 個の値のうち 2 個目が空です",
  ],
  [["run", "x", "-c", "a", "--check", " ", "--check", "b"], "--check: value 1 of 2 is empty", "2 個の値のうち 1 個目"],
  [["run", "x", "-c", "a", "--max-cost", ""], "--max-cost: is empty", "値が空です"],
  [["run", "--resume", ""], "--resume: is empty", "値が空です"],
  [["knowledge", "list", "--type="], "--type: is empty", "値が空です"],
  [["init", "--task", ""], "--task: is empty", "値が空です"],
])("%j: the flag with the empty value is named", async (args, english, japanese) => {
  const box = await quickSandbox();
  await refused(box, await box.e8(args), new RegExp(`^error: ${english}\nnext: See \`e8 ${args[0]}`));
  expect((await box.e8([...args, "--lang", "ja"])).stderr).toContain(japanese);
});

test("a list of things to do is no option, and it is said how to pass it", async () => {
  const box = await quickSandbox();
  const args = ["run", "- mend the cart\n- mend the till", ...GOOD];
  await refused(box, await box.e8(args), /"- mend the cart - mend the till" begins with a dash/);
  expect((await box.e8([...args, "--lang", "ja"])).stderr).toContain("ハイフンで始まっています");
});

test.each([
  ["alone", []],
  ["with a criterion", GOOD],
])("the name of a task file in the place of a task, %s", async (_, more) => {
  const box = await quickSandbox();
  await box.write("my task.yaml", "task: do it\ncriteria: [it is done]\n");

  await refused(box, await box.e8(["run", "my task.yaml", ...more]), /next: .*e8 run --config 'my task\.yaml'$/m);
  const { stderr } = await box.e8(["run", "my task.yaml", ...more, "--lang", "ja"]);
  expect(stderr).toMatch(/^次の手順：.*e8 run --config 'my task\.yaml'$/m);
});

test("a list of things to do behind -- is a task", async () => {
  const { e8 } = await quickSandbox();
  const { code, stdout } = await e8(["run", ...GOOD, "--dry-run", "--json", "--", "- mend the cart\n- mend the till"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).configuration.task).toBe("- mend the cart\n- mend the till");
});

test("words after an agent that takes none, in Japanese", async () => {
  const box = await quickSandbox();
  const run = ["--lang", "ja", "run", "do it", "--check", "true", "--agent", "codex:foo"];

  expect(await box.e8(run)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/"codex:foo" は使えません（claude、codex、.*acp:<コマンド>.*最後の 3 つだけです/),
  });
});

test("no agents to look at, and a number of entries that is none", async () => {
  const box = await quickSandbox();
  await refused(box, await box.e8(["agent", "validate"]), /^error: There are no agents in .+\.$/m);
  await refused(box, await box.e8(["knowledge", "search", "x", "-n", "0"]), /--limit: "0" is not possible/);
});

test("the help of a command below a command", async () => {
  const box = await quickSandbox();
  const asked = await box.e8(["help", "agent", "run"]);

  expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: e8 agent run/) });
});

test.each(["fr", "constructor"])("an unknown language is bad usage: %s", async (language) => {
  const box = await quickSandbox();
  await refused(
    box,
    await box.e8(["list", "--lang", language]),
    new RegExp(`^error: --lang: "${language}" is not possible: en, ja\\nnext: See \`e8 --help\``),
  );
});

test("a directory in the place of a task file is called one, in the reader's language", async () => {
  const box = await quickSandbox();
  await refused(box, await box.e8(["run", "--config", "."]), /^error: .+ cannot be read: it is a directory\.$/m);

  const { stderr } = await box.e8(["--lang", "ja", "run", "--config", "."]);
  expect(stderr).toMatch(/^エラー：.+ を読めません：ディレクトリです$/m);
});

test("a project that is a file", async () => {
  const box = await quickSandbox();
  await box.write("file", "");
  await refused(box, await box.e8(["run", "do it", ...GOOD, "--project", "file"]), /file is not a directory/);
});

test("a project without write permission", async () => {
  const box = await quickSandbox();
  const sealed = process.platform === "darwin" ? "/System" : "/sys/kernel"; // for the superuser, too
  await refused(box, await box.e8(["run", "do it", ...GOOD, "--project", sealed]), /permission/i);
});

test("a records directory that cannot be made because a file is in its place", async () => {
  const box = await quickSandbox();
  await box.write(".e8", "in the way");
  const ended = await box.e8(["run", "do it", ...GOOD]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/^error: .*\.e8/m);
});

test("a wrong environment variable is named", async () => {
  const box = await quickSandbox();
  const ended = await box.e8(["run", "do it", ...GOOD], { env: { ENDLESS8_MAX_ITERATIONS: "abc" } });
  await refused(box, ended, /ENDLESS8_MAX_ITERATIONS/);
});

test("--resume takes nothing that would make it another task", async () => {
  const box = await quickSandbox();
  await mkdir(join(box.project, ".e8"), { recursive: true });
  const ended = await box.e8(["run", "another task", "--resume"]);
  expect(ended.stderr).toMatch(/--resume/);
  expect(ended.code).toBe(2);
});

test("a directory that is gone is named as what it is", async () => {
  const box = await quickSandbox();
  const gone = join(box.home, "gone");
  await mkdir(gone);
  const command = 'cd "$1" && rmdir "$1" && exec "$2" "$3" list';
  const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));
  const child = promisify(execFile)("sh", ["-c", command, "sh", gone, process.execPath, E8], { env: box.env });

  await expect(child).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/no longer exists\.\nnext: /) });
});

describe("a flag's value that is not one of those there are", () => {
  test.each([
    [["init", "-n", "0"], '--max-iterations: "0" is not possible: 1 to 100', "e8 init"],
    [["init", "--max-cost", "x"], '--max-cost: "x" is not possible: more than 0', "e8 init"],
    [["agent", "init", "x", "--from", "y"], '--from: "y" is not possible: issue-worker,', "e8 agent init"],
  ])("%j is told with them, and which help has more", async (args, message, help) => {
    const { e8 } = await quickSandbox();

    const { code, stderr } = await e8(args);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(new RegExp(`\nnext: .*${help}`));
  });

  test("in Japanese the sentence is Japanese", async () => {
    const { e8 } = await quickSandbox();
    const { stderr } = await e8(["--lang", "ja", "agent", "validate", "--graph", "x"]);
    expect(stderr).toContain('エラー：--graph: "x" は使えません（mermaid、text）');
  });
});
