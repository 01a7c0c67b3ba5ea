import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentSettings } from "../../../src/compose/agent-settings.ts";
import { schemaGuide } from "../../../src/configuration/schema-guide.ts";
import { settingsSchemas } from "../../../src/configuration/task/agent-settings.ts";
import { MINIMAL, PROJECT, resolved, thrown } from "./support.ts";

/** For every key that a file can set: two values that are not its default. */
const KEYS: readonly (readonly [string, unknown, unknown])[] = [
  ["max_iterations", 7, 1000],
  ["history_context_size", 1, 20],
  ["knowledge_context_size", 1, 50],
  ["raw_output_context", 1, 1],
  ["command_timeout", 0.5, 3600],
  ["silence_timeout", 1, null],
  ["stall_limit", 2, null],
  ["until", "2126-01-24T07:00:00.000Z", "2126-01-24T08:00:00.000Z"],
  ["persist", ".e8/history.jsonl", "記録/copy of all.jsonl"],
  ["knowledge", ".e8/knowledge.jsonl", "shared.jsonl"],
  ["agent", { command: "./agent.sh --fast" }, { command: "other" }],
  ["fallback_after", 0, 90],
  ["models.intake", "opus", "haiku"],
  ["models.executor", "opus", "haiku"],
  ["models.summarizer", "opus", "none"],
  ["models.judge", "opus", "haiku"],
  ["prices", { "openai:gpt-5": { input: 1.25, output: 10 } }, { "anthropic:claude-opus-4-8": { input: 0, output: 0 } }],
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
  ["claude_options.max_turns.review", 1, 200],
  ["claude_options.executable", "claude", "/opt/claude code/bin/claude"],
  ["claude_options.permission_mode", "acceptEdits", "plan"],
  ["notify.on", ["wait"], ["end", "stall"]],
  ["notify.desktop", true, true],
  ["notify.webhook", "https://hooks.example.com/a", "http://127.0.0.1:8080"],
  ["notify.command", "./tell.sh", "echo 終わり"],
  ["notify.on_end", "./tell.sh", "say done"],
  ["prompts.judgment", "be strict\nvery strict", "be kind"],
  ["prompts.append_system_prompt", "報告してください", "report"],
  ["skills_dir", ".claude/skills/", "skills"],
  ["intake", false, false],
  ["review", false, false],
  ["proof", "clean", "none"],
  ["protect", ["auto", "data/**"], ["off"]],
  ["may_change", ["test/**"], []],
  ["if_green", "work", "fail"],
  ["pass_credentials", ["gh"], ["GITHUB_TOKEN"]],
  ["setup", ["npm ci", "npm run generate"], ["make deps"]],
  ["setup_timeout", 60, 1200],
  ["keep", ["node_modules"], [".venv"]],
  ["sandbox_hosts", ["*.npmjs.org"], ["localhost:5432"]],
  ["sandbox", "off", "contain"],
  ["worktree.enabled", true, true],
  ["worktree.root", ".worktrees", "../places"],
  ["worktree.base", "main", "release/1.x"],
  ["worktree.copy", [".env"], ["config/*.local"]],
  ["worktree.setup", "npm ci", "make deps"],
  ["finalize.merge", false, false],
  ["finalize.push", true, true],
  ["finalize.remote", "upstream", "mine"],
  ["finalize.create_pr", true, true],
  ["finalize.draft", true, true],
  ["finalize.pr_target", "next", "main"],
  ["finalize.author", "Robot <robot@example.com>", "A B <a@b>"],
  ["finalize.checkout", "forward", "forward"],
  ["finalize.on_conflict", "stop", "stop"],
];

/** Keys that have tests of their own, because what they set has another name or a rule of its own. */
const TESTED_ELSEWHERE = [
  "task",
  "criteria",
  "working_directory",
  "agent_model",
  "agents",
  "escalate_to",
  "models.reviewer",
  "reviewers",
  "claude_options.model",
  "claude_options.output_format",
  "mcp_servers",
];

describe("every key decides", () => {
  test("and none is missing from this table", () => {
    const all = schemaGuide(settingsSchemas(agentSettings).task).paths;
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
    expect(directory("working_directory: ./a//../b/")).toBe(`${PROJECT}/b`);
    expect(directory("working_directory: ../../../../..")).toBe("/");
  });

  test("output_format can only be what can be read", () => {
    expect(thrown(() => resolved({ task: `${MINIMAL}claude_options: {output_format: json}` })).code).toBe(
      "configuration_invalid",
    );
  });
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
