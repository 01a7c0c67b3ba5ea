import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { displayWidth } from "../../src/cli/render/columns.ts";
import { quickSandbox } from "../support/in-process.ts";
import { startProgram } from "../support/program.ts";
import type { Ended, Sandbox } from "../support/sandbox.ts";
import { knowledge, spending, summary } from "../support/stored.ts";
import { ended, judged, store } from "./support.ts";

const FIRST = "2026-01-23T10-00-00";
const SECOND = "2026-01-23T10-00-00-2";
const FLOW = "2026-01-24T08-00-00";

async function filled(): Promise<Sandbox> {
  const box = await quickSandbox();
  await store(box.project, FIRST, {
    records: [
      summary(1, { result: "failure", reason: 'with "quotes", a comma\nand lines' }),
      judged(1, [false, true]),
      summary(2, { artifacts: ["src/数.ts"] }),
      judged(2, [true, true]),
      ended(FIRST, { iterations_used: 2 }),
    ],
    spending: [spending(1), spending(2)],
    knowledge: [knowledge("tests need a database", { confidence: "high" })],
  });
  await store(box.project, SECOND, { configuration: { task: "日本語のタスク" }, records: [summary(1)] });
  await store(box.project, FLOW, {
    task: { flow: { name: "releaser", directory: ".agent/releaser", parameters: {}, stdin: "" } },
    configuration: { criteria: [] },
    records: [summary(1, { flow: { step_id: "plan", output: {}, text: "", deviations: [] } })],
  });
  return box;
}

async function rows(box: Sandbox, sql: string): Promise<unknown> {
  const { code, stdout, stderr } = await box.e8(["query", sql, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test("tasks have the status, numbers and sums of the list; agents made of steps are among them", async () => {
  const box = await filled();
  const sql = `select task_id, status, stop_reason, iterations, max_iterations, criteria, criteria_met, tokens, cost_usd,
    created_at, agent, task, configuration ->> 'agent' as worker from tasks`;
  const common = { max_iterations: 10, created_at: "2026-01-23T10:00:00Z", worker: "claude" };
  const nothing = { stop_reason: null, tokens: 0, cost_usd: 0, iterations: 1, criteria_met: 0, status: "interrupted" };
  expect(await rows(box, sql)).toEqual([
    {
      ...common,
      ...{ task_id: FIRST, status: "completed", stop_reason: "criteria_met", iterations: 2, criteria: 1 },
      ...{ criteria_met: 2, tokens: 20, cost_usd: 1, agent: null, task: "Raise the coverage" },
    },
    { ...common, ...nothing, task_id: SECOND, criteria: 1, agent: null, task: "日本語のタスク" },
    { ...common, ...nothing, task_id: FLOW, criteria: 0, agent: "releaser", task: "Raise the coverage" },
  ]);
});

test("a task that is being worked on is running", async () => {
  const box = await filled();
  const holder = startProgram("hold-lock", join(box.project, ".e8", "tasks", FIRST, "lock"));
  await holder.next();

  expect(await rows(box, `select status, ended_at from tasks where task_id = '${FIRST}'`)).toEqual([
    { status: "running", ended_at: null },
  ]);
});

test("history has every record of every task, with lists and evaluations that can be taken apart", async () => {
  const box = await filled();
  expect(await rows(box, "select type, count(*) as n from history group by type order by type")).toEqual([
    { type: "final_result", n: 1 },
    { type: "judgment", n: 2 },
    { type: "summary", n: 4 },
  ]);
  const unmet = `select iteration, e.criterion from (select iteration, unnest(evaluations) as e from history) where not e.is_met`;
  expect(await rows(box, unmet)).toEqual([{ iteration: 1, criterion: "criterion 1" }]);
  expect(await rows(box, "select artifacts from history where len(artifacts) > 0")).toEqual([
    { artifacts: ["src/数.ts"] },
  ]);
  expect(await rows(box, "select step_id from history where step_id is not null")).toEqual([{ step_id: "plan" }]);
});

test("knowledge is that of the tasks and that of the project", async () => {
  const box = await filled();
  await writeFile(join(box.project, ".e8", "knowledge.jsonl"), `${JSON.stringify(knowledge("for all"))}\n{ broken\n`);

  expect(await rows(box, "select task_id, content, confidence from knowledge order by content")).toEqual([
    { task_id: null, content: "for all", confidence: "medium" },
    { task_id: FIRST, content: "tests need a database", confidence: "high" },
  ]);
});

test("a damaged task and damaged lines do not keep the others from being read", async () => {
  const box = await filled();
  await writeFile(join(box.project, ".e8", "tasks", SECOND, "task.json"), "{ torn");
  await writeFile(join(box.project, ".e8", "tasks", FLOW, "history.jsonl"), '{ torn\n"text"\n');
  await mkdir(join(box.project, ".e8", "tasks", "not a task"));

  expect(await rows(box, "select task_id, iterations from tasks")).toEqual([
    { task_id: FIRST, iterations: 2 },
    { task_id: FLOW, iterations: 0 },
  ]);
});

test("a directory in place of a file is named, and the rest is still read", async () => {
  const box = await filled();
  const replaced = [`${FIRST}/spending.jsonl`, `${FIRST}/lock`, `${SECOND}/task.json`, `${FLOW}/knowledge.jsonl`];
  for (const name of replaced) {
    await rm(join(box.project, ".e8", "tasks", name), { force: true });
    await mkdir(join(box.project, ".e8", "tasks", name));
  }

  const { code, stdout, stderr } = await box.e8(["query", "select task_id, iterations, tokens from tasks", "--json"]);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    [
      { task_id: FIRST, iterations: 2, tokens: 0 },
      { task_id: FLOW, iterations: 1, tokens: 0 },
    ],
  ]);
  for (const name of replaced) expect(stderr).toContain(`${name}, which cannot be read: it is a directory.`);
  expect(stderr.trim().split("\n")).toHaveLength(replaced.length);
  expect((await box.e8(["knowledge", "list"])).stdout).toContain("tests need a database");
});

test("a thousand tasks fit into the memory that a query may take", async () => {
  const box = await quickSandbox();
  const records = Array.from({ length: 20 }, (_, index) => [summary(index + 1), judged(index + 1, [true])]).flat();
  const ids = Array.from({ length: 1000 }, (_, index) => `${FIRST}-${index + 2}`);
  await Promise.all(ids.map((id) => store(box.project, id, { records })));

  expect(await rows(box, "select count(*) as tasks, sum(iterations) as iterations from tasks")).toEqual([
    { tasks: 1000, iterations: 20_000 },
  ]);
  expect(await rows(box, "select task_id from tasks limit 1 offset 998")).toEqual([{ task_id: `${FIRST}-1000` }]);
});

test("values keep their kind in JSON: numbers, times, lists, objects, nothing", async () => {
  const box = await filled();
  const sql = `select 1.50 as price, 9007199254740993 as large, sum(2) as two, timestamp '2026-01-02 03:04:05' as time,
    date '2026-01-02' as day, [1, null] as list, {'a': true} as object, map {'k': 1} as map, null as nothing, 'NaN'::double as nan,
    json_object('x', 1) as json, interval 3 days as span, 1 as two`;
  expect(await rows(box, sql)).toEqual([
    {
      ...{ price: 1.5, large: "9007199254740993", two: 2, time: "2026-01-02T03:04:05Z", day: "2026-01-02" },
      ...{ list: [1, null], object: { a: true }, map: { k: 1 }, nothing: null, nan: "NaN", json: { x: 1 } },
      ...{ span: "3 days", "two:1": 1 },
    },
  ]);
});

test("CSV follows RFC 4180", async () => {
  const box = await filled();
  const sql = "select iteration, reason, error_type from history where result = 'failure'";
  const { stdout, code } = await box.e8(["query", sql, "--csv"]);
  expect(code).toBe(0);
  expect(stdout).toBe('iteration,reason,error_type\r\n1,"with ""quotes"", a comma\nand lines",\r\n');
});

test("a table fits the terminal, and wide letters stay in line", async () => {
  const box = await filled();
  const sql = "select task, task_id, repeat('長い', 90) as long from tasks where agent is null";
  const { stdout, stderr, code } = await box.e8(["query", sql], { env: { COLUMNS: "80" } });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => columnsOf(line.slice(0, line.search(/task_id|2026/))))).toEqual([20, 20, 20]);
  expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(80);
  expect(Math.max(...lines.map(columnsOf))).toBeGreaterThan(75);
  expect(stderr).toBe("2 rows\n");
  expect((await box.e8(["query", sql, "--lang", "ja"])).stderr).toBe("2 行\n");
});

test("more columns than a terminal has room for are blocks, a line for each", async () => {
  const box = await filled();
  const { stdout } = await box.e8(["query", "select * from tasks"], { env: { COLUMNS: "60" } });
  const [first = "", second = ""] = stdout.split("\n\n");
  expect(first).toMatch(new RegExp(`^task_id +${FIRST}\\ncreated_at +2026-01-23T10:00:00Z\\n`));
  expect(second).toMatch(/^task +日本語のタスク$/m);
  expect(Math.max(...stdout.split("\n").map(displayWidth))).toBeLessThanOrEqual(60);
  const none = await box.e8(["query", "select * from tasks where false"], { env: { COLUMNS: "60" } });
  expect([none.stdout.startsWith("task_id  created_at"), none.stderr]).toEqual([true, "0 rows\n"]);
});

test("of a large answer the table shows the first rows and says so; JSON has all of them", async () => {
  const box = await filled();
  const sql = "select range as number, 'é' as text from range(5000)";
  const { stdout, stderr, code } = await box.e8(["query", sql]);
  expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 1001]);
  expect(stderr).toBe("the first 1000 rows; --json and --csv give all of them\n");

  const all = await box.e8(["query", sql, "--json"]);
  const expected = Array.from({ length: 5000 }, (_, number) => ({ number, text: "é" }));
  expect(all.stdout).toBe(`${JSON.stringify(expected, null, 2)}\n`);
  expect((await box.e8(["query", "select 1 where false", "--json"])).stdout).toBe("[]\n");
});

/** Good enough for the letters of these tests. */
function columnsOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > "\u2fff" ? 2 : 1), 0);
}

test.each([
  ["a misspelled word", "selec 1", /syntax error at or near "selec"/],
  ["an unknown column", "select nope from tasks", /"nope" not found/],
  ["nothing", " ", /not one SQL statement/],
  ["only a comment", "/* nothing */", /not one SQL statement/],
  ["two questions", "select 1; select 2", /not one SQL statement/],
  ["a change", "delete from tasks", /would change something/],
  ["a new table", "create table x as select 1", /would change something/],
  ["a setting", "set threads = 1", /cannot be answered|would change/],
  ["a file to read", "select * from read_text('task.txt')", /disabled by configuration/],
  ["a file by its name", "select * from 'task.csv'", /cannot be answered/],
  ["a search for files", "select * from glob('*')", /disabled by configuration/],
  ["a file to write", "copy tasks to 'stolen.csv'", /disabled by configuration|would change/],
  ["another database", "attach 'other.db'", /disabled by configuration|would change/],
  ["an extension to install", "install httpfs", /disabled by configuration|would change/],
  ["an extension to load", "load httpfs", /disabled|would change/],
  ["an export", "export database 'stolen'", /disabled by configuration|would change/],
])("%s is refused with one clear error", async (_, sql, problem) => {
  const box = await filled();
  await box.write("task.txt", "secret");
  await box.write("task.csv", "a,b\n1,secret\n");
  const before = await readdir(box.project);

  refused(await box.e8(["query", sql]), problem);

  expect(await readdir(box.project)).toEqual(before);
});

function refused({ code, stdout, stderr }: Ended, problem: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(problem);
  expect(stderr.match(/^error:/gm)).toHaveLength(1);
  expect(stderr).toMatch(/^next: /m);
  expect(stderr).not.toMatch(/internal|inside endless8|secret/);
}

test("a project without tasks says how to begin, in either language", async () => {
  const { e8 } = await quickSandbox();
  refused(await e8(["query", "select 1"]), /There are no tasks in .*my project/);
  expect((await e8(["query", "select 1", "--lang", "ja"])).stderr).toContain("タスクがありません");
});

test("two formats at once are refused", async () => {
  const { stderr, code } = await (await filled()).e8(["query", "select 1", "--json", "--csv"]);
  expect(code).toBe(2);
  expect(stderr).toContain("e8 query --help");
});

test("without SQL the columns are listed, and docs/queries.md explains each of them with its type", async () => {
  const { e8 } = await quickSandbox();
  const listed = JSON.parse((await e8(["query", "--json"])).stdout) as { view: string; column: string; type: string }[];
  const page = await readFile(new URL("../../docs/queries.md", import.meta.url), "utf8");

  const explained = ["tasks", "history", "knowledge"].flatMap((view) => {
    const section = page.split(`## ${view}\n`)[1]?.split("\n## ")[0] ?? "";
    return [...section.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\| \S/gm)].map(([, column, type]) => ({
      view,
      column,
      type,
    }));
  });
  expect(explained).toEqual(listed);
});

test("every example of docs/queries.md can be asked", async () => {
  const box = await filled();
  const page = await readFile(new URL("../../docs/queries.md", import.meta.url), "utf8");
  const examples = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = ""]) => sql);
  expect(examples.length).toBeGreaterThan(3);
  for (const sql of examples) await rows(box, sql);
});
