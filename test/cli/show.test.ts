import { expect, test } from "vitest";
import { displayWidth } from "../../src/cli/render/columns.ts";
import type { Evaluation } from "../../src/model/evaluation.ts";
import { message } from "../../src/model/message.ts";
import { quickSandbox } from "../support/in-process.ts";
import { spending, summary } from "../support/stored.ts";
import { ended, judged, store } from "./support.ts";

const ID = "2026-01-23T10-00-00";
const metadata = { ...summary(1).metadata, files_modified: ["src/b.ts", "src/数 え.ts"] };
const criteria = [
  { type: "semantic" as const, text: "説明が日本語で書かれている" },
  { type: "command" as const, command: "npm test" },
  { type: "command" as const, command: "npm run lint", description: "no warnings" },
];
const nobody = { id: 1, criterion: "", is_met: false, evidence: "", confidence: 0, source: "nobody" as const };

async function shown(...flags: string[]): Promise<string> {
  return shownIn(undefined, ...flags);
}

async function shownIn(columns: string | undefined, ...flags: string[]): Promise<string> {
  const box = await quickSandbox();
  await store(box.project, ID, {
    configuration: { criteria },
    records: [
      summary(1, { metadata: { ...metadata, files_modified: ["src/a.ts", "src/b.ts"] }, result: "failure" }),
      {
        ...judged(1, [false, false, true]),
        evaluations: [nobody, ...judged(1, [false, false, true]).evaluations.slice(1)],
      },
      ended(ID, { status: "cancelled", stop_reason: "cancelled" }),
      summary(2, { metadata, approach: "another way" }),
      judged(2, [true, true, true]),
      ended(ID, { iterations_used: 2, final_judgment: judged(2, [true, true, true]) }),
    ],
    spending: [
      { ...spending(1), seconds: 90, tokens: 700 },
      { ...spending(1), spender: "judge", cost_usd: 0.25, seconds: 6 },
      { ...spending(2), spender: "checks", cost_usd: 0, tokens: 0 },
    ],
  });
  const { stdout, stderr, code } = await box.e8(["show", ID, ...flags], {
    env: { TZ: "Asia/Tokyo", COLUMNS: columns },
  });
  expect(code, stderr).toBe(0);
  return stdout;
}

test("criteria and iterations are a matrix of met, not met and not evaluated", async () => {
  const text = await shown();
  const matrix = text.split("criteria by iteration\n")[1]?.split("\n\n")[0];
  expect(matrix?.split("\n")).toEqual([
    `  ${" ".repeat(29)} 1 2`,
    "  1. 説明が日本語で書かれている · ✔",
    `  2. npm test${" ".repeat(18)} ✘ ✔`,
    `  3. no warnings${" ".repeat(15)} ✔ ✔`,
  ]);
});

test("the timeline has times, durations, tokens, cost, what was missing, and how an earlier run ended", async () => {
  const text = await shown();
  expect(text).toMatch(/^iteration 1 {2}2026-01-23 09:00:01 {2}1 min 36 s {2}tokens 710 {2}\$0\.75$/m);
  expect(text).toMatch(/^ {2}the worker claims failure: approach 1$/m);
  expect(text).toContain("evidence 2 of 1");
  expect(text).toMatch(/^— 2026-01-23 20:00:00 {2}cancelled: it was cancelled$/m);
  expect(text).toMatch(/^iteration 2 .*\n {2}the worker claims success: another way$/m);
});

test("spending is told by role, files changed once each, and the report comes last", async () => {
  const text = await shown();
  expect(text).toMatch(
    /^spent by +tokens +cost +time\nexecutor +700 +\$0\.50 +1 min 30 s\njudge +10 +\$0\.25 +6\.0 s\nchecks +0 +- +1\.0 s$/m,
  );
  expect(text).toMatch(/^files changed \(3\)\n {2}src\/a\.ts\n {2}src\/b\.ts\n {2}src\/数 え\.ts$/m);
  expect(text.indexOf("completed: every criterion is met")).toBeGreaterThan(text.indexOf("files changed"));
});

test("as JSON it has the task, the sums by role, the files and every record", async () => {
  const found = JSON.parse(await shown("--json"));
  expect(found).toMatchObject({
    task_id: ID,
    status: "completed",
    usage: { tokens: 710, cost_usd: 0.75 },
    usage_by_role: { executor: { tokens: 700 }, judge: { cost_usd: 0.25 }, checks: { seconds: 1 } },
    files_modified: ["src/a.ts", "src/b.ts", "src/数 え.ts"],
  });
  expect(found.records).toHaveLength(6);
});

test("in Japanese its own words are Japanese", async () => {
  const text = await shown("--lang", "ja");
  for (const word of ["完了条件とイテレーション", "経過", "内訳", "判定", "変更されたファイル（3）"])
    expect(text).toContain(word);
  expect(text).not.toMatch(/criteria by|what happened|spent by|files changed|executor/);
});

test("without an id it is the latest task, and what is the same or empty is not shown twice or at all", async () => {
  const box = await quickSandbox();
  const evidence = `exit code 1\n${Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n")}\n${"x".repeat(9000)}`;
  await store(box.project, "2026-01-22T10-00-00", { configuration: { task: "an older one" } });
  const found = { ...judged(1, [false]), evaluations: [{ ...nobody, source: "command" as const, evidence }] };
  await store(box.project, ID, { records: [summary(1, { approach: "did it", reason: "did it" }), found] });
  const { stdout } = await box.e8(["show"]);
  expect(stdout).toMatch(new RegExp(`^${ID}`));
  expect(stdout.match(/did it/g)).toHaveLength(1);
  expect(stdout).not.toContain("spent by");
  expect(stdout).toContain("      exit code 1\n      … 9 lines left out\n      line 10\n");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBe(500);
});

test("a list of files that may be incomplete is not called complete", async () => {
  const box = await quickSandbox();
  const files = (count: number) => Array.from({ length: count }, (_, index) => `src/${100 + index}.ts`);
  const changed = (count: number) => summary(1, { metadata: { ...metadata, files_modified: files(count) } });
  await store(box.project, ID, { records: [changed(100)] });
  await store(box.project, "2026-01-22T10-00-00", { records: [changed(99)] });

  const cut = (await box.e8(["show", ID])).stdout;
  const whole = (await box.e8(["show", "2026-01-22T10-00-00"])).stdout;
  const japanese = (await box.e8(["show", ID, "--lang", "ja"])).stdout;

  expect(cut).toMatch(/^files changed \(at least 100\)$/m);
  expect(cut).toMatch(/^ {2}and 50 or more others; the record of an iteration names at most 100$/m);
  expect(whole).toMatch(/^files changed \(99\)\n[\s\S]*^ {2}and 49 more$/m);
  expect(japanese).toMatch(
    /^変更されたファイル（100 件以上）\n[\s\S]*^ {2}ほか 50 件以上（1 イテレーションの記録に残るのは最大 100 件）$/m,
  );
});

test("of a report whose beginning was not kept, the end, and that it is one", async () => {
  const box = await quickSandbox();
  const lines = Array.from({ length: 300 }, (_, index) => `step ${index + 1}`).join("\n");
  await store(box.project, ID, { records: [summary(1, { reason: lines, is_cut: true })] });

  const english = (await box.e8(["show", ID])).stdout;
  const japanese = (await box.e8(["show", ID, "--lang", "ja"])).stdout;

  expect(english).toMatch(/^ {4}… earlier lines left out\n {4}….* step 299 step 300$/m);
  expect(japanese).toMatch(/^ {4}…（前の行は省略）\n {4}….* step 300$/m);
});

test("evidence is shown as it was recorded, whatever stands in it", async () => {
  const box = await quickSandbox();
  const quoted = "AssertionError: expected '[… cut …]' to be '［… 省略 …］'\n[… cut …]";
  const [evaluation] = judged(1, [false]).evaluations;
  const evaluations = [{ ...evaluation, outcome: message("no_permission", {}), evidence: quoted }] as Evaluation[];
  await store(box.project, ID, { records: [summary(1), { ...judged(1, [false]), evaluations }] });

  for (const language of ["en", "ja"]) {
    const { stdout } = await box.e8(["show", ID, "--lang", language]);
    expect(stdout).toContain(quoted.replaceAll("\n", "\n      "));
  }
});

test("of a hundred iterations the matrix keeps the latest that fit, and says so", async () => {
  const box = await quickSandbox();
  const records = Array.from({ length: 100 }, (_, index) => [summary(index + 1), judged(index + 1, [false])]).flat();
  await store(box.project, ID, { records });
  const { stdout } = await box.e8(["show", ID], { env: { COLUMNS: "80" } });
  const [head = "", row = "", note = ""] = stdout.split("criteria by iteration\n")[1]?.split("\n") ?? [];
  expect(head).toMatch(/ 98 {2}99 100$/);
  expect([head.length <= 80, row.length === head.length]).toEqual([true, true]);
  expect(note).toBe(`  ${100 - (row.match(/✘/g)?.length ?? 0)} earlier iterations left out for lack of room`);
});

test("at 40 columns lines are broken between words, and no number is torn apart", async () => {
  const english = (await shownIn("40")).split("\n");
  const japanese = (await shownIn("40", "--lang", "ja")).split("\n");

  for (const line of [...english, ...japanese].filter((line) => !line.includes("/"))) // a path stays whole
    expect(displayWidth(line), line).toBeLessThanOrEqual(40);
  expect(english).toContain("iteration 1  2026-01-23 09:00:01");
  expect(english).toContain("  1 min 36 s  tokens 710  $0.75");
  expect(english).toContain("iterations: 2   tokens: 0   time: 0.0 s");
  expect(japanese).toContain("イテレーション 1  2026-01-23 09:00:01");
});

test("an agent made of steps shows what it was called with, the steps it took and where each led", async () => {
  const box = await quickSandbox();
  const flow = {
    attempts: {},
    checks: 0,
    deviations: [],
    handoff: {},
    retry_prompt: null,
    last_failure: null,
    schema_failures: 0,
  };
  await store(box.project, ID, {
    task: {
      flow: { name: "releaser", directory: ".agent/releaser", parameters: { tag: "v1", dry: true }, stdin: "" },
    },
    configuration: { criteria: [] },
    records: [
      summary(1, { flow: { step_id: "initial.plan", output: {}, text: "", deviations: [] } }),
      judged(1, [], {
        is_complete: false,
        flow: { ...flow, step_id: "initial.plan", intent: "next", next_step: "closure.release" },
      }),
      summary(2, { flow: { step_id: "closure.release", output: {}, text: "", deviations: [] } }),
      judged(2, [true], { flow: { ...flow, step_id: "closure.release", intent: "closing", next_step: null } }),
    ],
  });
  const { stdout } = await box.e8(["show", ID]);
  expect(stdout).toMatch(/^\S+ {2}interrupted {2}releaser\n {2}Raise the coverage\n {2}tag: v1\n {2}dry: true$/m);
  expect(stdout).toMatch(
    /▸ initial\.plan\n[^▸]* next → next step: closure\.release\n[^▸]*▸ closure\.release\n[^▸]* closing → the flow ended/,
  );
  expect(stdout).toMatch(/^ {2}1\. criterion 1 · ✔$/m);
});

test("what a worker or a task says does not steer the terminal", async () => {
  const box = await quickSandbox();
  const hostile = `${String.fromCharCode(27)}[2Jevil\u0007`;
  await store(box.project, ID, {
    configuration: { task: `do ${hostile}`, criteria: [{ type: "command", command: `echo ${hostile}` }] },
    records: [summary(1, { metadata: { ...metadata, files_modified: [`${hostile}.txt`] } })],
  });

  const { stdout } = await box.e8(["show", ID]);

  expect(stdout.match(/evil/g)).toHaveLength(4);
  expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
});

test("of a task that was cut off, how to go on", async () => {
  const box = await quickSandbox();
  const result = ended(ID, { status: "max_iterations", stop_reason: "max_iterations" });
  await store(box.project, ID, { records: [summary(1), judged(1, [false]), result, summary(2)] });

  const { stdout } = await box.e8(["show", ID]);

  expect(stdout).toContain("interrupted");
  expect(stdout).toMatch(new RegExp(`\\nnext: e8 run --resume ${ID}\\n$`));
  expect(stdout).not.toContain("raise the limit");
});

test("what the ledger has lost is still counted where an ending has counted it", async () => {
  const box = await quickSandbox();
  const usage = { tokens: 900, cost_usd: 1.5, seconds: 60 };
  const late = { ...spending(2), timestamp: "2026-01-23T12:00:00Z" };
  await store(box.project, ID, { records: [ended(ID, { usage }), summary(2)], spending: [late] });

  const { stdout } = await box.e8(["show", ID, "--json"]);

  const { tokens, cost_usd, seconds } = late;
  expect(JSON.parse(stdout).usage).toEqual({ tokens: 900 + tokens, cost_usd: 1.5 + cost_usd, seconds: 60 + seconds });
});
