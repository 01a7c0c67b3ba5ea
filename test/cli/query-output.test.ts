import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { displayWidth } from "../../src/cli/render/columns.ts";
import { quickSandbox } from "../support/in-process.ts";
import { FIRST, filled, refused, rows } from "./query-support.ts";

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
