import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { KnowledgeBase } from "../../../../src/connection/ports/open-task.ts";
import { openKnowledge } from "../../../../src/connection/stores/files/knowledge.ts";
import { appendShared } from "../../../../src/connection/stores/files/shared-file.ts";
import { Knowledge } from "../../../../src/model/roles.ts";
import { knowledge, noticeBoard } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const silent = () => {};

async function openNew() {
  const directory = await temporaryDirectory();
  const path = join(directory, "knowledge.jsonl");
  const base = await openKnowledge(path, { project: `${path}.project`, report: silent });
  onTestFinished(() => base.close());
  return { path, base };
}

async function openWithShared() {
  const directory = await temporaryDirectory();
  const [path, shared] = [join(directory, "own.jsonl"), join(directory, ".e8", "knowledge.jsonl")];
  const base = await openKnowledge(path, { shared, project: shared, report: silent });
  onTestFinished(() => base.close());
  return { path, shared, base };
}

async function linesOf(path: string): Promise<Knowledge[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => Knowledge.parse(JSON.parse(line)));
}

const contents = (entries: Knowledge[]) => entries.map(({ content }) => content);

/** All of it: nothing has more to do with an empty text than anything else. */
const known = (base: KnowledgeBase) => base.relevant("", 100);

test("an added entry is known at once and after a resume", async () => {
  const { path, base } = await openNew();
  await base.add([knowledge("tests live in test/"), knowledge("型エラーは依存関係の更新で直る")]);
  expect(await known(base)).toHaveLength(2);
  await base.close();

  const resumed = await openKnowledge(path, { project: `${path}.project`, report: silent });
  expect(new Set(contents(await known(resumed)))).toEqual(
    new Set(["tests live in test/", "型エラーは依存関係の更新で直る"]),
  );
  await resumed.close();
});

test("the same thing said twice is one entry with the best of both", async () => {
  const { base } = await openNew();
  await base.add([
    knowledge("Use  AppError, always!", { created_at: "2026-01-02T00:00:00Z", applied_count: 3 }),
    knowledge("use ＡｐｐＥｒｒｏｒ always", {
      created_at: "2026-01-01T00:00:00Z",
      confidence: "high",
      example_file: "a.ts:1",
    }),
    knowledge("use AppError — always.", { created_at: "2026-01-03T00:00:00Z", confidence: "low" }),
  ]);
  expect(await known(base)).toEqual([
    knowledge("use ＡｐｐＥｒｒｏｒ always", {
      confidence: "high",
      applied_count: 3,
      created_at: "2026-01-01T00:00:00Z",
      example_file: "a.ts:1",
    }),
  ]);
});

test("entries go to the task's own file and to the project's, and are read from both as one", async () => {
  const { path, shared, base } = await openWithShared();
  await base.add([knowledge("found here")]);
  expect([await linesOf(path), await linesOf(shared)]).toEqual([[knowledge("found here")], [knowledge("found here")]]);

  await appendShared(shared, [knowledge("found elsewhere"), knowledge("Found here.", { applied_count: 7 })]);
  const all = await known(base);
  expect(new Set(contents(all))).toEqual(new Set(["found here", "found elsewhere"]));
  expect(all.find(({ content }) => content === "found here")?.applied_count).toBe(7);
});

test("a shared file that does not exist yet is empty", async () => {
  const { base } = await openWithShared();
  expect(await known(base)).toEqual([]);
  expect(await base.relevant("anything", 5)).toEqual([]);
});

test("applications are counted and written once, by flush", async () => {
  const { path, shared, base } = await openWithShared();
  const [one, two] = [knowledge("one"), knowledge("two", { applied_count: 4 })];
  await base.add([one, two]);
  base.applied([one, two]);
  base.applied([one]);
  expect((await linesOf(path)).map(({ applied_count }) => applied_count)).toEqual([0, 4]);

  await base.flush();
  await base.flush();
  const counts = new Map((await known(base)).map(({ content, applied_count }) => [content, applied_count]));
  expect(counts).toEqual(
    new Map([
      ["one", 2],
      ["two", 5],
    ]),
  );
  expect(await linesOf(path)).toHaveLength(4);
  expect(await linesOf(shared)).toHaveLength(4);
});

test("an application counts on top of what another run has counted meanwhile", async () => {
  const { shared, base } = await openWithShared();
  await base.add([knowledge("one")]);
  const [entry] = await base.relevant("one", 1);
  base.applied(entry ? [entry] : []);
  await appendShared(shared, [knowledge("one", { applied_count: 10 })]);
  await base.flush();
  expect((await known(base))[0]?.applied_count).toBe(11);
});

test("files of the Python endless8 load: extra keys, dates without a zone, no newline at the end", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "knowledge.jsonl");
  const first = {
    ...knowledge("first"),
    example_file: null,
    created_at: "2026-01-23T10:00:00.123456",
    id: 7,
    tags: ["x"],
  };
  const { confidence: _, applied_count: __, example_file: ___, ...bare } = knowledge("second");
  await writeFile(path, `${JSON.stringify(first)}\n${JSON.stringify(bare)}`);

  const { notices, report } = noticeBoard();
  const shared = path.replace("knowledge", "shared");
  const base = await openKnowledge(path, { shared, project: shared, report });
  await base.add([knowledge("third")]);
  expect(new Set(contents(await known(base)))).toEqual(new Set(["first", "second", "third"]));
  expect(new Set((await known(base)).map(({ confidence }) => confidence))).toEqual(new Set(["medium"]));
  expect(notices).toEqual([]);
  await base.close();
});

test("the most relevant entries come first, and the worthiest of the others fill up", async () => {
  const { base } = await openNew();
  await base.add([
    knowledge("logs rotate daily", { confidence: "low" }),
    knowledge("the database needs a migration", { confidence: "low" }),
    knowledge("use spaces", { confidence: "high" }),
    knowledge("use tabs", { confidence: "medium" }),
  ]);
  expect(contents(await base.relevant("Write a database migration", 3))).toEqual([
    "the database needs a migration",
    "use spaces",
    "use tabs",
  ]);
  expect(await base.relevant("Write a database migration", 0)).toEqual([]);
});
