import { describe, expect, test } from "vitest";
import { ProjectFile, TaskFile } from "../../../src/model/configuration.ts";
import { resolved, thrown } from "./support.ts";

/** The lines that say what is wrong with a task.yaml. */
function problems(task: string, project?: string): string[] {
  const error = thrown(() => resolved(project === undefined ? { task } : { task, project }));
  expect(error.code).toBe("configuration_invalid");
  return error.message.split("\n").slice(1);
}

describe("values", () => {
  test.each([
    ["max_iterations: 1001", "max_iterations: 1001 is too large: 1 to 1000"],
    ["max_iterations: 0", "max_iterations: 0 is too small: 1 to 1000"],
    ["max_iterations: 2.5", "max_iterations: 2.5 is not a whole number: 1 to 1000"],
    ["max_iterations: many", 'max_iterations: "many" is not a whole number: 1 to 1000'],
    ["max_iterations:", "max_iterations: has no value: 1 to 1000"],
    ["max_iterations: [1]", "max_iterations: a list is not a whole number: 1 to 1000"],
    ["command_timeout: 0", "command_timeout: 0 is too small: more than 0"],
    ["command_timeout: .inf", "command_timeout: Infinity is not a number: more than 0"],
    ["stall_limit: 1", "stall_limit: 1 is too small: at least 2, or null for none"],
    ["budget: {cost_usd: -1}", "budget.cost_usd: -1 is too small: more than 0, or null for none"],
    ["budget: 5", "budget: 5 is not a group of keys"],
    ["working_directory: ''", "working_directory: is empty"],
    ["intake: maybe", 'intake: "maybe" is not true or false'],
    ["task: 2048", 'task: 2048 is not text; write "2048" in quotes'],
    ["skills_dir: true", 'skills_dir: true is not text; write "true" in quotes'],
    [
      "claude_options: {permission_mode: yolo}",
      'claude_options.permission_mode: "yolo" is not possible: default, acceptEdits, dontAsk, plan, bypassPermissions',
    ],
    ["claude_options: {output_format: text}", 'claude_options.output_format: "text" is not possible: only stream-json'],
    ["claude_options: {timeout: 29}", "claude_options.timeout: 29 is too small: 30 to 3600, or null for none"],
    ["claude_options: {max_turns: {execution: 201}}", "claude_options.max_turns.execution: 201 is too large: 1 to 200"],
    ["claude_options: {allowed_tools: Read}", 'claude_options.allowed_tools: "Read" is not a list'],
    [
      "claude_options: {allowed_tools: [Read, 5]}",
      'claude_options.allowed_tools[1]: 5 is not text; write "5" in quotes',
    ],
    ["models: {judge: none}", "models.judge: only models.summarizer can be none"],
    [
      "agent: cursor",
      'agent: "cursor" is not possible: claude, codex, gemini, opencode, goose or claude-agent-acp, or a mapping with acp, a command or scripted',
    ],
    ["agent: {command: 5}", 'agent.command: 5 is not text; write "5" in quotes'],
    ["agent: {}", "agent.command: is missing"],
    ["mcp_servers: 5", "mcp_servers: 5 is not possible: a list of names, or a mapping of names to servers"],
    ["mcp_servers: [5]", 'mcp_servers[0]: 5 is not text; write "5" in quotes'],
    ["mcp_servers: {a: {type: http, url: nowhere}}", 'mcp_servers.a.url: "nowhere" is not a URL'],
    ["mcp_servers: {a: {comand: x}}", "mcp_servers.a.comand: unknown key: did you mean command?"],
    ["MAX_ITERATIONS: 5", "MAX_ITERATIONS: unknown key: did you mean max_iterations?"],
    ["mcp_servers: {a: 5}", "mcp_servers.a: 5 is not possible: true, or a mapping with a command or a url"],
  ])("%s", (line, problem) => {
    expect(problems(line)).toContain(`  task.yaml:1 ${problem}`);
  });

  test("a long value is cut", () => {
    expect(problems(`agent: ${"x".repeat(500)}`)[0]).toContain(`"${"x".repeat(60)}…" is not possible`);
  });
});

describe("criteria", () => {
  const may =
    'a criterion is a sentence (in quotes where it contains ": "), or a mapping: type: command with a command, or type: unchanged with files';

  test.each([
    ["- 5", `criteria[0]: 5 is not possible: ${may}`],
    ["- ''", "criteria[0]: is empty"],
    ["- build: passes", `criteria[0].type: is missing: ${may}`],
    ["- [a, b]", `criteria[0]: a list is not possible: ${may}`],
    ["- {type: shell, command: x}", `criteria[0].type: "shell" is not possible: ${may}`],
    ["- {type: command}", "criteria[0].command: is missing"],
    ["- {type: command, command: ' '}", "criteria[0].command: is empty"],
    ["- {type: command, command: x, timeout: 0}", "criteria[0].timeout: 0 is too small: more than 0"],
    ["- {type: command, command: x, time_out: 5}", "criteria[0].time_out: unknown key: did you mean timeout?"],
    ["- {type: unchanged}", "criteria[0].files: is missing"],
    ["- {type: unchanged, files: []}", "criteria[0].files: is empty"],
    ["- {type: unchanged, files: ['']}", "criteria[0].files[0]: is empty"],
    ["- {type: unchanged, file: test}", "criteria[0].file: unknown key: did you mean files?"],
    ["- {type: command, command: x, hidden: 5}", "criteria[0].hidden: 5 is not true or false"],
  ])("%s", (line, problem) => {
    expect(problems(`criteria:\n  ${line}\n`)).toContain(`  task.yaml:2 ${problem}`);
  });

  test("one that is not in a list is named without a number", () => {
    expect(problems("criteria: 5")).toEqual([`  task.yaml:1 criteria: 5 is not possible: ${may}`]);
  });
});

describe("unknown keys", () => {
  test.each([
    ["max_iteration: 5", "max_iteration: unknown key: did you mean max_iterations?"],
    ["maxIterations: 5", "maxIterations: unknown key: did you mean max_iterations?"],
    ["max_iter: 5", "max_iter: unknown key: did you mean max_iterations?"],
    ["criterion: [a]", "criterion: unknown key: did you mean criteria?"],
    ["allowed_tools: [Read]", "allowed_tools: unknown key here: it belongs under claude_options"],
    ["alowed_tool: [Read]", "alowed_tool: unknown key: did you mean claude_options.allowed_tools?"],
    ["model: opus", "model: unknown key here: it belongs under claude_options, or did you mean models?"],
    ["cost_usd: 5", "cost_usd: unknown key here: it belongs under budget"],
    ["execution: 5", "execution: unknown key here: it belongs under claude_options.max_turns"],
    [
      "claude_options: {max_iterations: 5}",
      "claude_options.max_iterations: unknown key here: it belongs to the top level",
    ],
    ["logging: {rawlog: true}", "logging.rawlog: unknown key: did you mean raw_log?"],
    ["logging: {zzz: 1}", "logging.zzz: unknown key: known here are raw_log, raw_log_dir"],
    ["engine: {max_iterations: 5}", "engine: belongs in endless8.yaml"],
    ["__proto__: {max_iterations: 5}", "__proto__: unknown key: known here are task, criteria, "],
  ])("%s", (line, problem) => {
    expect(problems(line).join("\n")).toContain(`  task.yaml:1 ${problem}`);
  });
});

test("everything that is wrong is said at once, in the order of the file", () => {
  const task = `task: t
criteria:
  - fine
  - type: command
    timeout: -1
max_iteration: 5
history_context_size: 21
claude_options:
  model: ""
  max_turns:
    sumary: 3
`;

  expect(problems(task)).toEqual([
    "  task.yaml:4 criteria[1].command: is missing",
    "  task.yaml:5 criteria[1].timeout: -1 is too small: more than 0",
    "  task.yaml:6 max_iteration: unknown key: did you mean max_iterations?",
    "  task.yaml:7 history_context_size: 21 is too large: 1 to 20",
    "  task.yaml:9 claude_options.model: is empty",
    "  task.yaml:11 claude_options.max_turns.sumary: unknown key: did you mean summary?",
  ]);
});

test("faults of both files are reported together", () => {
  const error = thrown(() => resolved({ task: "zzz: 1", project: "budget: {tokens: 0.5}" }));

  expect(error.message).toMatch(/^Some settings of task\.yaml and endless8\.yaml cannot be used:/);
  expect(error.message).toContain("task.yaml:1 zzz: unknown key");
  expect(error.message).toContain(
    "endless8.yaml:1 budget.tokens: 0.5 is not possible: a number of tokens, such as 500000, 500k or 1.5M, or null for none",
  );
});

test("the schemas of our files name the forms of values; their words stand in src/texts", () => {
  for (const schema of [TaskFile, ProjectFile])
    expect(JSON.stringify(schema.toJSONSchema({ io: "input" }))).not.toMatch(/"description":"/);
});
