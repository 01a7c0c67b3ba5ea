import { expect, test } from "vitest";
import type { OpenTask } from "../../../../src/connection/ports/open-task.ts";
import { HistoryMemory } from "../../../../src/connection/stores/history-memory.ts";
import { BOOKMARK_RECORDS } from "../../../../src/connection/stores/postgres/bookmarks.ts";
import { fold, folded } from "../../../../src/execution/state.ts";
import type { HistoryRecord } from "../../../../src/model/records.ts";
import { NOTHING_DONE, type RunState } from "../../../../src/model/state.ts";
import { describeWithPostgres } from "../../../support/postgres.ts";
import { madeStore } from "../../../support/postgres-store.ts";
import { configuration, judgment, summary } from "../../../support/stored.ts";

const request = { configuration: configuration(), now: new Date("2026-01-23T13:30:05.000Z") };
const SIZE = 5;

describeWithPostgres("bookmarks of long histories in PostgreSQL", (postgres) => {
  test("the next run reads only what follows the last one, and knows the same", async () => {
    const { store } = await madeStore(postgres().schema());
    const id = await store.create(request);
    const task = await store.open(id);
    const records = history(3 * BOOKMARK_RECORDS);
    await written(task, records.slice(0, 250));
    await task.release();

    const next = await store.open(id);
    const state = await written(next, records.slice(250), await known(next));
    expect(state).toEqual(foldedAlone(records));
    expect(await next.history.context(SIZE)).toEqual(contextAlone(records));
    await next.release();

    const last = await store.open(id);
    expect(await readBy(last)).toBeLessThanOrEqual(BOOKMARK_RECORDS + 2);
    expect(await known(last)).toEqual(foldedAlone(records));
    expect(await last.history.context(SIZE)).toEqual(contextAlone(records));
    expect(await last.history.context(30)).toEqual(contextAlone(records, 30)); // larger than what is kept
    await last.release();
  });

  test("one of another version of the program is not read, and replaced", async () => {
    const { store, database } = await madeStore(postgres().schema());
    const id = await store.create(request);
    const task = await store.open(id);
    const records = history(2 * BOOKMARK_RECORDS);
    const state = await written(task, records);
    await task.release();
    await database.ask("update e8.bookmark set made_by = '0.0.1', doc = '{}'");

    const next = await store.open(id);
    expect(await readBy(next)).toBe(records.length);
    expect(await known(next)).toEqual(state);
    expect(await next.history.context(SIZE)).toEqual(contextAlone(records));
    await written(next, [summary(1000)], state);
    await next.release();

    const last = await store.open(id);
    expect(await readBy(last)).toBe(0);
    await last.release();
  });

  test("a run that was replaced sets none", async () => {
    const { store, database } = await madeStore(postgres().schema());
    const task = await store.open(await store.create(request));
    await written(task, history(BOOKMARK_RECORDS));
    await database.ask("update e8.task set fence = 'another'");
    await task.history.mark?.(() => NOTHING_DONE);
    expect(await database.ask("select 1 from e8.bookmark")).toEqual([]);
    await task.release();
  });
});

/** Summaries and judgments of many iterations, which fail in many ways. */
function history(length: number): HistoryRecord[] {
  const unmet = {
    id: 1,
    criterion: "it works",
    is_met: false,
    evidence: "no",
    confidence: 1,
    source: "command",
  } as const;
  return Array.from({ length }, (_, index) => {
    const iteration = Math.floor(index / 2) + 1;
    if (index % 2 === 1) return judgment(iteration, iteration % 7 === 0 ? [unmet] : []);
    return summary(iteration, {
      ...(iteration % 3 === 0 && { result: "failure" }),
      artifacts: [`file ${iteration % 9}`],
    });
  });
}

/** As a run writes them. */
async function written({ history: book }: OpenTask, records: readonly HistoryRecord[], from = NOTHING_DONE) {
  await book.context(SIZE);
  let state: RunState = from;
  for (const record of records) {
    await book.append(record);
    state = fold(state, record);
    const now = state;
    if (record.type === "summary") await book.mark?.(() => now);
  }
  return state;
}

async function known({ history: book }: OpenTask): Promise<RunState> {
  return folded(await book.recall());
}

async function readBy({ history: book }: OpenTask): Promise<number> {
  const { records } = await book.recall();
  let count = 0;
  for await (const _ of records) count += 1;
  return count;
}

function foldedAlone(records: readonly HistoryRecord[]): RunState {
  return records.reduce(fold, NOTHING_DONE);
}

function contextAlone(records: readonly HistoryRecord[], size = SIZE) {
  const memory = new HistoryMemory(Math.max(20, size));
  for (const record of records) memory.add(record);
  return memory.context(size);
}
