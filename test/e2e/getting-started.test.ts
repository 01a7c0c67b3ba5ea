import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const execute = promisify(execFile);
const E8 = fileURLToPath(new URL("../../bin/e8.js", import.meta.url));

describe("e8 run --help", () => {
  test.each([
    ["en", "Examples:", "Exit codes:", "default: ", "no limit"],
    ["ja", "例：", "終了コード：", "既定値：", "上限なし"],
  ])("in %s, has examples, exit codes, and the defaults that a run really has", async (language, ...titles) => {
    const [examples, exitCodes, preset, none] = titles;
    const { e8, write } = await quickSandbox();
    const { stdout } = await e8(["run", "--lang", language, "--help"]);
    await write("t.yaml", "task: t\ncriteria: [c]\n");
    const { configuration } = JSON.parse((await e8(["run", "--config", "t.yaml", "--dry-run", "--json"])).stdout);

    const defaults = new Map(
      stdout.split(/\n {2}(?=-)/).flatMap((flag) => {
        const [, name = ""] = /(--[\w-]+)/.exec(flag) ?? [];
        const line = flag.replaceAll(/\s*\n\s*/g, language === "en" ? " " : "");
        const [, value] = new RegExp(`${preset}([^)）]+)[)）]`).exec(line) ?? [];
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    const { max_iterations, agent, models, command_timeout } = configuration;
    expect(Object.fromEntries(defaults)).toMatchObject({
      "--project": ".",
      "--max-iterations": String(max_iterations),
      "--agent": agent,
      "--model": models.executor,
      "--judge-model": models.judge,
      "--max-cost": none,
      "--max-time": none,
      "--max-tokens": none,
      "--check-timeout": `${command_timeout}s`,
    });
    expect(stdout).toMatch(new RegExp(`^${examples}\n {2}e8 run ".+" --check "npm test"\n`, "m"));
    expect(stdout).toMatch(new RegExp(`^${exitCodes}\n {2}0 .+\n {2}1 .+\n {2}2 .+\n {2}3 .+\n {2}4 .+\n`, "m"));
  });
});

describe("e8 init", () => {
  test("writes a task file that runs, with the check that the project suggests", async () => {
    const { e8, write } = await quickSandbox();
    await write("package.json", '{"scripts": {"test": "true"}}');

    const made = await e8(["init"]);
    const dryRun = await e8(["run", "Do it", "--config", "task.yaml", "--dry-run", "--json"]);

    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("e8 run --config task.yaml") });
    expect(JSON.parse(dryRun.stdout).configuration.criteria).toEqual([{ type: "command", command: "npm test" }]);
  });

  test("says what the flags say, and points at the schema of the project's own endless8", async () => {
    const { e8, read, write } = await quickSandbox();
    await write("node_modules/endless8/schemas/task.schema.json", "{}");

    const said = ["--task", "Do: it", "-c", "it is done", "--check", "a | b", "-n", "3", "--max-cost", "2.5"];
    await e8(["init", "tasks/mine.yaml", ...said]);
    const dryRun = await e8(["run", "--config", "tasks/mine.yaml", "--dry-run", "--json"]);

    expect(await read("tasks/mine.yaml")).toMatch(
      /\$schema=\.\.\/node_modules\/endless8\/schemas\/task\.schema\.json\n/,
    );
    expect(JSON.parse(dryRun.stdout).configuration).toMatchObject({
      task: "Do: it",
      criteria: [{ text: "it is done" }, { command: "a | b" }],
      max_iterations: 3,
      budget: { cost_usd: 2.5 },
    });
  });

  test.each(["en", "ja"])("writes no path of this machine into the file, in %s", async (language) => {
    const { e8, read } = await quickSandbox();
    await e8(["init", "--lang", language]);

    const text = await read("task.yaml");
    expect(text).not.toMatch(/file:|(^|[\s="'])\/\w/m);
    expect(text).not.toContain("yaml-language-server");
    expect(text).toMatch(/^# .*endless8/);
  });

  test.each([
    ["en", "still has the example; write your own words there", "Correct them and try again"],
    ["ja", "例のままです。自分の言葉で書き込んでください", "直してからやり直してください"],
  ])(
    "in %s, `doctor` names the lines and keys that are still to be filled in, and `run` refuses them",
    async (...said) => {
      const { e8, read, project } = await quickSandbox();
      const [language, example, hint] = said;
      await e8(["init", "--lang", language]);
      const lines = (await read("task.yaml")).split("\n");
      const lineOf = (begin: string) => lines.findIndex((line) => line.startsWith(begin)) + 1;
      const open = [
        `task.yaml:${lineOf("task:")} task: ${example}`,
        `task.yaml:${lineOf("  - ")} criteria[0]: ${example}`,
      ];

      const examined = await e8(["doctor", "--lang", language, "--config", "task.yaml"]);
      const run = await e8(["run", "--lang", language, "--config", "task.yaml"]);

      for (const line of [...open, hint]) {
        expect(examined.stdout).toContain(line);
        expect(run.stderr).toContain(line);
      }
      expect([examined.code, run.code]).toEqual([2, 2]);
      expect(await readdir(project)).toEqual(["task.yaml"]);
    },
  );

  test("the command line may say what the file has not been filled in with", async () => {
    const { e8 } = await quickSandbox();
    await e8(["init"]);

    const said = ["run", "Do it", "-c", "it is done", "--config", "task.yaml", "--dry-run"];
    expect(await e8(said)).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    ["task:\ncriteria: [c]\n", "task.yaml:1 task: is empty."],
    ["# nothing\n", "task.yaml task: is empty."],
    ["task: t\ncriteria: []\n", "task.yaml:2 criteria: is empty, so"],
  ])("`doctor` says what %j lacks", async (text, says) => {
    const { e8, write } = await quickSandbox();
    await write("task.yaml", text);
    const { stdout, code } = await e8(["doctor", "--config", "task.yaml"]);

    expect(stdout).toContain(says);
    expect(stdout).toMatch(/→ Write there what /);
    expect(code).toBe(2);
  });

  test.each([
    ["en", [], "Fill in task and criteria"],
    ["ja", [], "task と criteria を書き"],
    ["en", ["--task", "Do it"], "Fill in criteria"],
    ["en", ["--check", "true"], "Fill in task,"],
    ["en", ["--task", "Do it", "--check", "true"], undefined],
  ])("in %s, with %j, says what is still to be filled in", async (language, said, todo) => {
    const { e8 } = await quickSandbox();

    const { stdout } = await e8(["init", "--lang", language, ...said]);

    expect(stdout.includes(todo ?? "Fill in")).toBe(todo !== undefined);
    expect(stdout).toContain("e8 run --config task.yaml --dry-run\n");
  });

  test("never overwrites a file without --force", async () => {
    const { e8, read, write } = await quickSandbox();
    await write("task.yaml", "mine");

    const refused = await e8(["init"]);
    const kept = await read("task.yaml");
    const forced = await e8(["init", "--force"]);

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("exists already") });
    expect(kept).toBe("mine");
    expect(forced.code).toBe(0);
    expect(await read("task.yaml")).toContain("criteria:");
  });

  test.each([
    ["-n", "0"],
    ["-n", "many"],
    ["--max-cost", "-1"],
  ])("writes nothing for %s %s", async (flag, value) => {
    const { e8, project } = await quickSandbox();

    expect(await e8(["init", flag, value])).toMatchObject({ code: 2, stdout: "" });
    expect(await readdir(project)).toEqual([]);
  });

  test("leaves nothing half-written on a full disk, and keeps what --force would have overwritten", async () => {
    const { env, project, write, read } = await quickSandbox();
    await write("old.yaml", "task: mine\n");
    const init = 'ulimit -f 1; "$NODE" "$E8" init --task x --check true';
    const attempt = (words: string) =>
      execute("bash", ["-c", `${init} ${words}; echo $?`], {
        cwd: project,
        env: { ...env, NODE: process.execPath, E8 },
      });

    for (const words of ["new.yaml", "old.yaml --force"]) {
      const { stdout, stderr } = await attempt(words);
      expect([stdout, stderr]).toEqual(["2\n", expect.stringMatching(/the disk or quota is full.*\nnext: Make room/)]);
    }
    expect(await readdir(project)).toEqual(["old.yaml"]);
    expect(await read("old.yaml")).toBe("task: mine\n");
  });

  test("writes Japanese comments for a Japanese user", async () => {
    const { e8, read } = await quickSandbox();

    const made = await e8(["init"], { env: { LANG: "ja_JP.UTF-8" } });

    expect(made.stdout).toContain("task.yaml を書きました");
    expect(await read("task.yaml")).toContain("# 完了条件です。");
  });

  test.skipIf(!hasTmux)("asks at a terminal, and an empty answer takes what is suggested", async () => {
    const place = await quickSandbox();
    await place.write("Cargo.toml", "[package]");
    const terminal = await openTerminal(place, ["init"]);

    await terminal.answer("What do you want done?", "Fix the parser");
    await terminal.answer("What must be true then?", "errors name the line");
    await terminal.answer(/errors name the line[\s│]+◆ {2}What must be true then/, "");
    await terminal.answer(/◆ {2}A command that must exit 0.*\n│ {2}cargo test/, "");
    await terminal.answer("◆  Iterations at most", "zero");
    await terminal.shows("cannot be used: zero");
    await terminal.press("C-u");
    await terminal.answer("Iterations at most", "7");
    await terminal.answer("◆  US dollars at most", "4");
    await terminal.shows("was written");
    await terminal.isUsable();

    const { stdout } = await place.e8(["run", "--config", "task.yaml", "--dry-run", "--json"]);
    expect(JSON.parse(stdout).configuration).toMatchObject({
      task: "Fix the parser",
      criteria: [{ text: "errors name the line" }, { command: "cargo test" }],
      max_iterations: 7,
      budget: { cost_usd: 4 },
    });
  });

  test.skipIf(!hasTmux)(
    "Ctrl-Z gives the shell its terminal back, also from under npx, and fg goes on where it was",
    async () => {
      const place = await quickSandbox();
      const asIfByNpx = `bash -c 'bash ../go; true'`;
      const terminal = await openTerminal(place, ["init"], { start: asIfByNpx });

      await terminal.shows("What do you want done?");
      await terminal.type("Fix the par");
      await terminal.shows("Fix the par");
      await terminal.press("C-z");
      await terminal.shows(/stopped here; fg goes on[\s\S]*Stopped/);
      await terminal.isUsable();
      expect((await terminal.screen()).join("\n")).toContain('$ echo "works'); // what is typed can be seen
      await terminal.type("clear; fg");
      await terminal.press("Enter");
      await terminal.shows(/◆ {2}What do you want done\?\n│ {2}Fix the par/);
      await terminal.answer("Fix the par", "ser");
      for (const question of ["What must be true", "A command that must", "Iterations at most", "US dollars at most"])
        await terminal.answer(`◆  ${question}`, "");
      await terminal.shows("was written");
      await terminal.isUsable();

      expect(await place.read("task.yaml")).toMatch(/^task: Fix the parser$/m);
    },
  );

  test.skipIf(!hasTmux)("writes nothing when the user leaves with Ctrl-C", async () => {
    const place = await quickSandbox();
    const terminal = await openTerminal(place, ["init"]);

    await terminal.shows("What do you want done?");
    await terminal.press("C-c");
    await terminal.shows("exit code 3");

    expect(await readdir(place.project)).toEqual([]);
  });
});
