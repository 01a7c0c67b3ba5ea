import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { startProgram } from "../support/program.ts";
import { knowledge, summary } from "../support/stored.ts";
import { FIRST, FLOW, filled, refused, rows, SECOND } from "./query-support.ts";
import { judged, store } from "./support.ts";

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

test("knowledge that was used again, or that two files have, is one row with its highest count", async () => {
  const box = await filled();
  const again = [knowledge("Tests need a database!", { applied_count: 4 }), knowledge("for all")];
  const lines = [...again, ...again].map((entry) => `${JSON.stringify(entry)}\n`).join("");
  await writeFile(join(box.project, ".e8", "knowledge.jsonl"), lines);

  expect(await rows(box, "select task_id, content, applied_count from knowledge order by content")).toEqual([
    { task_id: null, content: "for all", applied_count: 0 },
    { task_id: FIRST, content: "tests need a database", applied_count: 4 },
  ]);
  expect(await rows(box, "select task_id, content from '.e8/knowledge.jsonl' order by content desc")).toEqual([
    { task_id: null, content: "for all" },
    { task_id: null, content: "Tests need a database!" },
  ]);
});

/** The queries of the specification, which name the files. */
const OF_FILES: [string, unknown[]][] = [
  [
    `-- 失敗したアプローチを抽出（同じ失敗を繰り返さない）
SELECT approach, reason FROM read_json_auto('.e8/history.jsonl')
WHERE type = 'summary' AND result = 'failure'`,
    [{ approach: "approach 1", reason: 'with "quotes", a comma\nand lines' }],
  ],
  [
    `-- 高信頼度のパターンを取得
SELECT content, example_file FROM read_json_auto('.e8/tasks/<task-id>/knowledge.jsonl')
WHERE type = 'pattern' AND confidence = 'high'`,
    [{ content: "tests need a database", example_file: null }],
  ],
  [
    `-- 特定ファイルに関連する履歴を検索
SELECT * FROM read_json_auto('.e8/history.jsonl')
WHERE list_contains(metadata.files_modified, 'src/main.py')`,
    [expect.objectContaining({ task_id: SECOND, iteration: 1, files_modified: ["src/main.py"] })],
  ],
  [
    `-- イテレーション開始時のコンテキスト生成（直近N件 + 失敗履歴）
WITH ranked AS (
  SELECT *, ROW_NUMBER() OVER (ORDER BY iteration DESC) as rn
  FROM read_json_auto('.e8/history.jsonl')
  WHERE type = 'summary'
)
SELECT * FROM ranked WHERE rn <= 5  -- 直近5件
UNION ALL
SELECT *, 0 as rn FROM read_json_auto('.e8/history.jsonl')
WHERE type = 'summary' AND result = 'failure' AND iteration NOT IN (
  SELECT iteration FROM ranked WHERE rn <= 5
)`,
    expect.arrayContaining([2, 1].map((iteration) => expect.objectContaining({ iteration, rn: expect.any(Number) }))),
  ],
];

test.each(OF_FILES)("as the specification prints it: %s", async (sql, expected) => {
  const box = await filled();
  expect(await rows(box, sql.replace("<task-id>", FIRST))).toEqual(expected);
});

test("a query that names other files is refused", async () => {
  const { e8 } = await filled();
  for (const file of ["/etc/passwd", "other.jsonl", ".e8/tasks/2020-01-01T00-00-00/history.jsonl"])
    refused(await e8(["query", `select * from read_json_auto('${file}')`]), /of this project does not exist/);
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

test.each([
  ["a misspelled word", "selec 1", /syntax error at or near "selec"/],
  ["an unknown column", "select nope from tasks", /"nope" not found/],
  ["nothing", " ", /not exactly one SQL statement/],
  ["only a comment", "/* nothing */", /not exactly one SQL statement/],
  ["two questions", "select 1; select 2", /not exactly one SQL statement/],
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
