import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { displayWidth } from "../../src/cli/render/columns.ts";
import { quickSandbox } from "../support/in-process.ts";
import { startProgram } from "../support/program.ts";
import { spending, summary } from "../support/stored.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { ended, judged, store } from "./support.ts";

const FIRST = "2026-01-23T10-00-00";
const SECOND = "2026-01-23T11-00-00";
const THIRD = "2026-01-23T12-00-00";
const USAGE = { tokens: 1200, cost_usd: 2.5, seconds: 60 };
const flow = { name: "リリース係", directory: ".agent/release", parameters: {}, stdin: "" };

async function project(): Promise<string> {
  const directory = await temporaryDirectory();
  const final_judgment = judged(2, [true, true]);
  await store(directory, FIRST, {
    task: { created_at: new Date(Date.now() - 3 * 3_600_000).toISOString() },
    records: [summary(1), judged(1, [false, true]), ended(FIRST, { iterations_used: 2, usage: USAGE, final_judgment })],
  });
  await store(directory, SECOND, {
    task: { created_at: new Date(Date.now() - 50 * 86_400_000).toISOString(), flow },
    configuration: { task: "日本語のタスク" },
    records: [summary(1), judged(1, [true, false]), summary(2)],
    spending: [spending(1), spending(2)],
  });
  await store(directory, THIRD);
  await writeFile(join(directory, ".e8", "tasks", THIRD, "task.json"), "{ torn");
  return directory;
}

test("the list says status, iterations, criteria met, cost, age and task, in line even with wide letters", async () => {
  const { e8 } = await quickSandbox();
  const { stdout, code } = await e8(["list", "-p", await project()]);
  expect(code).toBe(0);
  const [head = "", first = "", second = "", third = ""] = stdout.split("\n");
  expect(head).toMatch(/^task id +status +iter\. +met +cost +age +task$/);
  expect(first).toMatch(/^\S+ +completed +2\/10 +2\/1 +\$2\.50 +3 h +Raise the coverage$/);
  expect(second).toMatch(/^\S+ +interrupted +2\/10 +1\/1 +\$1\.00 +50 d +リリース係: 日本語のタスク$/);
  expect(third).toMatch(/^\S+ +error +.*task\.json can/); // the path may leave no room for more
  expect([first.indexOf("Raise"), second.indexOf("リリース係")]).toEqual([
    head.lastIndexOf("task"),
    head.lastIndexOf("task"),
  ]);
});

test("in a narrow terminal the task gives way, and nothing else", async () => {
  const { e8 } = await quickSandbox();
  const directory = await temporaryDirectory();
  await store(directory, FIRST, {
    configuration: { task: "Raise the coverage of 日本語のモジュール to ninety percent" },
  });
  await store(directory, SECOND, { configuration: { task: "短い" } });

  const { stdout } = await e8(["list", "-p", directory], { env: { COLUMNS: "80" } });

  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  expect(lines[1]).toMatch(new RegExp(`^${FIRST} +interrupted .* Raise .*…$`));
  expect(displayWidth(lines[1] ?? "")).toBeGreaterThan(76);
  expect(lines[2]).toMatch(new RegExp(`^${SECOND} .* 短い$`));
});

test.each(["en", "ja"])("at 40 columns each task is a block that can be read (%s)", async (language) => {
  const { e8 } = await quickSandbox();
  const directory = await project();

  const { stdout } = await e8(["list", "-p", directory, "--lang", language], { env: { COLUMNS: "40" } });

  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(40);
  const [completed, first] =
    { en: ["completed", "iterations 2/10"], ja: ["完了", "イテレーション 2/10"] }[language] ?? [];
  expect(lines.slice(0, 2)).toEqual([`${FIRST}  ${completed}`, expect.stringContaining(`  ${first}`)]);
  expect(stdout).toContain("  Raise the coverage\n");
  expect(stdout).toContain(`${SECOND}  `);
  expect(stdout).toContain("  リリース係: 日本語のタスク\n");
});

test("an agent whose display name is its name is named once, whatever it was called with", async () => {
  const { e8 } = await quickSandbox();
  const directory = await temporaryDirectory();
  const configuration = { task: "reviewer: Plans a change" };
  await store(directory, FIRST, { task: { flow: { ...flow, name: "reviewer" } }, configuration });
  const parameters = { topic: "bread" };
  await store(directory, SECOND, { task: { flow: { ...flow, name: "reviewer", parameters } }, configuration });

  const { stdout } = await e8(["list", "-p", directory]);

  expect(stdout).toMatch(/ reviewer: Plans a change$/m);
  expect(stdout).toMatch(/ reviewer topic=bread: Plans a change$/m);
});

test("two runs of one agent differ by their arguments", async () => {
  const { e8 } = await quickSandbox();
  const directory = await temporaryDirectory();
  for (const [id, issue] of [
    [FIRST, 12],
    [SECOND, 13],
  ] as const)
    await store(directory, id, {
      task: { flow: { ...flow, name: "fixer", parameters: { issue, labels: ["bug"], note: undefined } } },
      configuration: { task: "Fixer: Fixes an issue" },
    });

  const { stdout } = await e8(["list", "-p", directory]);

  expect(stdout).toMatch(/ fixer issue=12 labels=\["bug"\]: Fixer: Fixes an issue$/m);
  expect(stdout).toMatch(/ fixer issue=13 labels=\["bug"\]: Fixer: Fixes an issue$/m);
});

test("where there are no tasks, it says how to start one", async () => {
  const { e8 } = await quickSandbox();
  const [english, japanese] = await Promise.all(["en", "ja"].map((language) => e8(["list", "--lang", language])));

  expect(english).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^No tasks .* e8 run ".+" --check "/),
  });
  expect(japanese?.stderr).toMatch(/^タスクはまだありません。.* e8 run ".+" --check "/);
});

test("in Japanese nothing of it is English, and JSON stays the same", async () => {
  const { e8 } = await quickSandbox();
  const directory = await project();
  const { stdout } = await e8(["list", "-p", directory, "--lang", "ja"]);
  expect(stdout).toMatch(/^タスク ID +状態 +回数 +達成 +費用 +経過 +タスク$/m);
  expect(stdout).toMatch(/完了 .* 3 時間 /);
  expect(stdout).not.toMatch(/completed|interrupted| h | d /);
  const json = await e8(["list", "-p", directory, "--json", "--lang", "ja"]);
  expect(json.stdout).toBe((await e8(["list", "-p", directory, "--json"])).stdout);
  expect(JSON.parse(json.stdout)[1]).toMatchObject({ task_id: SECOND, status: "interrupted", agent: "リリース係" });
});

test("a task that is being worked on is listed as running, whatever its last run came to", async () => {
  const { e8 } = await quickSandbox();
  const directory = await project();
  await startProgram("hold-lock", join(directory, ".e8", "tasks", FIRST, "lock"), FIRST).next();
  const { stdout } = await e8(["list", "-p", directory, "--json"]);
  expect(JSON.parse(stdout)[0]).toMatchObject({ task_id: FIRST, status: "running" });
});
