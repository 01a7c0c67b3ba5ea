import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MINIMAL, resolved, thrown } from "./support.ts";

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");

describe("files of the Python endless8", () => {
  test("its task.yaml loads unchanged, and every key in it has arrived", () => {
    const { configuration, sources } = resolved({ task: fixture("python-task.yaml") });

    expect(configuration).toMatchObject({
      task: "タスクの説明",
      criteria: [
        { type: "semantic", text: "完了条件1" },
        { type: "semantic", text: "完了条件2" },
      ],
      max_iterations: 10,
      persist: ".e8/history.jsonl",
      knowledge_context_size: 10,
      history_context_size: 5,
      logging: { raw_log: false, raw_log_dir: ".e8/logs" },
      claude_options: {
        allowed_tools: ["Read", "Edit", "Write", "Bash(git:*)", "Bash(uv:*)", "mcp__context7__*"],
        output_format: "stream-json",
        verbose: true,
      },
      models: { executor: "sonnet" },
    });
    expect(configuration.prompts.judgment).toMatch(/^以下の基準で.*\n- テストが実際に/);
    expect(configuration.prompts.append_system_prompt).toContain('{"strategy_tags": ["タグ1"]');
    expect(sources).toMatchObject({ max_iterations: "task.yaml:8", "models.executor": "task.yaml:27" });
  });

  test("its endless8.yaml loads unchanged", () => {
    const { configuration, sources } = resolved({ task: MINIMAL, project: fixture("python-endless8.yaml") });

    expect(configuration).toMatchObject({
      max_iterations: 30,
      history_context_size: 5,
      mcp_servers: { filesystem: true, github: true },
      skills_dir: ".claude/skills/",
    });
    expect(sources).toMatchObject({
      max_iterations: "endless8.yaml:3",
      "mcp_servers.github": "endless8.yaml:7",
      skills_dir: "endless8.yaml:10",
    });
  });

  test("texts left empty, as pydantic allows, are not set", () => {
    const { configuration } = resolved({
      task: `${MINIMAL}persist: ""\nprompts:\n  judgment: |\n  append_system_prompt: " "\n`,
    });
    expect(configuration).toMatchObject({ persist: null, prompts: { judgment: null, append_system_prompt: null } });
  });

  test("checks, with keys left empty as pydantic allows", () => {
    const { configuration } = resolved({
      task: `task: |
  CI パイプラインが通るようにコードを修正する
criteria:
  - type: command
    command: "uv run pytest --tb=short -q"
    description: "全テストがパス"
    timeout: 120
  - type: command
    command: uv run mypy .
    description:
    timeout: null
command_timeout: 60
claude_options: {timeout: 600.0}
`,
    });

    expect(configuration).toMatchObject({
      task: "CI パイプラインが通るようにコードを修正する",
      command_timeout: 60,
      claude_options: { timeout: 600 },
    });
    expect(configuration.criteria).toEqual([
      { type: "command", command: "uv run pytest --tb=short -q", description: "全テストがパス", timeout: 120 },
      { type: "command", command: "uv run mypy ." },
    ]);
  });

  test.each([
    ["yes", true],
    ['"true"', true],
    ['"False"', false],
    ["On", true],
    ["True", true],
    ["no", false],
    ["OFF", false],
  ])("PyYAML's boolean %s", (word, value) => {
    const project = `logging: {raw_log: ${!value}}`;

    expect(resolved({ task: `${MINIMAL}logging: {raw_log: ${word}}`, project }).configuration.logging.raw_log).toBe(
      value,
    );
  });

  test.each(['"20"', "20", "2_0", "20.0"])("the number %s", (word) => {
    expect(resolved({ task: `${MINIMAL}max_iterations: ${word}` }).configuration.max_iterations).toBe(20);
  });
});

describe("criteria", () => {
  test("one criterion needs no list", () => {
    const criteria = (text: string) => resolved({ task: `task: t\ncriteria: ${text}` }).configuration.criteria;

    expect(criteria("all tests pass")).toEqual([{ type: "semantic", text: "all tests pass" }]);
    expect(criteria("{type: command, command: make, hidden: true, pipefail: true}")).toEqual([
      { type: "command", command: "make", hidden: true, pipefail: true },
    ]);
    expect(criteria("{type: unchanged, files: test}")).toEqual([{ type: "unchanged", files: ["test"] }]);
  });

  test("take numbers and booleans as PyYAML does", () => {
    const { criteria } = resolved({
      task: `task: t\ncriteria: [{type: command, command: make, timeout: "1_20", hidden: yes, pipefail: off}]`,
    }).configuration;

    expect(criteria).toEqual([{ type: "command", command: "make", timeout: 120, hidden: true, pipefail: false }]);
  });
});

describe("endless8.yaml", () => {
  test("takes every key plainly, under engine, or some here and some there", () => {
    const { configuration, sources } = resolved({
      task: MINIMAL,
      project: `max_iterations: 5
claude_options: {model: opus}
engine:
  stall_limit: 9
  claude_options:
    permission_mode: plan
integrations:
  mcp: [a]
`,
    });

    expect(configuration).toMatchObject({
      max_iterations: 5,
      stall_limit: 9,
      models: { executor: "opus" },
      claude_options: { permission_mode: "plan" },
      mcp_servers: { a: true },
    });
    expect(sources).toMatchObject({
      stall_limit: "endless8.yaml:4",
      "claude_options.permission_mode": "endless8.yaml:6",
    });
  });

  test("groups without a value set nothing", () => {
    expect(resolved({ task: MINIMAL, project: "engine:\nintegrations:\n" }).configuration.max_iterations).toBe(10);
  });

  test("a key set in both forms is an error that names both places", () => {
    const project = `max_iterations: 5
mcp_servers: [a]
skills_dir: x
engine:
  max_iterations: 6
integrations:
  mcp: [b]
  skills_dir: y
`;

    const error = thrown(() => resolved({ task: MINIMAL, project }));

    expect(error.code).toBe("configuration_invalid");
    expect(error.message.split("\n").slice(1)).toEqual([
      "  endless8.yaml:5 engine.max_iterations: is already set in endless8.yaml:1: keep one",
      "  endless8.yaml:7 integrations.mcp: is already set in endless8.yaml:2: keep one",
      "  endless8.yaml:8 integrations.skills_dir: is already set in endless8.yaml:3: keep one",
    ]);
  });

  test.each([
    ["task: t", "endless8.yaml:1 task: belongs in task.yaml, not among the defaults"],
    ["criteria: [c]", "endless8.yaml:1 criteria: belongs in task.yaml, not among the defaults"],
    ["engine: {max_iteration: 5}", "endless8.yaml:1 engine.max_iteration: unknown key: did you mean max_iterations?"],
    ["integrations: {mcp_servers: [a]}", "integrations.mcp_servers: unknown key here: it belongs to the top level"],
    ["allowed_tools: [Read]", "allowed_tools: unknown key here: it belongs under claude_options"],
  ])("%s", (project, message) => {
    expect(thrown(() => resolved({ task: MINIMAL, project })).message).toContain(message);
  });

  test("is not needed, and may be empty", () => {
    expect(resolved({ task: MINIMAL, project: "" })).toEqual(resolved({ task: MINIMAL }));
  });
});
