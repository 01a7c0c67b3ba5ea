import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { History, KnowledgeBase } from "../../src/compose/memory.ts";
import { summary } from "../support/stored.ts";
import { temporaryDirectory } from "../support/temporary.ts";

describe("History", () => {
  test("gives the latest summaries as context, and every earlier failure", () => {
    const history = new History();
    for (const iteration of [1, 2, 3, 4, 5, 6, 7])
      history.addSummary(summary(iteration, { result: iteration === 1 ? "failure" : "success" }));

    const { latest, failures } = history.context();

    expect(latest.map(({ iteration }) => iteration)).toEqual([3, 4, 5, 6, 7]);
    expect(failures).toMatchObject([{ first_iteration: 1, count: 1 }]);
    expect(history.context(2).latest).toHaveLength(2);
  });

  test("persists what was added, once, and another one loads it", async () => {
    const path = join(await temporaryDirectory(), "sub", "history.jsonl");
    const history = new History(path);
    history.addSummary(summary(1));
    await history.persist();
    history.addSummary(summary(2));
    await history.persist();
    await history.persist();
    await appendFile(path, "no record\n");

    const other = new History(path);
    await other.load();

    expect((await readFile(path, "utf8")).trim().split("\n")).toHaveLength(3);
    expect(other.summaries).toEqual([summary(1), summary(2)]);
    expect(other.records).toEqual(history.records);
  });

  test("refuses what is no summary", () => {
    expect(() => new History().addSummary({ ...summary(1), iteration: 0 })).toThrow();
  });

  test("without a file, or with one that is not there yet, is empty", async () => {
    for (const history of [new History(), new History(join(await temporaryDirectory(), "none.jsonl"))]) {
      await history.load();
      expect(history.records).toEqual([]);
    }
  });
});

describe("KnowledgeBase", () => {
  const database = { type: "constraint", category: "testing", content: "The tests need a database" } as const;
  const names = { type: "pattern", category: "naming", content: "Files are nouns", confidence: "high" } as const;

  test("keeps what is added, and finds it by kind and by task", async () => {
    const path = join(await temporaryDirectory(), "knowledge.jsonl");
    const knowledge = new KnowledgeBase(path);

    const added = await knowledge.add(database);
    await knowledge.add({ ...names, source_task: "Rename the files" });
    await knowledge.add({ ...database, content: "the tests need a database." });

    const contents = async (found: Promise<{ content: string }[]>) => (await found).map(({ content }) => content);
    expect(added).toMatchObject({ confidence: "medium", applied_count: 0, source_task: "program" });
    expect(await contents(new KnowledgeBase(path).query())).toEqual([names.content, database.content]);
    expect(await contents(knowledge.query({ type: "constraint" }))).toEqual([database.content]);
    expect(await contents(knowledge.query({ category: "naming" }))).toEqual([names.content]);
    expect(await contents(knowledge.query({ minimum_confidence: "high" }))).toEqual([names.content]);
    expect(await contents(knowledge.relevant("mend the database tests", 1))).toEqual([database.content]);
  });
});
