import { expect, test, vi } from "vitest";
import type { OpenTask } from "../../src/connection/ports/open-task.ts";
import type { EventRequest, TaskStore } from "../../src/connection/ports/task-store.ts";
import type { RunEvent } from "../../src/model/events.ts";
import { all, configuration, judgment, knowledge, spending, summary } from "../support/stored.ts";

/** A store to be tried, and what only its own side can do to it. */
export interface StoreUnderTest {
  store: TaskStore;
  /** Leaves a task as a run that was killed does: its lock stays, and its process is gone. */
  abandon(task: OpenTask): Promise<void>;
}

export const now = new Date("2026-01-23T22:30:05.678+09:00");
export const ID = "2026-01-23T13-30-05";
export const request = { configuration: configuration(), now };
export const text: RunEvent = { type: "text", role: "executor", text: "hello" };

/** What every store does for a task that runs: one holder, requests to it, notes, events and how far it has come. */
export function testRunningTasks(makeStore: () => Promise<StoreUnderTest>): void {
  test("one run at a time holds a task; releasing it twice takes nothing from the next holder", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    await expect(store.open(ID)).rejects.toMatchObject({ code: "task_locked", details: { id: ID } });
    expect(await store.holder(ID)).toMatchObject({ since: expect.any(String) });
    expect((await store.past(ID)).status).toBe("running");
    await task.release();
    expect(await store.holder(ID)).toBeUndefined();

    const next = await store.open(ID);
    await task.release();
    await expect(store.open(ID)).rejects.toMatchObject({ code: "task_locked" });
    await next.release();
  });

  test("the task of a run that died is taken over, and whatever the dead run still writes is refused", async () => {
    const { store, abandon } = await makeStore();
    const dead = await store.open(await store.create(request));
    await dead.history.append(summary(1));
    await (await dead.saveOutput({ iteration: 1, text: "in time", is_handed_in: true })).stored;
    await abandon(dead);
    expect((await store.past(ID)).status).toBe("interrupted");

    const alive = await store.open(ID);
    const writes = [
      () => dead.history.append(summary(2)),
      () => dead.ledger.append(spending(2)),
      () => dead.knowledge.add([knowledge("too late")]),
      () => dead.save({ answers: [{ question: "q", answer: "a" }] }),
      () => dead.saveOutput({ iteration: 2, text: "too late", is_handed_in: true }),
      () => dead.requireHeld(),
    ];
    for (const write of writes)
      await expect(write()).rejects.toMatchObject({ code: "task_taken", details: { id: ID } });
    await dead.events.append(text);
    await dead.release();
    await alive.history.append(summary(3));
    expect(await alive.readOutput()).toBe("in time");
    await alive.release();

    const { records, spending: spent, task } = await store.past(ID);
    expect(records).toEqual([summary(1), summary(3)]);
    expect(spent).toEqual([]);
    expect(task.answers).toEqual([]);
    expect(await all(store.events(ID))).toEqual([]);
  });

  test("a request to cancel reaches the run that holds the task, and returns when it has ended", async () => {
    const { store } = await makeStore();
    await store.create(request);
    await expect(store.cancel(ID)).rejects.toMatchObject({ code: "task_not_running" });
    const task = await store.open(ID);
    const stopped = new Promise<void>((resolve) => {
      task.cancelled.addEventListener("abort", () => resolve());
    }).then(() => task.release());

    expect(await store.cancel(ID)).toBe(true);
    await stopped;
    const next = await store.open(ID);
    expect(next.cancelled.aborted).toBe(false);
    await next.release();
  });

  test("a request to pause reaches the run that holds the task, and so does the one to go on", async () => {
    const { store } = await makeStore();
    await store.create(request);
    await expect(store.pause(ID)).rejects.toMatchObject({ code: "task_not_running" });
    await expect(store.unpause(ID)).rejects.toMatchObject({ code: "task_not_running" });
    const task = await store.open(ID);
    const asked: boolean[] = [];
    task.onPauseRequest((isAsked) => {
      asked.push(isAsked);
      task.markPaused(isAsked);
    });

    expect(await store.pause(ID)).toBe(true);
    expect((await store.past(ID)).status).toBe("paused");
    expect(await store.overviews()).toMatchObject([{ status: "paused" }]);
    expect(await store.unpause(ID)).toBe(true);
    expect((await store.past(ID)).status).toBe("running");
    expect(asked).toEqual([true, false]);
    await task.release();
  });

  test("a pause ends with its run: the next run of the task is not paused, even after a kill", async () => {
    const { store, abandon } = await makeStore();
    const dead = await store.open(await store.create(request));
    dead.onPauseRequest((isAsked) => dead.markPaused(isAsked));
    expect(await store.pause(ID)).toBe(true);
    await abandon(dead);
    expect((await store.past(ID)).status).toBe("interrupted");

    const next = await store.open(ID);
    expect((await store.past(ID)).status).toBe("running");
    await next.release();
  });

  test("notes wait, oldest first, until the run has removed them; notes left at once are all there", async () => {
    const { store, abandon } = await makeStore();
    await store.create(request);
    await store.tell(ID, "まず README", now);
    await Promise.all(["a", "b", "c"].map((note) => store.tell(ID, note, new Date(now.getTime() + 1000))));
    expect((await store.past(ID)).notes).toHaveLength(4);

    const task = await store.open(ID);
    const [first, ...others] = await task.notes.waiting();
    expect(first).toMatchObject({ text: "まず README", given_at: now.toISOString() });
    expect(others.map((note) => note.text).toSorted()).toEqual(["a", "b", "c"]);
    await task.notes.remove(first?.note_id ?? "");
    await abandon(task);

    const next = await store.open(ID);
    expect(await next.notes.waiting()).toEqual(others);
    await expect(task.notes.remove(others[0]?.note_id ?? "")).rejects.toMatchObject({ code: "task_taken" });
    await next.release();
  });

  test("the past of a task says how far it has come, and so do overviews", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    const met = { ...judgment(1), evaluations: [evaluation(1, true), evaluation(2, false)] };
    for (const record of [summary(1), met]) await task.history.append(record);
    await task.ledger.append(spending(1));
    await task.release();

    const standing = { status: "interrupted", iterations: 1, criteria_met: 1, spent: { tokens: 10, cost_usd: 0.5 } };
    expect(await store.past(ID)).toMatchObject({ ...standing, records: [summary(1), met], task: { task_id: ID } });
    expect(await store.overviews()).toMatchObject([
      { ...standing, task: { task_id: ID, flow: null, configuration: { task: request.configuration.task } } },
    ]);
  });

  test("overviews can be had of some tasks: those that are there, oldest first", async () => {
    const { store } = await makeStore();
    const [first, second, third] = [ID, `${ID}-2`, `${ID}-10`];
    for (let count = 0; count < 10; count += 1) await store.create(request);

    const found = await store.overviews([third, "2026-01-01T00-00-00", second, first]);

    expect(found.map((one) => "task" in one && one.task.task_id)).toEqual([first, second, third]);
    expect(await store.overviews()).toHaveLength(10);
    expect(await store.overviews([])).toEqual([]);
  });

  test("events are numbered over all runs of a task and can be read while it runs", async () => {
    const { store } = await makeStore();
    const first = await store.open(await store.create(request));
    expect(await all(store.events(ID))).toEqual([]);
    expect(await first.events.append(text)).toMatchObject({ v: 1, task_id: ID, seq: 1, event: text });
    await first.release();

    const second = await store.open(ID);
    const followed = all(store.events(ID, { follow: true }));
    await second.history.append(summary(1));
    await second.events.append({ type: "summary", summary: summary(1) });
    await second.events.append(text);
    await second.release();

    const seen = await followed;
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(seen.map(({ event }) => event)).toEqual([text, { type: "summary", summary: summary(1) }, text]);
    expect(await all(store.events(ID))).toEqual(seen);
  });

  test("events can be read from a number on, and only those of some types", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    const phase = { type: "phase-start", phase: "execute", iteration: 1 } as const;
    for (const event of [text, phase, text, phase]) await task.events.append(event);
    await task.release();

    const seqs = async (asked: EventRequest) => (await all(store.events(ID, asked))).map(({ seq }) => seq);
    expect(await seqs({ after: 2 })).toEqual([3, 4]);
    expect(await seqs({ after: 4 })).toEqual([]);
    expect(await seqs({ types: ["phase-start"] })).toEqual([2, 4]);
    expect(await seqs({ types: ["phase-start", "text"], after: 1 })).toEqual([2, 3, 4]);
  });

  test("who watches the store hears of tasks that are made, that begin and end, and that are removed", async () => {
    const { store } = await makeStore();
    const heard = new Set<string>();
    const leave = store.watch((id) => void heard.add(id));
    store.watch(() => {})(); // another one that leaves takes nothing from those that stay
    const hears = async (id: string) => {
      await vi.waitFor(() => expect(heard).toContain(id), { timeout: 20_000, interval: 20 });
      heard.clear();
    };
    try {
      await store.create(request);
      await hears(ID);
      const task = await store.open(ID);
      await hears(ID);
      await task.release();
      await hears(ID);
      await store.remove(ID);
      await hears(ID);
    } finally {
      leave();
    }
    expect((await store.overviews(["2026-01-01T00-00-00"])).length).toBe(0);
  });

  test("a reader who leaves a running task stops following", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    const leaving = new AbortController();
    const followed = all(store.events(ID, { follow: true, signal: leaving.signal }));
    leaving.abort();
    expect(await followed).toEqual([]);
    await task.release();
  });
}

function evaluation(id: number, is_met: boolean) {
  return { id, criterion: `criterion ${id}`, is_met, evidence: "seen", confidence: 1, source: "judge" as const };
}
