import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveConfiguration, withFlags } from "../../src/configuration/layers.ts";
import { schemaGuide } from "../../src/configuration/schema-guide.ts";
import { TaskFile } from "../../src/model/configuration.ts";
import { MINIMAL, PROJECT, resolved, thrown } from "./support.ts";

/** For every key that a file can set: two values that are not its default. */
const KEYS: readonly (readonly [string, unknown, unknown])[] = [
  ["max_iterations", 7, 100],
  ["history_context_size", 1, 20],
  ["knowledge_context_size", 1, 50],
  ["raw_output_context", 1, 1],
  ["command_timeout", 0.5, 3600],
  ["silence_timeout", 1, null],
  ["stall_limit", 2, null],
  ["persist", ".e8/history.jsonl", "記録/copy of all.jsonl"],
  ["knowledge", ".e8/knowledge.jsonl", "shared.jsonl"],
  ["agent", { command: "./agent.sh --fast" }, { command: "other" }],
  ["models.intake", "opus", "haiku"],
  ["models.executor", "opus", "haiku"],
  ["models.summarizer", "opus", "none"],
  ["models.judge", "opus", "haiku"],
  ["budget.cost_usd", 0.01, 25],
  ["budget.tokens", 1, 5_000_000],
  ["budget.minutes", 0.5, 480],
  ["logging.raw_log", true, true],
  ["logging.raw_log_dir", ".e8/logs", "ログ dir"],
  ["claude_options.allowed_tools", ["Read", "Bash(git:*)", "mcp__context7__*"], []],
  ["claude_options.verbose", false, false],
  ["claude_options.timeout", 30, 3600],
  ["claude_options.max_turns.intake", 1, 200],
  ["claude_options.max_turns.execution", 1, 200],
  ["claude_options.max_turns.summary", 1, 200],
  ["claude_options.max_turns.judgment", 1, 200],
  ["claude_options.executable", "claude", "/opt/claude code/bin/claude"],
  ["claude_options.permission_mode", "acceptEdits", "plan"],
  ["prompts.judgment", "be strict\nvery strict", "be kind"],
  ["prompts.append_system_prompt", "報告してください", "report"],
  ["skills_dir", ".claude/skills/", "skills"],
  ["intake", false, false],
];

/** Keys that have tests of their own, because what they set has another name or a rule of its own. */
const TESTED_ELSEWHERE = [
  "task",
  "criteria",
  "working_directory",
  "agent_model",
  "claude_options.model",
  "claude_options.output_format",
  "mcp_servers",
];

describe("every key decides", () => {
  test("and none is missing from this table", () => {
    const all = schemaGuide(TaskFile).paths;
    const groups = all.filter((path) => all.some((other) => other.startsWith(`${path}.`)));

    expect([...KEYS.map(([path]) => path), ...TESTED_ELSEWHERE, ...groups].sort()).toEqual([...all].sort());
  });

  test.each(KEYS)("%s", (path, high, low) => {
    const task = MINIMAL + yaml(path, high);
    const project = yaml(path, low);
    const inTask = resolved({ task });
    const inProject = resolved({ task: MINIMAL, project });
    const inBoth = resolved({ task, project });

    expect(at(inTask.configuration, path)).toEqual(high);
    expect(at(inProject.configuration, path)).toEqual(low);
    expect(at(inBoth.configuration, path)).toEqual(high);
    expect(at(resolved({ task: MINIMAL }).configuration, path)).not.toEqual(high);
    expect(inTask.sources[path]).toBe("task.yaml:3");
    expect(inProject.sources[path]).toBe("endless8.yaml:1");
    expect(inBoth.sources[path]).toBe("task.yaml:3");
  });

  test("working_directory is a place in the project, or an absolute one", () => {
    const directory = (line: string) => resolved({ task: `${MINIMAL}${line}` }).configuration.working_directory;

    expect(directory("")).toBe(PROJECT);
    expect(directory("working_directory: パッケージ/a b")).toBe(`${PROJECT}/パッケージ/a b`);
    expect(directory("working_directory: ..")).toBe("/home/someone");
    expect(directory("working_directory: /srv/app")).toBe("/srv/app");
  });

  test("output_format can only be what can be read", () => {
    expect(thrown(() => resolved({ task: `${MINIMAL}claude_options: {output_format: json}` })).code).toBe(
      "configuration_invalid",
    );
  });
});

describe("defaults", () => {
  test("are these, and each says that it is one", () => {
    const { configuration, sources } = resolved({ task: MINIMAL });

    expect(configuration).toEqual({
      task: "t",
      criteria: [{ type: "semantic", text: "c" }],
      max_iterations: 10,
      history_context_size: 5,
      knowledge_context_size: 10,
      raw_output_context: 0,
      command_timeout: 30,
      silence_timeout: 900,
      stall_limit: 5,
      persist: null,
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
        max_turns: { intake: 10, execution: 50, summary: 10, judgment: 10 },
        executable: null,
        permission_mode: "dontAsk",
      },
      prompts: { judgment: null, append_system_prompt: null },
      mcp_servers: {},
      skills_dir: null,
      intake: true,
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

    expect(configuration.claude_options.max_turns).toEqual({ intake: 10, execution: 99, summary: 5, judgment: 10 });
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
          const { configuration, sources } = resolveConfiguration(passed, PROJECT);

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

  test("keys do not disturb each other: any mix of keys over the two files gives each its highest value", () => {
    const key = fc.constantFrom(...KEYS.filter(([path]) => path !== "agent"));
    fc.assert(
      fc.property(fc.uniqueArray(key), fc.uniqueArray(key), (inTask, inProject) => {
        const written = { task: mergedYaml(MINIMAL, inTask, 1), project: mergedYaml("", inProject, 2) };
        const { configuration } = resolved(written);
        const defaults = resolved({ task: MINIMAL }).configuration;

        for (const [path, high, low] of KEYS) {
          const isIn = (keys: typeof KEYS) => keys.some(([other]) => other === path);
          const expected = isIn(inTask) ? high : isIn(inProject) ? low : at(defaults, path);
          expect(at(configuration, path)).toEqual(expected);
        }
      }),
      { numRuns: 50 },
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
    "prompts",
    "mcp_servers",
  ];
  const paths = (value: object, prefix = ""): string[] =>
    Object.entries(value).flatMap(([key, inner]) =>
      groups.includes(prefix + key) ? paths(inner, `${prefix}${key}.`) : [prefix + key],
    );

  expect(Object.keys(sources).sort()).toEqual(paths(configuration).sort());
});

test("a task taken up again keeps its configuration but for what the flags say", () => {
  const before = resolved({
    task: `${MINIMAL}max_iterations: 3\nmcp_servers: {x.y: {command: srv}}\nagent: {command: z}\nbudget: {tokens: 5}`,
  }).configuration;

  expect(withFlags(before, {})).toEqual(before);
  expect(withFlags(before, { maxIterations: "30", maxCost: 2, model: "opus" })).toEqual({
    ...before,
    max_iterations: 30,
    budget: { cost_usd: 2, tokens: 5, minutes: null },
    models: { intake: "opus", executor: "opus", summarizer: "opus", judge: "opus" },
  });
});

/** One setting as a file would hold it; flow style keeps it on one line. */
function yaml(path: string, value: unknown): string {
  const [first = "", ...inner] = path.split(".");
  return `${first}: ${inner.reduceRight((text, key) => `{${key}: ${text}}`, JSON.stringify(value))}\n`;
}

/** Several settings, groups written once. */
function mergedYaml(start: string, keys: typeof KEYS, column: 1 | 2): string {
  const root: Record<string, unknown> = {};
  for (const key of keys) {
    const steps = key[0].split(".");
    const last = steps.pop() ?? "";
    let group = root;
    for (const step of steps) {
      group[step] ??= {};
      group = group[step] as Record<string, unknown>;
    }
    group[last] = key[column];
  }
  return (
    start +
    Object.entries(root)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join("")
  );
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((inner, key) => (inner as Record<string, unknown>)[key], value);
}
