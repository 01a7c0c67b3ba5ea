import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { displayWidth } from "../../src/cli/render/columns.ts";
import { toLine } from "../../src/connection/stores/files/json-lines.ts";
import { quickSandbox } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { knowledge } from "../support/stored.ts";
import { store } from "./support.ts";

const ID = "2026-01-23T10-00-00";

async function learned(): Promise<Sandbox> {
  const box = await quickSandbox();
  await store(box.project, ID, {
    knowledge: [
      knowledge("Tests need a running database", { confidence: "high", source_task: ID, example_file: "test/db.ts" }),
      knowledge("ログは UTC で書く\n例外なし", { type: "constraint", category: "運用" }),
    ],
  });
  const shared = [
    knowledge("tests need a running database!", { applied_count: 4 }),
    knowledge("Maybe the cache is slow", { confidence: "low", category: "Speed" }),
  ];
  await writeFile(join(box.project, ".e8", "knowledge.jsonl"), `${shared.map(toLine).join("")}{ torn\n`);
  return box;
}

async function contents(box: Sandbox, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await box.e8(["knowledge", ...args, "--json"]);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { content: string }[]).map(({ content }) => content.split("\n")[0] ?? "");
}

const DATABASE = "Tests need a running database";
const LOG = "ログは UTC で書く";
const CACHE = "Maybe the cache is slow";

test("what tasks and project know is listed once each, the surest first, and can be filtered", async () => {
  const box = await learned();
  expect(await contents(box)).toEqual([DATABASE, LOG, CACHE]);
  expect(await contents(box, "list", "--type", "constraint")).toEqual([LOG]);
  expect(await contents(box, "list", "--category", "speed")).toEqual([CACHE]);
  expect(await contents(box, "list", "--min-confidence", "medium")).toEqual([DATABASE, LOG]);
  expect(await contents(box, "list", "--task", ID)).toEqual([DATABASE, LOG]);
});

test("the table is aligned, fits the terminal and speaks the user's language", async () => {
  const box = await learned();
  const { stdout } = await box.e8(["knowledge"], { env: { COLUMNS: "70" } });
  expect(stdout).toMatch(/^confidence +type +category +content +used +source$/m);
  expect(stdout).toMatch(/^high +pattern +testing +Tests need/m);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(70);
  expect((await box.e8(["knowledge", "--lang", "ja"])).stdout).toMatch(/^確信度 +種類 +分野 +内容 +使用 +出典$/m);
});

test("at 40 columns each piece is a block with all of its words", async () => {
  const box = await learned();
  const { stdout } = await box.e8(["knowledge"], { env: { COLUMNS: "40" } });
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(40);
  expect(lines.slice(0, 2)).toEqual(["high pattern testing", "  Tests need a running database"]);
  expect(stdout).toContain("medium constraint 運用\n  ログは UTC で書く 例外なし\n");
  expect(stdout).not.toContain("…");
});

test("search finds what has to do with the words, best first, and nothing else", async () => {
  const box = await learned();
  expect(await contents(box, "search", "slow database tests")).toEqual([DATABASE, CACHE]);
  expect(await contents(box, "search", "slow database tests", "-n", "1")).toEqual([DATABASE]);
  expect(await contents(box, "search", "ログを書く場所")).toEqual([LOG]);
  const { stdout, stderr, code } = await box.e8(["knowledge", "search", "zebra"]);
  expect([stdout, stderr, code]).toEqual(["", "Nothing known has to do with that.\n", 0]);
});

test("what a user adds is kept, found, and named as the user's", async () => {
  const { e8, project } = await quickSandbox();
  const words = [
    "knowledge",
    "add",
    "  main は守られている ",
    "--type",
    "constraint",
    "--category",
    "git",
    "--confidence",
    "high",
  ];
  const { code, stderr } = await e8(words);
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/^Added to .*\n.*knowledge: \.e8\/knowledge\.jsonl/);
  const [line = ""] = (await readFile(join(project, ".e8", "knowledge.jsonl"), "utf8")).split("\n");
  expect(JSON.parse(line)).toMatchObject({
    ...{ type: "constraint", category: "git", content: "main は守られている", confidence: "high" },
    ...{ source_task: "user", applied_count: 0, example_file: null },
  });
  expect(JSON.parse((await e8(["knowledge", "search", "main", "--json"])).stdout)).toHaveLength(1);
});

test.each([
  [["add", "x", "--type", "rumour", "--category", "c"], /--type: "rumour" is not possible: discovery, lesson/],
  [["add", " ", "--type", "lesson", "--category", "c"], /<content>: must not be empty/],
  [["add", "x", "--type", "lesson", "--category", " "], /--category: must not be empty/],
  [
    ["add", "x", "--type", "lesson", "--category", "c", "--confidence", "sure"],
    /--confidence: "sure" is not possible: low/,
  ],
  [["add", "x"], /--type <type> is missing/],
  [
    ["list", "--min-confidence", "9"],
    /--min-confidence: "9" is not possible: low, medium, high\nnext: .*knowledge list/,
  ],
  [["list", "--task", "2020-01-01T00-00-00"], /There is no task/],
  [["search", "x", "-n", "0"], /--limit: "0" is not possible: 1 to 999999\nnext: .*knowledge search/],
  [["export", "--format", "pdf"], /--format: "pdf" is not possible: markdown, json\nnext: .*knowledge export/],
])("%j is refused and nothing is written", async (words, problem) => {
  const { e8, project } = await quickSandbox();
  const { code, stderr } = await e8(["knowledge", ...words]);
  expect(code).toBe(2);
  expect(stderr).toMatch(problem);
  await expect(readFile(join(project, ".e8", "knowledge.jsonl"))).rejects.toThrow();
});

test("it is exported as a page by category, or as JSON", async () => {
  const box = await learned();
  const { stdout } = await box.e8(["knowledge", "export"]);
  expect(stdout).toBe(
    [
      ...["# Knowledge", "", "## Speed", "", "- Maybe the cache is slow", "  (pattern, low, source: a task)", ""],
      ...["## testing", "", "- Tests need a running database"],
      ...[`  (pattern, high, source: ${ID}, example: \`test/db.ts\`)`, ""],
      ...["## 運用", "", "- ログは UTC で書く", "  例外なし", "  (constraint, medium, source: a task)", ""],
    ].join("\n"),
  );
  expect(JSON.parse((await box.e8(["knowledge", "export", "--format", "json"])).stdout)[0]).toMatchObject({
    content: DATABASE,
    applied_count: 4,
  });
});

test("a project that knows nothing says so", async () => {
  const { e8 } = await quickSandbox();
  const said = expect.stringMatching(/^No knowledge here yet\. .*e8 knowledge add "/);
  expect(await e8(["knowledge"])).toMatchObject({ code: 0, stdout: "", stderr: said });
});

test("a filter without a match does not claim that nothing is known", async () => {
  const box = await learned();
  const [english, japanese] = await Promise.all(
    ["en", "ja"].map((language) => box.e8(["--lang", language, "knowledge", "list", "--category", "nothing"])),
  );
  expect(english).toMatchObject({ code: 0, stderr: "Nothing known is of that kind.\n" });
  expect(japanese).toMatchObject({ code: 0, stderr: "条件に合う知識はありません。\n" });
});
