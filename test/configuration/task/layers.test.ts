import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentSettings } from "../../../src/compose/agent-settings.ts";
import { resolveConfiguration } from "../../../src/configuration/task/layers.ts";
import { changed, MINIMAL, PROJECT, resolved, thrown } from "./support.ts";

describe("defaults", () => {
  test("[FR-010] are these, and each says that it is one", () => {
    const { configuration, sources } = resolved({ task: MINIMAL });

    expect(configuration).toEqual({
      task: "t",
      criteria: [{ type: "semantic", text: "c" }],
      max_iterations: 10,
      history_context_size: 5,
      knowledge_context_size: 10,
      raw_output_context: 0,
      command_timeout: 300,
      silence_timeout: 900,
      stall_limit: 5,
      until: null,
      persist: null,
      prices: {},
      knowledge: null,
      working_directory: PROJECT,
      agent: "claude",
      models: { intake: "sonnet", executor: "sonnet", summarizer: "sonnet", judge: "sonnet" },
      budget: { cost_usd: null, tokens: null, minutes: null },
      logging: { raw_log: false, raw_log_dir: null },
      claude_options: {
        allowed_tools: ["Read", "Edit", "Write", "Bash"],
        output_format: "stream-json",
        verbose: true,
        timeout: null,
        max_turns: { intake: 10, execution: 50, summary: 10, judgment: 10, review: 30 },
        executable: null,
        permission_mode: "dontAsk",
      },
      notify: { on: ["end", "question"], desktop: false, webhook: null, command: null, on_end: null },
      prompts: { judgment: null, append_system_prompt: null },
      mcp_servers: {},
      skills_dir: null,
      intake: true,
      judges: [],
      fallbacks: [],
      fallback_after: 15,
      escalate_to: null,
      reviewers: ["sonnet"],
      review: true,
      proof: "auto",
      protect: ["auto"],
      may_change: [],
      if_green: "auto",
      pass_credentials: [],
      setup: [],
      setup_timeout: 900,
      keep: [],
      sandbox_hosts: [],
      sandbox: "contain",
      worktree: { enabled: false, root: null, base: null, copy: [], setup: null },
      finalize: {
        ...{ merge: true, push: false, remote: "origin", create_pr: false, draft: false, pr_target: null },
        ...{ author: null, checkout: "keep", on_conflict: "agent" },
      },
    });
    const { task, criteria, ...others } = sources;
    expect({ task, criteria }).toEqual({ task: "task.yaml:1", criteria: "task.yaml:2" });
    expect(new Set(Object.values(others))).toEqual(new Set(["default"]));
  });

  test("a command agent may be silent, and with checks only it needs no model", () => {
    const agent = "agent: {command: ./agent}\n";
    const checks = resolved({ task: `task: t\ncriteria: {type: command, command: x}\n${agent}` }).configuration;
    const judged = resolved({ task: `${MINIMAL}${agent}` }).configuration;
    const asked = resolved({ task: `${MINIMAL}${agent}silence_timeout: 60\nintake: false` }).configuration;

    expect(checks).toMatchObject({ silence_timeout: null, intake: false, models: { summarizer: "none" } });
    expect(judged).toMatchObject({ silence_timeout: null, intake: true, models: { summarizer: "none" } });
    expect(asked).toMatchObject({ silence_timeout: 60, intake: false });
  });
});

describe("precedence", () => {
  test("a group's keys are set one by one, and lists as a whole", () => {
    const { configuration, sources } = resolved({
      task: `${MINIMAL}claude_options:\n  max_turns:\n    execution: 99\n  allowed_tools: [Read]\n`,
      project: "claude_options:\n  max_turns:\n    execution: 20\n    summary: 5\n  allowed_tools: [Bash, Edit]\n",
    });

    expect(configuration.claude_options.max_turns).toEqual({
      intake: 10,
      execution: 99,
      summary: 5,
      judgment: 10,
      review: 30,
    });
    expect(configuration.claude_options.allowed_tools).toEqual(["Read"]);
    expect(sources).toMatchObject({
      "claude_options.max_turns.execution": "task.yaml:5",
      "claude_options.max_turns.summary": "endless8.yaml:4",
      "claude_options.max_turns.intake": "default",
      "claude_options.allowed_tools": "task.yaml:6",
    });
  });

  test("null is a value: it turns off what a lower layer set", () => {
    const project = "budget: {cost_usd: 5}\npersist: a.jsonl\nstall_limit: 3\nskills_dir: s";
    const task = `${MINIMAL}budget: {cost_usd: null}\npersist: null\nstall_limit: ~\nskills_dir:\n`;

    expect(resolved({ task, project }).configuration).toMatchObject({
      budget: { cost_usd: null },
      persist: null,
      stall_limit: null,
      skills_dir: null,
    });
  });

  test("a group whose lines are all commented out sets nothing", () => {
    const project = "logging: {raw_log: true}";

    expect(resolved({ task: `${MINIMAL}logging:\n#  raw_log: false\n`, project }).configuration.logging.raw_log).toBe(
      true,
    );
  });

  test("whatever subset of the layers sets a key, in whatever order they are passed, the highest wins", () => {
    const value = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({ flags: value, task: value, project: value, environment: value }),
        fc.shuffledSubarray(["flags", "taskFile", "projectFile", "environment"] as const, { minLength: 4 }),
        (set, order) => {
          const line = (number: number | undefined) => (number === undefined ? "" : `max_iterations: ${number}`);
          const layers = {
            flags: { maxIterations: set.flags },
            taskFile: { name: "task.yaml", text: MINIMAL + line(set.task) },
            projectFile: { name: "endless8.yaml", text: line(set.project) },
            environment: { ENDLESS8_MAX_ITERATIONS: set.environment?.toString() },
          };
          const passed = Object.fromEntries(order.map((name) => [name, layers[name]]));
          const { configuration, sources } = resolveConfiguration({ ...passed, agents: agentSettings }, PROJECT);

          const ladder = [
            ["flag --max-iterations", set.flags],
            ["task.yaml:3", set.task],
            ["endless8.yaml:1", set.project],
            ["ENDLESS8_MAX_ITERATIONS", set.environment],
            ["default", 10],
          ] as const;
          const [source, expected] = ladder.find(([, number]) => number !== undefined) ?? [];
          expect([sources.max_iterations, configuration.max_iterations]).toEqual([source, expected]);
        },
      ),
    );
  });
});

describe("what a task must have", () => {
  test.each(["criteria: c", "task: ''\ncriteria: c", "task:\ncriteria: c", "task: '  '\ncriteria: c", ""])(
    "%j has no task",
    (task) => {
      expect(thrown(() => resolved({ task })).code).toBe("task_empty");
    },
  );

  test.each(["task: t", "task: t\ncriteria: []", "task: t\ncriteria:"])("%j has no criteria", (task) => {
    expect(thrown(() => resolved({ task })).code).toBe("criteria_missing");
  });

  test("no file at all is fine when the command line says everything", () => {
    const { configuration } = resolved({
      flags: { task: "t", criteria: ["c", { type: "command", command: "npm test" }] },
    });

    expect(configuration.criteria).toEqual([
      { type: "semantic", text: "c" },
      { type: "command", command: "npm test" },
    ]);
  });
});

test("every value of a configuration has a source", () => {
  const { configuration, sources } = resolved({
    task: `${MINIMAL}mcp_servers: [a]\nagent: {command: x}`,
    environment: { ENDLESS8_DEFAULT_MODEL: "opus" },
  });
  const groups = [
    "models",
    "budget",
    "logging",
    "claude_options",
    "claude_options.max_turns",
    "notify",
    "prompts",
    "mcp_servers",
    "worktree",
    "finalize",
  ];
  const paths = (value: object, prefix = ""): string[] =>
    Object.entries(value).flatMap(([key, inner]) =>
      groups.includes(prefix + key) ? paths(inner, `${prefix}${key}.`) : [prefix + key],
    );

  expect(Object.keys(sources).sort()).toEqual(paths(configuration).sort());
});

test("a resumed task keeps its configuration except for the flags", () => {
  const before = resolved({
    task: `${MINIMAL}max_iterations: 3\nmcp_servers: {x.y: {command: srv}}\nagent: {command: z}\nbudget: {tokens: 5}`,
  }).configuration;

  expect(changed(before, {})).toEqual(before);
  expect(changed(before, { maxIterations: "30", maxCost: 2, model: "opus" })).toEqual({
    ...before,
    max_iterations: 30,
    budget: { cost_usd: 2, tokens: 5, minutes: null },
    models: { intake: "opus", executor: "opus", summarizer: "opus", judge: "opus" },
    reviewers: ["opus"],
  });
});

describe("a program that takes over from Claude Code", () => {
  const before = resolved({ task: MINIMAL }).configuration;

  test("has its work summarized without a model, and may be silent, as if it had begun the task", () => {
    expect(changed(before, { agentCommand: "my-agent" })).toEqual({
      ...before,
      agent: { command: "my-agent" },
      silence_timeout: null,
      models: { ...before.models, summarizer: "none" },
    });
  });

  test("keeps settings that do not depend on Claude Code: a limit set by the user, and a summarizer over an API", () => {
    const task = `${MINIMAL}silence_timeout: 60\nmodels: {summarizer: "openai:gpt-5"}`;
    const { silence_timeout, models } = changed(resolved({ task }).configuration, { agentCommand: "my-agent" });
    expect([silence_timeout, models.summarizer]).toEqual([60, "openai:gpt-5"]);
  });

  test("gets the summarizer that is named with it, and keeps the one that it had", () => {
    const taken = changed(before, { agentCommand: "my-agent", model: "opus" });
    expect(taken.models.summarizer).toBe("opus");
    expect(changed(taken, { agentCommand: "another" }).models.summarizer).toBe("opus");
  });
});
