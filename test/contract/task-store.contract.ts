import { expect, test } from "vitest";
import { addUsage } from "../../src/model/usage.ts";
import { all, configuration, finalResult, judgment, knowledge, spending, summary } from "../support/stored.ts";
import { ID, now, request, type StoreUnderTest, testRunningTasks } from "./running-tasks.contract.ts";

/** What every store of tasks does. */
export function testTaskStore(makeStore: () => Promise<StoreUnderTest>): void {
  testRunningTasks(makeStore);

  test("a new task gets the second of its beginning, in UTC, as its id, and can be read", async () => {
    const { store } = await makeStore();
    expect(await store.create({ ...request, script: "story.yaml" })).toBe(ID);
    expect(await store.read(ID)).toMatchObject({
      task_id: ID,
      created_at: "2026-01-23T13:30:05.678Z",
      configuration: request.configuration,
      intake: null,
      answers: [],
      flow: null,
      script: "story.yaml",
    });
  });

  test("tasks of the same second get numbers, also when they begin at once, and are listed by age", async () => {
    const { store } = await makeStore();
    expect(await store.list()).toEqual([]);
    const made = await Promise.all(Array.from({ length: 12 }, () => store.create(request)));
    const ids = [ID, ...Array.from({ length: 11 }, (_, index) => `${ID}-${index + 2}`)];
    expect(new Set(made)).toEqual(new Set(ids));
    expect(await store.list()).toEqual(ids);
  });

  test("the id of a new task is told before the task is there; where that fails, there is none", async () => {
    const { store } = await makeStore();
    const told: [string, string[]][] = [];
    const named = async (id: string) => void told.push([id, await store.list()]);
    expect(await store.create({ ...request, named })).toBe(ID);
    expect(told).toEqual([[ID, []]]);

    const refusal = new Error("no room in the list");
    const refused = store.create({ ...request, named: () => Promise.reject(refusal) });
    await expect(refused).rejects.toThrow();
    expect(await store.list()).toEqual([ID]);
  });

  test("a task that is not there is not found, and a text that is not an id is refused", async () => {
    const { store } = await makeStore();
    const calls = [
      (id: string) => store.read(id),
      (id: string) => store.open(id),
      (id: string) => store.past(id),
      (id: string) => store.holder(id),
      (id: string) => store.cancel(id),
      (id: string) => store.remove(id),
      (id: string) => store.size(id),
      (id: string) => store.pause(id),
      (id: string) => store.unpause(id),
      (id: string) => store.tell(id, "a note", now),
      (id: string) => all(store.events(id)),
      (id: string) => all(store.rawLog(id, { follow: false, report: () => {} })),
      (id: string) => store.knowledge({ task: id, report: () => {} }),
    ];
    for (const call of calls) {
      await expect(call(ID)).rejects.toMatchObject({ code: "task_not_found", details: { id: ID } });
      await expect(call("../..")).rejects.toMatchObject({ code: "task_id_invalid", details: { id: "../.." } });
    }
  });

  test("everything a run stores is there for the next one, in order", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    const effect = { type: "effect", key: "issue/1/close", stage: "done", what: "close", timestamp: "t" } as const;
    const records = [summary(1), judgment(1), effect, finalResult(ID)];
    for (const record of records) await task.history.append(record);
    for (const iteration of [1, 2]) await task.ledger.append(spending(iteration));
    await task.knowledge.add([knowledge("learned")]);
    await task.save({ answers: [{ question: "どれ?", answer: "両方" }] });
    await (await task.saveOutput({ iteration: 1, text: "# 結果\n", is_handed_in: true })).stored;
    await task.release();

    const next = await store.open(ID);
    expect(await all(next.history.records())).toEqual(records);
    expect(await next.ledger.spent(null)).toEqual(addUsage(spending(1), spending(2)));
    expect((await store.past(ID)).spending).toEqual([spending(1), spending(2)]);
    expect(await next.knowledge.relevant("learned", 5)).toEqual([knowledge("learned")]);
    expect(next.task.answers).toEqual([{ question: "どれ?", answer: "両方" }]);
    expect(await next.readOutput()).toBe("# 結果\n");
    expect(next.takeNotices()).toEqual([]);
    await next.release();
  });

  test("texts of programs are kept to the byte, with characters that no text should have", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    const odd = "a\0b\\0\u0001\u007f\r\ufffe é\u2028";
    await (await task.saveOutput({ iteration: 1, text: odd, is_handed_in: true })).stored;
    await task.rawLog(1, "executor", odd);
    expect(await task.readOutput()).toBe(odd);
    await task.release();

    const next = await store.open(ID);
    expect([await next.readOutput(), await next.readOutput(1)]).toEqual([odd, odd]);
    await next.release();
    expect(await all(store.rawLog(ID, { follow: false, report: () => {} }))).toEqual([
      { iteration: 1, role: "executor", line: odd },
    ]);
  });

  test("the text of every iteration is kept; the one that was handed in last is the task's output", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    expect(await task.readOutput()).toBe("");
    expect(await task.readOutput(1)).toBe("");
    const first = await task.saveOutput({ iteration: 1, text: "論文は三件です。", is_handed_in: true });
    const second = await task.saveOutput({ iteration: 2, text: "I will look for", is_handed_in: false });
    await Promise.all([first.stored, second.stored]);
    await task.release();

    const next = await store.open(ID);
    expect(await next.readOutput()).toBe("論文は三件です。");
    expect(await next.readOutput(1)).toBe("論文は三件です。");
    expect(await next.readOutput(2)).toBe("I will look for");
    expect(first.name).toEqual(expect.any(String));
    expect(second.name).toBeUndefined();
    expect(new Set([first.name, first.path, second.path]).size).toBe(3);
    await next.saveOutput({ iteration: 2, text: "論文は四件です。", is_handed_in: true });
    expect(await next.readOutput()).toBe("論文は四件です。");
    expect(await next.readOutput(1)).toBe("論文は三件です。");
    await next.release();
  });

  test("a worker's raw log has a name once something is in it", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    await task.rawLog(1, "summarizer", "{}");
    expect(task.rawLogPath(1)).toBeUndefined();
    await task.rawLog(1, "executor", "{}");
    expect(task.rawLogPath(1)).toEqual(expect.any(String));
    expect(task.rawLogPath(2)).toBeUndefined();
    await task.release();
  });

  test("a removed task is gone with its records; the others and the shared knowledge stay", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    await task.history.append(summary(1));
    await task.knowledge.add([knowledge("learned")]);
    await task.release();
    const other = await store.create(request);
    const draft = { type: "lesson", category: "all", content: "shared", confidence: "high" } as const;
    await store.addKnowledge({ ...draft, example_file: null }, now);
    expect(await store.size(ID)).toBeGreaterThan(100);

    await store.remove(ID);

    expect(await store.list()).toEqual([other]);
    await expect(store.remove(ID)).rejects.toMatchObject({ code: "task_not_found" });
    const known = await store.knowledge({ report: () => {} });
    expect(known.map(({ content }) => content)).toEqual(["shared"]);
  });

  test("a running task is not removed; that of a run that died is", async () => {
    const { store, abandon } = await makeStore();
    const task = await store.open(await store.create(request));
    await expect(store.remove(ID)).rejects.toMatchObject({ code: "task_locked", details: { id: ID } });
    expect(await store.list()).toEqual([ID]);
    await abandon(task);
    await store.remove(ID);
    expect(await store.list()).toEqual([]);
    await task.release();
  });

  test("a task was last active when it was made, when a run recorded something, and when a run began", async () => {
    const { store } = await makeStore();
    await store.create(request);
    const active = async () => (await store.past(ID)).last_active;
    expect(await active()).toBe("2026-01-23T13:30:05.678Z");
    const task = await store.open(ID);
    expect(Date.parse(await active())).toBeGreaterThan(Date.parse("2026-01-24"));
    await task.history.append({ ...summary(1), timestamp: "2126-01-01T00:00:00.000Z" });
    await task.release();
    expect(await active()).toBe("2126-01-01T00:00:00.000Z");
  });

  test("the tasks whose records were copied to a file are known, the latest last", async () => {
    const { store } = await makeStore();
    const persist = "copies.jsonl";
    expect(await store.copiedTo(persist)).toEqual([]);
    const copying = { ...request, configuration: configuration({ persist }) };
    for (const id of [await store.create(copying), await store.create(copying)]) {
      const task = await store.open(id);
      await task.history.append(summary(1));
      await task.history.copy(summary(1));
      await task.release();
    }
    await store.create(request);

    expect(await store.copiedTo(persist)).toEqual([ID, `${ID}-2`]);
    await store.remove(ID);
    expect(await store.copiedTo(persist)).toEqual([`${ID}-2`]);
    expect(await store.copiedTo("another.jsonl")).toEqual([]);
  });

  test("a task reads what is added to the project's knowledge, also while it is open, and counts its use there", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    await task.knowledge.add([knowledge("learned here")]);
    await store.addKnowledge({ ...knowledge("for all"), confidence: "high" }, request.now);
    const known = await task.knowledge.relevant("", 5);
    task.knowledge.applied(known);
    await task.knowledge.flush();
    await task.release();

    expect(known.map(({ content }) => content)).toEqual(["for all", "learned here"]);
    const counts = async (of: { task?: string }) =>
      (await store.knowledge({ ...of, report: () => {} })).map(({ content, applied_count }) => [
        content,
        applied_count,
      ]);
    expect(await counts({ task: ID })).toEqual([["learned here", 1]]);
    expect(await counts({})).toEqual([
      ["for all", 1],
      ["learned here", 1],
    ]);
  });

  test("raw logs come in the order of the work, one iteration of them on demand", async () => {
    const { store } = await makeStore();
    const logged = configuration({ logging: { raw_log: true, raw_log_dir: null } });
    const task = await store.open(await store.create({ ...request, configuration: logged }));
    const lines = (iteration?: number) => all(store.rawLog(ID, { iteration, follow: false, report: () => {} }));
    await expect(lines()).rejects.toMatchObject({ code: "raw_log_empty" });
    await task.rawLog(1, "executor", "a");
    await task.rawLog(1, "judge", "b");
    await task.rawLog(2, "executor", "c");
    expect((await lines()).map(({ line }) => line)).toEqual(["a", "b", "c"]);
    expect(await lines(1)).toEqual([
      { iteration: 1, role: "executor", line: "a" },
      { iteration: 1, role: "judge", line: "b" },
    ]);
    await task.release();
    await store.create(request);
    await expect(all(store.rawLog(`${ID}-2`, { follow: false, report: () => {} }))).rejects.toMatchObject({
      code: "raw_log_off",
    });
  });

  test("knowledge is listed once for each thing, of one task or of all, by type, category and confidence", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    await task.knowledge.add([
      knowledge("old high", { confidence: "high", created_at: "2026-01-01T00:00:00Z" }),
      knowledge("low", { confidence: "low" }),
      knowledge("lesson", { type: "lesson", category: "Types" }),
    ]);
    await task.release();
    const draft = { type: "pattern", category: "testing", content: "Young  HIGH", confidence: "high" } as const;
    await store.addKnowledge({ ...draft, example_file: null }, now);
    await store.addKnowledge({ ...draft, content: "young high", example_file: null }, now);
    const listed = async (filter: object) =>
      (await store.knowledge({ report: () => {}, ...filter })).map(({ content }) => content);

    expect(await listed({})).toEqual(["Young  HIGH", "old high", "lesson", "low"]);
    expect(await listed({ task: ID })).toEqual(["old high", "lesson", "low"]);
    expect(await listed({ minimum_confidence: "medium", type: "pattern" })).toEqual(["Young  HIGH", "old high"]);
    expect(await listed({ category: "types" })).toEqual(["lesson"]);
    expect(await listed({ type: "lesson", category: "testing" })).toEqual([]);
  });

  test("applications of knowledge are counted when they are flushed", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    await task.knowledge.add([knowledge("one"), knowledge("two")]);
    task.knowledge.applied([knowledge("one")]);
    task.knowledge.applied([knowledge("one")]);
    await task.knowledge.flush();
    await task.release();
    const entries = await store.knowledge({ report: () => {} });
    expect(entries.map(({ content, applied_count }) => [content, applied_count]).toSorted()).toEqual([
      ["one", 2],
      ["two", 0],
    ]);
  });

  test("the context of a prompt has the latest summaries and every earlier failure, grouped", async () => {
    const { store } = await makeStore();
    const task = await store.open(await store.create(request));
    const failed = (iteration: number, reason: string) =>
      summary(iteration, { result: "failure", approach: "a", reason });
    for (const record of [failed(1, "x"), failed(2, "x"), failed(3, "y"), summary(4), summary(5)])
      await task.history.append(record);
    const { latest, failures } = await task.history.context(2);
    expect(latest).toEqual([summary(4), summary(5)]);
    expect(failures).toEqual([
      { approach: "a", reason: "x", count: 2, first_iteration: 1, last_iteration: 2 },
      { approach: "a", reason: "y", count: 1, first_iteration: 3, last_iteration: 3 },
    ]);
    await task.release();
  });
}

function _evaluation(id: number, is_met: boolean) {
  return { id, criterion: `criterion ${id}`, is_met, evidence: "seen", confidence: 1, source: "judge" as const };
}
