import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withDuckDb } from "../../../src/connection/queries/duckdb.ts";
import { queryHistoryContext } from "../../../src/connection/queries/history-context.ts";
import { DIGEST_FUNCTION, DIGEST_LENGTH, shortened } from "../../../src/connection/stores/failure-groups.ts";
import { toLine } from "../../../src/connection/stores/files/json-lines.ts";
import { HistoryMemory } from "../../../src/connection/stores/history-memory.ts";
import { message } from "../../../src/model/message.ts";
import { type ExecutionSummary, HistoryRecord } from "../../../src/model/records.ts";
import { startProgram } from "../../support/program.ts";
import { finalResult, judgment, summary } from "../../support/stored.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const NOTHING = { latest: [], failures: [], failures_left_out: 0, digests_left_out: [] };
const iterations = (found: { iteration: number }[]) => found.map(({ iteration }) => iteration);

async function historyFile(...lines: (object | string)[]): Promise<string> {
  const path = join(await temporaryDirectory(), "history.jsonl");
  await writeFile(path, lines.map((line) => (typeof line === "string" ? line : toLine(line))).join(""));
  return path;
}

test("a missing file, an empty one and one without summaries have no context", async () => {
  expect(await queryHistoryContext(join(await temporaryDirectory(), "missing"), 5)).toEqual(NOTHING);
  expect(await queryHistoryContext(await historyFile(), 5)).toEqual(NOTHING);
  expect(await queryHistoryContext(await historyFile(judgment(1), finalResult("t")), 5)).toEqual(NOTHING);
});

test("the latest summaries come whole and oldest first, the failures before them grouped", async () => {
  const full = summary(4, {
    approach: "手を変える",
    reason: 'with "quotes"\nand lines',
    artifacts: ["a b.ts", "é"],
    metadata: {
      tools_used: ["Bash(npm)"],
      files_modified: ["x"],
      error_type: "crashed",
      tokens_used: 7,
      strategy_tags: [],
    },
    next: { suggested_action: "go", blockers: ["b"], partial_progress: null, pending_items: [] },
  });
  const failed = { approach: "same", reason: "same", result: "failure" } as const;
  const path = await historyFile(
    ...[summary(1, failed), judgment(1), summary(2, { ...failed, result: "error" }), judgment(2), summary(3)],
    ...[judgment(3), full, judgment(4), finalResult("t")],
  );
  expect(await queryHistoryContext(path, 2)).toEqual({
    latest: [summary(3), full],
    failures: [{ approach: "same", reason: "same", count: 2, first_iteration: 1, last_iteration: 2 }],
    failures_left_out: 0,
    digests_left_out: [],
  });
});

test("failures with the same texts are one group only when their facts are the same, too", async () => {
  const fact = (path: string) => ({ failure: message("directory_missing", { path }) });
  const failed = { approach: "same", reason: "", result: "error" } as const;
  const path = await historyFile(
    ...[summary(1, failed), summary(2, { ...failed, ...fact("/a") }), summary(3, { ...failed, ...fact("/b") })],
    ...[summary(4, { ...failed, ...fact("/a") }), summary(5, { ...failed, ...fact("/c"), is_cut: true })],
  );
  const { latest, failures } = await queryHistoryContext(path, 1);

  expect(latest).toEqual([summary(5, { ...failed, ...fact("/c"), is_cut: true })]);
  const common = { approach: "same", reason: "" };
  expect(failures).toEqual([
    { ...common, count: 1, first_iteration: 1, last_iteration: 1 },
    { ...common, ...fact("/a"), count: 2, first_iteration: 2, last_iteration: 4 },
    { ...common, ...fact("/b"), count: 1, first_iteration: 3, last_iteration: 3 },
  ]);
});

test("a success that was refuted is among the failures, with what refuted it", async () => {
  const unmet = { id: 2, criterion: "tests pass", is_met: false, evidence: "1 failed", confidence: 1 };
  const refuted_by = [{ ...unmet, source: "command" as const }];
  const same = { approach: "same", reason: "same" };
  const path = await historyFile(
    ...[summary(1, same), judgment(1, refuted_by), summary(2, same), judgment(2, [{ ...unmet, is_met: true }])],
    ...[summary(3, same), judgment(3, refuted_by), summary(4), judgment(4, [{ ...unmet, source: "nobody" }])],
    ...[summary(5), judgment(5, refuted_by)],
  );
  expect(await queryHistoryContext(path, 1)).toEqual({
    latest: [{ ...summary(5), refuted_by }],
    failures: [{ ...same, refuted_by, count: 2, first_iteration: 1, last_iteration: 3 }],
    failures_left_out: 0,
    digests_left_out: [],
  });
});

test("the digest of a failure is made of its texts and its facts as JSON", async () => {
  const path = '\u001b[31m \u000b\u000f\u001f \b " \\ é 日本 '.repeat(12);
  const failures = Array.from({ length: 61 }, (_, index) =>
    summary(index + 1, { result: "error", reason: `${index}`, failure: message("directory_missing", { path }) }),
  );
  const { digests_left_out } = await queryHistoryContext(await historyFile(...failures, summary(62)), 1);

  const { approach, reason, failure } = failures[15] as ExecutionSummary;
  const text = [approach, reason, shortened(JSON.stringify(failure))].join("\u001f");
  expect(digests_left_out).toEqual([createHash(DIGEST_FUNCTION).update(text).digest("hex").slice(0, DIGEST_LENGTH)]);
});

test("torn, broken and foreign lines hide no good record", async () => {
  const path = await historyFile(
    summary(1, { result: "failure" }),
    "{ broken\n",
    '"just a text"\n',
    "[1, 2]\n",
    "\0\0\0\n",
    "\n",
    '{"type":"summary","iteration":"no number","approach":"a","reason":"r","result":"failure","timestamp":"t"}\n',
    '{"type":"summary","iteration":2,"approach":"a","reason":"r","result":"perhaps","timestamp":"t"}\n',
    '{"type":"summary","iteration":3}\n',
    '{"type":"from the future","iteration":9}\n',
    '{"type":"judgment","iteration":4,"is_complete":false,"overall_reason":"","evaluations":"no list","timestamp":"t"}\n',
    '{"type":"judgment","iteration":4,"is_complete":false,"overall_reason":"","evaluations":[7],"timestamp":"t"}\n',
    summary(4),
    toLine(summary(5)).slice(0, 60),
  );
  const { latest, failures } = await queryHistoryContext(path, 1);
  expect(iterations(latest)).toEqual([4]);
  expect(failures.map(({ first_iteration }) => first_iteration)).toEqual([1]);
});

test("a file with bytes that are not UTF-8 is still read", async () => {
  const path = await historyFile(summary(1));
  await appendFile(path, Buffer.from([0xff, 0xfe, 0x0a]));
  await appendFile(path, Buffer.from(toLine(summary(9)).replace("reason 9", "\xff"), "latin1"));
  await appendFile(path, toLine(summary(2)));
  expect(iterations((await queryHistoryContext(path, 5)).latest)).toEqual([1, 2]);
});

test("records with keys of another version are read, and missing keys get their defaults", async () => {
  const old = { type: "summary", iteration: 1, approach: "a", result: "success", reason: "r", timestamp: "t" };
  const later = { ...summary(2), mood: { good: true }, metadata: { ...summary(2).metadata, heat: 3 } };
  const path = await historyFile(old, later);
  expect((await queryHistoryContext(path, 5)).latest).toEqual([
    summary(1, { approach: "a", reason: "r", timestamp: "t" }),
    summary(2),
  ]);
});

test("a summary with foreign nested parts is skipped, but not the summaries around it", async () => {
  const path = await historyFile(
    summary(1),
    { ...summary(2), metadata: "text" },
    { ...summary(3), artifacts: 3 },
    summary(4),
  );
  expect(iterations((await queryHistoryContext(path, 4)).latest)).toEqual([1, 4]);
});

test("a path is never taken for a pattern", async () => {
  const directory = await temporaryDirectory();
  const names = ["a*b", "a?b", "a[x]b", "axb", "it's", "a{b,c}", "back\\slash", "日本 語", "[[]"];
  for (const [index, name] of names.entries()) {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, "history.jsonl"), toLine(summary(index + 1)));
  }
  for (const [index, name] of names.entries()) {
    const { latest } = await queryHistoryContext(join(directory, name, "history.jsonl"), 20);
    expect(iterations(latest), name).toEqual([index + 1]);
  }
});

test("records that another process appends during the queries are seen completely or not at all", async () => {
  const path = await historyFile();
  const writer = startProgram("append-summaries", path, "3000");
  await writer.next();
  const seen: number[] = [];
  while ((seen.at(-1) ?? 0) < 3000) {
    const { latest, failures, failures_left_out } = await queryHistoryContext(path, 5);
    const last = latest.at(-1)?.iteration ?? 0;
    expect(iterations(latest)).toEqual([4, 3, 2, 1, 0].map((back) => last - back).filter((one) => one > 0));
    expect(failures.length + failures_left_out).toBe(Math.max(0, last - 5));
    seen.push(last);
  }
  expect(seen).toEqual(seen.toSorted((left, right) => left - right));
});

test("100,000 failures give a context of the same small size", async () => {
  const text = "a".repeat(400);
  const lines = Array.from({ length: 100_000 }, (_, index) =>
    toLine({ ...summary1, iteration: index + 1, approach: `${index} ${text}`, result: "failure" }),
  );
  const path = await historyFile(...lines);
  const { latest, failures, failures_left_out, digests_left_out } = await queryHistoryContext(path, 5);

  expect(new Set(digests_left_out).size).toBe(failures_left_out);
  expect(iterations(latest)).toEqual([99_996, 99_997, 99_998, 99_999, 100_000]);
  expect(failures.map(({ first_iteration }) => first_iteration)).toEqual([
    ...Array.from({ length: 15 }, (_, index) => index + 1),
    ...Array.from({ length: 45 }, (_, index) => 99_951 + index),
  ]);
  expect(failures_left_out).toBe(99_995 - 60);
});

const summary1 = summary(1);

test("DuckDB and memory give the same answer to the same history", async () => {
  const path = await historyFile();
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 1, max: 20 }), async (records, size) => {
      await writeFile(path, records.flatMap((one) => [toLine(one), "{ noise\n"]).join(""));
      const memory = new HistoryMemory(20);
      for (const one of records) memory.add(HistoryRecord.parse(JSON.parse(toLine(one))));
      const { digests_left_out: _, ...found } = await queryHistoryContext(path, size);
      expect(found).toEqual(memory.context(size));
    }),
    { numRuns: 60 },
  );
});

const texts = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "A",
    "a ",
    "é",
    "e\u0301",
    "",
    "x".repeat(300),
    "x".repeat(301),
    "👩‍👩‍👧".repeat(61),
    "\ud83d",
  ),
  fc.string({ unit: "binary", maxLength: 320 }),
  fc.string({ unit: "grapheme", maxLength: 320 }),
);

/** Without numbers such as 1e21, which DuckDB spells differently. */
const failures = fc.option(
  fc.oneof(
    fc.record({ path: texts }).map((params) => message("directory_missing", params)),
    fc.record({ exit_code: fc.integer(), seconds: fc.nat() }).map((params) => message("command_exited", params)),
  ),
  { nil: undefined },
);

/** What a judgment says of one criterion. */
const evaluations = fc.record({
  criterion: texts,
  is_met: fc.boolean(),
  evidence: texts,
  confidence: fc.constantFrom(0, 0.5, 1),
  source: fc.constantFrom("command", "files", "judge", "judge", "nobody", undefined),
  outcome: fc.option(fc.constant(message("criterion_contradicted", {})), { nil: undefined }),
});

const histories: fc.Arbitrary<HistoryRecord[]> = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      approach: texts,
      reason: fc.oneof(texts, fc.constant("the same")),
      result: fc.constantFrom("success", "failure", "failure", "error"),
      artifacts: fc.array(texts, { maxLength: 2 }),
      failure: failures,
      tokens: fc.nat(),
      judged: fc.option(fc.array(evaluations, { maxLength: 3 })),
    }),
    { maxLength: 120, size: "max" },
  )
  .map((steps) => {
    let iteration = 0;
    return steps.flatMap(({ gap, tokens, failure, judged, ...rest }) => {
      iteration += gap;
      const metadata = { ...summary1.metadata, tokens_used: tokens };
      const numbered = judged?.map((one, index) => ({ id: index + 1, ...one }));
      return [
        summary(iteration, { ...rest, metadata, ...(failure && { failure }) }),
        ...(numbered ? [judgment(iteration, numbered)] : []),
      ];
    });
  });

test("the database installs nothing, and uses and removes temporary files when its memory is full", async () => {
  const [settings] = await ask(`select current_setting('autoinstall_known_extensions') as install,
    current_setting('memory_limit') as memory, current_setting('temp_directory') as directory`);
  expect(settings).toMatchObject({ install: false, memory: "244.1 MiB" });
  expect(String(settings?.directory).startsWith(tmpdir())).toBe(true);

  const more = "select s from (select repeat('x', 500) || range as s from range(600000)) order by s offset 599999";
  expect(await ask(more)).toHaveLength(1);
  expect([existsSync(String(settings?.directory)), existsSync(".tmp")]).toEqual([false, false]);
});

async function ask(sql: string): Promise<Record<string, unknown>[]> {
  return withDuckDb(async (connection) => (await connection.runAndReadAll(sql)).getRowObjectsJS());
}

test("a failing query is an error, and the next one works", async () => {
  await expect(withDuckDb((connection) => connection.run("select nonsense"))).rejects.toThrow();
  expect(iterations((await queryHistoryContext(await historyFile(summary(1)), 1)).latest)).toEqual([1]);
});
