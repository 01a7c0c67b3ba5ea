import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../src/cli/render/columns.ts";
import { quickSandbox } from "../support/in-process.ts";
import { awkwardLines, englishLines, japaneseLines } from "../support/prose.ts";
import type { Ended, Sandbox } from "../support/sandbox.ts";

const MINI = fileURLToPath(new URL("../configuration/flow/fixtures/mini/", import.meta.url));

const COMMANDS = [
  ["run"],
  ["list"],
  ["show"],
  ["logs"],
  ["query"],
  ["knowledge"],
  ["knowledge", "list"],
  ["knowledge", "add"],
  ["knowledge", "search"],
  ["knowledge", "export"],
  ["answer"],
  ["cancel"],
  ["rm"],
  ["prune"],
  ["demo"],
  ["init"],
  ["doctor"],
  ["completion"],
  ["agent"],
  ["agent", "list"],
  ["agent", "show"],
  ["agent", "validate"],
  ["agent", "init"],
  ["agent", "run"],
];

/** Every way to go wrong that needs nothing but a project with a few files in it. */
const MISTAKES: string[][] = [
  ["nonsense"],
  ["lst"],
  ["run", "--nonsense"],
  ["list", "--jso"],
  ["show"],
  ["list", "too", "many"],
  ["run", "-c"],
  ["knowledge", "add"],
  ["run"],
  ["run", "作る"],
  ["run", "作る", "-c", "ある", "-n", "0"],
  ["run", "作る", "-c", "ある", "-n", "many"],
  ["run", "作る", "-c", "ある", "--max-time", "soon"],
  ["run", "作る", "-c", "ある", "--max-cost", "-1"],
  ["run", "作る", "-c", "ある", "--max-tokens", "1.5"],
  ["run", "作る", "-c", "ある", "-p", "ない"],
  ["run", "作る", "-c", "ある", "-p", "task.yaml"],
  ["run", "作る", "--config", "none.yaml"],
  ["run", "--config", "task.yaml"],
  ...["syntax", "tab", "list", "quote", "alias", "twice", "tag", "colon", "brace"].map((name) => [
    "run",
    "--config",
    `${name}.yaml`,
  ]),
  ["run", "--resume"],
  ["run", "--resume", "abc"],
  ["run", "--resume", "2026-01-01T00-00-00"],
  ["show", "2026-01-01T00-00-00"],
  ["logs", "2026-01-01T00-00-00"],
  ["answer", "2026-01-01T00-00-00"],
  ["cancel", "2026-01-01T00-00-00"],
  ["answer"],
  ["cancel"],
  ["show", "1999"],
  ["rm"],
  ["rm", "2026-01-01T00-00-00"],
  ["prune"],
  ["prune", "--older-than", "soon"],
  ["prune", "--older-than", "1d", "--status", "odd"],
  ["run", "作る", "-c", "ある", "--until", "soon"],
  ["run", "作る", "-c", "ある", "--until", "2020-01-01T00:00"],
  ["run", "作る", "--only"],
  ["query", "select 1; select 2"],
  ["query", "create table x as select 1"],
  ["query", "--json", "--csv", "select 1"],
  ["knowledge", "add", "知識", "--type", "odd", "--category", "x"],
  ["knowledge", "add", " ", "--type", "lesson", "--category", "x"],
  ["knowledge", "search", "x", "-n", "0"],
  ["knowledge", "export", "--format", "pdf"],
  ["init", "task.yaml"],
  ["init", "new.yaml", "-n", "0"],
  ["completion", "tcsh"],
  ["doctor", "--config", "task.yaml"],
  ["agent", "nonsense"],
  ["agent", "validate", "nobody"],
  ["agent", "validate", "broken"],
  ["agent", "validate", "mini", "--graph", "odd"],
  ["agent", "init", "Wrong Name"],
  ["agent", "init", "fine", "--from", "odd"],
  ["agent", "init", "mini"],
  ["agent", "run"],
  ["agent", "run", "broken"],
  ["agent", "run", "mini"],
  ["agent", "run", "mini", "--issue", "abc"],
  ["agent", "run", "mini", "--nonsense"],
  ["agent", "run", "mini", "--issue", "1", "--script", "syntax.yaml"],
  ["agent", "run", "mini", "--issue", "1", "--script", "list.yaml"],
];

const FILES: Record<string, string> = {
  "task.yaml":
    "task: x\ncriteria: [3, {type: comand}, {type: command}]\nmax_iteration: 3\nmax_iterations: 5000\nbudget: {cost_usd: many, minutes: 0}\nlogging: 3\nagent: 5\nmodels: {judge: none}\nmcp_servers: 3\ncost_usd: 3\nintegrations: 3\nclaude_options: {timeout: 1, permission_mode: odd}\npersist:\n",
  "syntax.yaml": "task: [a\ncriteria: x\n",
  "tab.yaml": "task: x\n\tcriteria: y\n",
  "list.yaml": "- a\n",
  "quote.yaml": 'task: "abc\ncriteria: [x]\n',
  "alias.yaml": "a: *b\n",
  "twice.yaml": "task: x\ntask: y\n",
  "tag.yaml": "task: !foo x\n",
  "colon.yaml": "criteria:\n  - a: b: c\n",
  "brace.yaml": "{task: {a: b}: c}\n",
};

describe("in Japanese", () => {
  test.each(COMMANDS.map((words) => [words]))(
    "the help of %j has no English or awkward sentence, and fits 80 columns",
    async (words) => {
      const { e8 } = await quickSandbox();
      const { code, stdout } = await e8(["--lang", "ja", ...words, "--help"]);
      for (const line of stdout.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(80);

      expect(code).toBe(0);
      expect(stdout).toMatch(/^使い方： ?e8 /);
      expect(notJapanese(stdout)).toEqual([]);
    },
  );

  test("no mistake is answered by an English or awkward sentence", async () => {
    const box = await withMistakes();
    const answers = await allOf(MISTAKES, (words) => box.e8(["--lang", "ja", ...words]));

    const spoken = answers.map(({ words, stdout, stderr }) => ({ words, wrong: notJapanese(stdout + stderr) }));
    expect(spoken.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(answers.filter(({ code }) => code !== 2).map(({ words }) => words)).toEqual([]);
    for (const { words, stdout, stderr } of answers)
      expect(japaneseLines(stdout + stderr), words.join(" ")).not.toEqual([]);
  });

  test("what a run, its records and its looking back say is Japanese", async () => {
    const { e8 } = await quickSandbox();
    const ja = (...words: string[]) => e8(["--lang", "ja", ...words]);
    const agent = ["--agent-command", "echo できた", "--no-intake"];

    const run = await ja("run", "挨拶する", "--check", "true", "--check", "false", "-n", "1", ...agent);
    const id = /\d{4}-[\dT-]+/.exec(run.stderr)?.[0] ?? "";
    const said = [run, await ja("list"), await ja("show", id), await ja("knowledge"), await ja("doctor")];
    const dryRun = await ja("run", "挨拶する", "--check", "a | b", "--dry-run");
    const rest = [
      await ja("run", "挨拶する", "--check", "true", "--raw-log", ...agent),
      await ja("logs"),
      await ja("watch"),
      await ja("init"),
      await ja("doctor", "--config", "task.yaml"),
      await ja("knowledge", "add", "挨拶は短く"),
      await ja("knowledge", "export"),
      await ja("agent", "init", "worker"),
      await ja("agent", "list"),
      await ja("agent", "show", "worker"),
      await ja("agent", "validate", "worker", "--graph", "text"),
      await ja("agent", "run", "worker", "--help"),
    ];

    expect(run.code).toBe(1);
    for (const { stdout, stderr } of [...said, dryRun, ...rest]) expect(notJapanese(stdout + stderr)).toEqual([]);
    expect(run.stdout).toContain("`false` が終了コード 0 で終わること");
    expect(dryRun.stdout).toMatch(/max_iterations +10 +既定値/);
    expect((await ja("agent", "validate", "worker", "--graph", "text")).stdout).toContain("changes を受け取ります");
  });

  test("the demo is a Japanese story", async () => {
    const { e8 } = await quickSandbox();
    const { code, stdout, stderr } = await e8(["demo", "--lang", "ja"]);

    expect(code, stderr).toBe(0);
    expect(stderr).toContain("完了しました！");
    expect(stdout).toMatch(/^完了：すべての完了条件を満たしました/m);
    const own = notJapanese(stdout + stderr).filter((line) => !/^ {6}|cart\.test/.test(line)); // what its tests print
    expect(own).toEqual([]);
    const project = /プロジェクト：(.*)/.exec(stderr)?.[1] ?? "";
    expect(await readFile(join(project, "CHANGELOG.md"), "utf8")).toContain("10 個から適用");
  });

  test("completions describe flags and commands in Japanese, and complete the same words", async () => {
    const { e8 } = await quickSandbox();
    const [english, japanese] = [await e8(["completion", "fish"]), await e8(["--lang", "ja", "completion", "fish"])];

    expect(withoutDescriptions(japanese.stdout)).toBe(withoutDescriptions(english.stdout));
    expect(japanese.stdout).toContain("-d 'プロジェクトのディレクトリ（");
  });
});

describe("in English", () => {
  test("no help and no error has Japanese in it, except what was typed", async () => {
    const box = await withMistakes();
    const calls = [...COMMANDS.map((words) => [...words, "--help"]), ...MISTAKES];
    const answers = await allOf(calls, (words) => box.e8(words));

    const spoken = answers.map(({ words, stdout, stderr }) => ({
      words,
      japanese: japaneseLines(`${stdout}${stderr}`.replaceAll(box.home, "").replaceAll(/作る|ない|ある|知識/g, "")),
    }));
    expect(spoken.filter(({ japanese }) => japanese.length > 0)).toEqual([]);
    expect(answers.filter(({ stdout, stderr }) => englishLines(stdout + stderr).length > 0).length).toBeGreaterThan(60);
  });
});

test("what machines read does not change with the language", async () => {
  const { e8 } = await withMistakes();
  await e8(["run", "挨拶する", "--check", "true", "--no-intake", "--agent-command", "echo できた"]);
  const calls = [
    ["list", "--json"],
    ["query", "select * from tasks", "--json"],
    ["query", "select status, task from tasks", "--csv"],
    ["agent", "list", "--json"],
    ["agent", "validate", "broken", "--json"],
    ["agent", "validate", "mini", "--graph", "mermaid", "--json"],
    ["run", "作る", "--check", "true", "--dry-run", "--json"],
    ["knowledge", "--json"],
    ["completion", "bash"],
  ];
  for (const words of calls) {
    const [english, japanese] = [await e8(words), await e8(["--lang", "ja", ...words])];
    expect(japanese.stdout, words.join(" ")).toBe(english.stdout);
  }
});

async function withMistakes(): Promise<Sandbox> {
  const box = await quickSandbox();
  for (const [name, text] of Object.entries(FILES)) await box.write(name, text);
  for (const name of ["mini", "broken"]) {
    await mkdir(join(box.project, ".agent"), { recursive: true });
    await cp(MINI, join(box.project, ".agent", name), { recursive: true });
  }
  const registry = await box.read(".agent/broken/steps_registry.json");
  await box.write(".agent/broken/steps_registry.json", registry.replaceAll('"repeat"', '"again"'));
  await box.write(".agent/broken/agent.json", '{"name": 3, "runner": {"flow": {}}, "odd": true}');
  await box.write(".agent/broken/prompts/steps/retry/task/f_failed_git-dirty.md", "{{#if x}}");
  return box;
}

function notJapanese(text: string): string[] {
  return [...englishLines(text), ...awkwardLines(text)];
}

/** Two at a time, which is what small machines have processors for. */
async function allOf(calls: string[][], call: (words: string[]) => Promise<Ended>) {
  const answers: (Ended & { words: string[] })[] = [];
  for (let at = 0; at < calls.length; at += 2) {
    const pair = calls.slice(at, at + 2);
    answers.push(...(await Promise.all(pair.map(async (words) => ({ words, ...(await call(words)) })))));
  }
  return answers;
}

function withoutDescriptions(script: string): string {
  return script.replaceAll(/ -d '(?:[^'\\]|\\.)*'/g, "");
}
