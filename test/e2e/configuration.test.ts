import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";

describe("[FR-014] where each value comes from", () => {
  const layers = {
    "task.yaml": "task: x\ncriteria: [y]\nmax_iterations: 4\nclaude_options: {max_turns: {execution: 44}}\n",
    "endless8.yaml":
      "engine: {max_iterations: 3, history_context_size: 7}\nclaude_options: {max_turns: {execution: 33, summary: 3}}\n",
  };

  test("flag beats task file beats endless8.yaml beats environment beats default, and --dry-run shows it", async () => {
    const { e8, write, tasks } = await quickSandbox();
    for (const [name, text] of Object.entries(layers)) await write(name, text);
    const env = { ENDLESS8_MAX_ITERATIONS: "2", ENDLESS8_DEFAULT_MODEL: "opus" };

    const { stdout, code } = await e8(["run", "--config", "task.yaml", "-n", "5", "--dry-run"], { env });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^max_iterations +5 +flag --max-iterations$/m);
    expect(stdout).toMatch(/^claude_options\.max_turns\.execution +44 +task\.yaml:\d+$/m);
    expect(stdout).toMatch(/^claude_options\.max_turns\.summary +3 +endless8\.yaml:\d+$/m);
    expect(stdout).toMatch(/^history_context_size +7 +endless8\.yaml:\d+$/m);
    expect(stdout).toMatch(/^models\.judge +"opus" +ENDLESS8_DEFAULT_MODEL$/m);
    expect(stdout).toMatch(/^command_timeout +300 +default$/m);
    expect(await tasks()).toEqual([]);
  });

  test.each([
    ["task file", ["--config", "task.yaml"], 4],
    ["endless8.yaml", ["x", "-c", "y"], 3],
  ])("without the layers above it, the %s decides", async (_, args, expected) => {
    const { e8, write } = await quickSandbox();
    for (const [name, text] of Object.entries(layers)) await write(name, text);

    const { stdout } = await e8(["run", ...args, "--dry-run", "--json"], { env: { ENDLESS8_MAX_ITERATIONS: "2" } });

    expect(JSON.parse(stdout).configuration.max_iterations).toBe(expected);
  });

  test("the environment decides where no file does", async () => {
    const { e8 } = await quickSandbox();
    const { stdout } = await e8(["run", "x", "-c", "y", "--dry-run", "--json"], {
      env: { ENDLESS8_MAX_ITERATIONS: "2" },
    });
    expect(JSON.parse(stdout).configuration.max_iterations).toBe(2);
  });
});

test("a task file of the Python endless8 loads unchanged: block and folded scalars, strings and objects as criteria", async () => {
  const { e8, write } = await quickSandbox();
  await write(
    "task.yaml",
    `# task.yaml
task: |
  テストカバレッジを
  90%以上にする
criteria:
  - "pytest --cov で90%以上"
  - >
    README に手順が
    書かれている
  - type: command
    command: "true"
    description: 形式チェック
    timeout: 60
max_iterations: 10
persist: ".e8/history.jsonl"
knowledge: ".e8/knowledge.jsonl"
knowledge_context_size: 10
history_context_size: 5
logging:
  raw_log: false
  raw_log_dir: ".e8/logs"
claude_options:
  allowed_tools:
    - "Read"
    - "Bash(git:*)"
    - "mcp__context7__*"
  model: "sonnet"
  output_format: "stream-json"
  verbose: true
prompts:
  judgment: |
    以下の基準で完了条件を厳密に評価してください
  append_system_prompt: |
    各作業の最後に JSON で報告してください
`,
  );

  const { stdout, stderr, code } = await e8(["run", "--config", "task.yaml", "--dry-run", "--json"]);

  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).configuration).toMatchObject({
    task: "テストカバレッジを\n90%以上にする",
    criteria: [
      { type: "semantic", text: "pytest --cov で90%以上" },
      { type: "semantic", text: "README に手順が 書かれている" },
      { type: "command", command: "true", description: "形式チェック", timeout: 60 },
    ],
    models: { executor: "sonnet" },
    claude_options: { allowed_tools: ["Read", "Bash(git:*)", "mcp__context7__*"] },
  });
});

test("--dry-run shows each criterion on a line of its own, and a long one moves nothing else", async () => {
  const { e8 } = await quickSandbox();
  const { stdout } = await e8(["run", "x", "-c", "y".repeat(5000), "--check", "true", "--dry-run"]);
  expect(stdout).toMatch(
    /^criteria\[0\] +\{"type":"semantic","text":"y+"\} {2}flag --criteria\/--check\/--unchanged$/m,
  );
  expect(stdout).toMatch(/^criteria\[1\] +\{"type":"command","command":"true"\} +flag/m);
  expect(stdout.split("\n").filter((line) => line.length > 120)).toHaveLength(1);
});

test("--dry-run warns of a pipe that hides a failure", async () => {
  const { e8 } = await quickSandbox();
  const { stdout } = await e8(["run", "x", "--check", "npm test | tail -5", "--check", "true || false", "--dry-run"]);
  expect(stdout.match(/pipefail: true/g)).toHaveLength(1);
});

test("a run says so at its start, but not what a hidden check is", async () => {
  const { e8, write } = await quickSandbox();
  const hidden = "type: command, command: cat secret | head, hidden: true, description: it works";
  await write("task.yaml", `task: x\ncriteria:\n  - {type: command, command: true | tail -3}\n  - {${hidden}}\n`);

  const { stdout, stderr } = await e8(["run", "--config", "task.yaml", "--agent-command", "true", "-n", "1"]);

  expect((stdout + stderr).match(/pipefail: true/g)).toHaveLength(1);
  expect(stdout + stderr).toContain("true | tail -3");
  expect(stdout + stderr).not.toContain("| head");
});

test.each(["/etc", "../x", "a/../../x"])("--keep %s is refused: it lies outside the project", async (path) => {
  const { e8 } = await quickSandbox();

  const { code, stderr } = await e8(["run", "x", "--check", "true", "--keep", path, "--dry-run"]);

  expect(code).toBe(2);
  expect(stderr).toContain("inside the project");
});

test("--dry-run says what would keep the run from beginning", async () => {
  const { e8, write } = await quickSandbox();
  await write("task.yaml", "task: x\ncriteria: [y]\nworking_directory: nowhere\n");

  const nowhere = await e8(["--lang", "ja", "run", "--config", "task.yaml", "--dry-run"]);
  const nothing = await e8(["run", "x", "--unchanged", "nothing/**", "--dry-run"]);

  expect(nowhere).toMatchObject({ code: 2, stdout: expect.stringContaining("nowhere") });
  expect(nowhere.stderr).toMatch(
    /^エラー：task\.yaml に使えない設定があります：\n {2}task\.yaml:3 working_directory: ディレクトリ .*nowhere がありません$/m,
  );
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("No file matches nothing/**") });
});

test("the task is read from standard input where it is -", async () => {
  const { e8 } = await quickSandbox();
  const { stdout } = await e8(["run", "-", "-c", "y", "--dry-run", "--json"], { stdin: "多行の\nタスク\n" });
  expect(JSON.parse(stdout).configuration.task).toBe("多行の\nタスク");
});

test("a Japanese locale gets Japanese texts, --lang decides otherwise, and JSON stays as it is", async () => {
  const { e8 } = await quickSandbox();
  const args = ["run", "x", "--check", "true", "--agent-command", "echo ok"];

  const japanese = await e8(args, { env: { LANG: "ja_JP.UTF-8" } });
  const english = await e8([...args, "--lang", "en"], { env: { LANG: "ja_JP.UTF-8" } });
  const json = await e8([...args, "--json"], { env: { LANG: "ja_JP.UTF-8" } });

  expect(japanese.stdout).toMatch(/^完了：すべての完了条件を満たしました/m);
  expect(english.stdout).toMatch(/^completed: every criterion is met/m);
  expect(JSON.parse(json.stdout)).toMatchObject({ status: "completed" });
  const failing = await e8(["show", "../.."], { env: { LC_ALL: "ja_JP.UTF-8" } });
  expect(failing.stderr).toMatch(/^エラー：.*\n次の手順：/);
});

describe("criteria of the command line and of the task file", () => {
  const file = "task: x\ncriteria: [{type: command, command: test -f a}]\n";
  const agent = ["--agent-command", "touch a", "-n", "1"];

  test("both count, which the run says, and --dry-run shows where each comes from", async () => {
    const { e8, write } = await quickSandbox();
    await write("task.yaml", file);
    const args = ["run", "--config", "task.yaml", "--check", "test -f b", ...agent];

    const dry = await e8([...args, "--dry-run"]);
    const { stderr, stdout, code } = await e8([...args, "--json"]);

    expect(dry.stdout).toMatch(/^criteria\[0\] .*test -f a.* task\.yaml:2$/m);
    expect(dry.stdout).toMatch(/^criteria\[1\] .*test -f b.* flag --criteria\/--check\/--unchanged$/m);
    expect(code).toBe(1);
    const { evaluations } = JSON.parse(stdout).final_judgment;
    expect(evaluations.map(({ is_met }: { is_met: boolean }) => is_met)).toEqual([true, false]);
    expect(stderr).toContain("The criteria of task.yaml (1) and of the command line (1 more) all count.");
  });

  test("with --only the file's are left out, which the run says in its reader's language", async () => {
    const { e8, write } = await quickSandbox();
    await write("task.yaml", file);
    const args = ["run", "--config", "task.yaml", "--check", "test -d .", "--only", "--agent-command", "true"];

    const { stderr, code } = await e8([...args, "--lang", "ja"]);

    expect(code).toBe(0);
    expect(stderr).toContain("task.yaml の完了条件（1 件）は使わず");
  });
});

test("a run ends at the time that --until names, and says so", async () => {
  const { e8 } = await quickSandbox();
  const soon = new Date(Date.now() + 2000).toISOString();
  const args = ["run", "x", "--check", "false", "--agent-command", "sleep 100", "--until", soon];

  const { stdout, code } = await e8(args);

  expect(code).toBe(1);
  expect(stdout).toContain("not completed: the deadline has passed");
  expect(stdout).toMatch(/raise the limit: e8 run --resume \S+ --until \d\d:\d\d$/m);
});
