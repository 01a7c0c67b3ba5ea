import { expect, test } from "vitest";
import { type QueryReader, queryTasks } from "../../../src/connection/queries/query-tasks.ts";
import { message } from "../../../src/model/message.ts";
import type { EffectRecord } from "../../../src/model/records.ts";
import { ended, judged, store } from "../../cli/support.ts";
import { summary } from "../../support/stored.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const ID = "2026-01-23T10-00-00";
const FACT = message("directory_missing", { path: "/a \u001b[31m" });
const endedWith = (more: Parameters<typeof ended>[1]) => ended(ID, { status: "error", stop_reason: "error", ...more });

async function ask(project: string, sql: string, reader: Partial<QueryReader> = {}): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  const read: QueryReader["read"] = async ({ batches }) => {
    for await (const batch of batches) rows.push(...batch);
  };
  await queryTasks(project, sql, { read, report: () => {}, ...reader });
  return rows;
}

test("facts in records are JSON, also inside evaluations", async () => {
  const project = await temporaryDirectory();
  const judgment = judged(1, [false, true]);
  const evaluations = judgment.evaluations.map((one, index) => (index === 0 ? { ...one, outcome: FACT } : one));
  const records = [summary(1, { failure: FACT }), { ...judgment, evaluations, reasons: [FACT, FACT] }];
  await store(project, ID, { records });

  expect(await ask(project, "select failure, reasons, evaluations from history")).toMatchObject([
    [FACT, null, null],
    [null, [FACT, FACT], [{ outcome: FACT }, { outcome: null }]],
  ]);
  expect(await ask(project, "select failure ->> '$.code' from history where failure is not null")).toEqual([
    ["directory_missing"],
  ]);
});

test("an effect is a row with its key and stage, and does not change how the task ended", async () => {
  const project = await temporaryDirectory();
  const effect = (stage: EffectRecord["stage"]): EffectRecord => {
    return { type: "effect", key: "issue/12/close", stage, what: "close", timestamp: "2026-01-23T10:30:00Z" };
  };
  await store(project, ID, { records: [summary(1), judged(1, [true]), effect("begun"), effect("done"), ended(ID)] });

  expect(await ask(project, "select type, effect_key, stage from history where type = 'effect'")).toEqual([
    ["effect", "issue/12/close", "begun"],
    ["effect", "issue/12/close", "done"],
  ]);
  expect(await ask(project, "select status, iterations, criteria_met from tasks")).toEqual([["completed", 1, 1]]);
});

test("a summary names its raw log, where one is kept", async () => {
  const project = await temporaryDirectory();
  const raw_log_path = `.e8/tasks/${ID}/logs/iteration-002.jsonl`;
  await store(project, ID, { records: [summary(1), { ...summary(2), raw_log_path }] });

  expect(await ask(project, "select iteration, raw_log_path from history")).toEqual([
    [1, null],
    [2, raw_log_path],
  ]);
});

test("an error without a stored message is described by its code and details; a stored message stays", async () => {
  const project = await temporaryDirectory();
  const records = [
    endedWith({ error_code: "billing", error_message: "The account cannot pay." }),
    summary(1),
    endedWith({ error_code: "disk_full", error_details: { path: "/a", problem: FACT } }),
    endedWith({ error_code: "later" }),
    endedWith({ status: "cancelled" }),
  ];
  await store(project, ID, { records });
  const sql = "select type, error_code, error_message from history";

  const described = await ask(project, sql, { describeError: (code, details) => `${code} at ${details?.path}` });

  expect(described).toEqual([
    ["final_result", "billing", "The account cannot pay."],
    ["summary", null, null],
    ["final_result", "disk_full", "disk_full at /a"],
    ["final_result", "later", "later at undefined"],
    ["final_result", null, null],
  ]);
  expect((await ask(project, sql)).map(([, , text]) => text)).toEqual([
    "The account cannot pay.",
    null,
    `disk_full ${JSON.stringify({ path: "/a", problem: FACT })}`,
    "later",
    null,
  ]);
});
