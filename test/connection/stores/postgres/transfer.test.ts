import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { databaseStore } from "../../../../src/compose/database-store.ts";
import { keepIn } from "../../../../src/compose/store.ts";
import { exportTasks, importTasks } from "../../../../src/compose/transfer.ts";
import type { TaskStore } from "../../../../src/connection/ports/task-store.ts";
import type { TaskTransfer } from "../../../../src/connection/ports/task-transfer.ts";
import { fileStore } from "../../../../src/connection/stores/files/file-store.ts";
import { filesTransfer } from "../../../../src/connection/stores/files/transfer.ts";
import { Listener } from "../../../../src/connection/stores/postgres/listener.ts";
import { postgresStore } from "../../../../src/connection/stores/postgres/postgres-store.ts";
import { submit } from "../../../../src/connection/stores/postgres/submissions.ts";
import { postgresTransfer } from "../../../../src/connection/stores/postgres/transfer.ts";
import { describeWithPostgres } from "../../../support/postgres.ts";
import { madeStore } from "../../../support/postgres-store.ts";
import { all, configuration, finalResult, judgment, knowledge, spending, summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const project = "example.com/team/project";

describeWithPostgres("tasks on their way between files and PostgreSQL", (postgres) => {
  test("come back from the database to the byte, with all that belongs to them", async () => {
    const [here, there] = [await filesAt(), await filesAt()];
    const id = await workedTask(here.store);
    const database = await databaseAt(postgres().schema());
    const packed = await here.transfer.pack(id);

    await database.transfer.unpack(packed);
    const between = await database.transfer.pack(id);
    await there.transfer.unpack(between);

    expect(between).toEqual(packed);
    expect(await there.transfer.pack(id)).toEqual({ ...packed, task: expect.any(String) });
    for (const file of [
      "history.jsonl",
      "knowledge.jsonl",
      "spending.jsonl",
      "events.jsonl",
      "output.md",
      "outputs/001.md",
    ])
      expect(await recordOf(there, id, file), file).toBe(await recordOf(here, id, file));
    for (const end of [here, database, there]) {
      const { task, location, folder, ...past } = await end.store.past(id);
      const first = await here.store.past(id);
      expect({ ...past, last_active: "" }).toMatchObject({
        ...{ records: first.records, spending: first.spending, notes: first.notes, status: first.status },
        ...{ spent: first.spent, iterations: first.iterations, criteria_met: first.criteria_met },
      });
      expect(await all(end.store.events(id))).toEqual(await all(here.store.events(id)));
      expect(await all(end.store.rawLog(id, { follow: false, report: () => {} }))).toHaveLength(2);
    }
  });

  test("come back from files to the database, and go on there as if they had never left", async () => {
    const database = await databaseAt(postgres().schema());
    const id = await workedTask(database.store);
    const [overview] = await database.store.overviews();
    const packed = await database.transfer.pack(id);
    const files = await filesAt();
    await files.transfer.unpack(packed);
    await database.store.remove(id);
    await database.transfer.unpack(await files.transfer.pack(id));

    expect({ ...(await database.transfer.pack(id)), task: "" }).toEqual({ ...packed, task: "" });
    const [after] = await database.store.overviews();
    expect({ ...after, last_active: "" }).toEqual({ ...overview, last_active: "" });
    const task = await database.store.open(id);
    await task.history.append(summary(3));
    expect(await task.events.append({ type: "text", role: "executor", text: "x" })).toMatchObject({ seq: 3 });
    await task.release();
    expect((await database.store.past(id)).records).toHaveLength(packed.history.length + 1);
  });

  test("keep how they were given to a fleet, there and back", async () => {
    const { store, database, directory } = await madeStore(postgres().schema());
    const transfer = postgresTransfer({ database, directory, project });
    const files = await filesAt();
    const given = { labels: ["gpu"], priority: "high", rank: 7, submitted_at: "2026-01-23T13:30:06.000Z" };
    const ids: string[] = [];
    for (const second of [1, 2]) {
      const now = new Date(Date.UTC(2026, 0, 23, 13, 30, second));
      const task_id = await store.create({ configuration: configuration(), now });
      await submit(database, { task_id, ...given });
      ids.push(task_id);
    }
    const [waiting = "", withdrawn = ""] = ids;
    await store.cancel(withdrawn);

    const packed = [await transfer.pack(waiting), await transfer.pack(withdrawn)];
    for (const one of packed) await files.transfer.unpack(one);
    for (const id of ids) await store.remove(id);
    expect(await statusesIn(files.store)).toEqual(["interrupted", "cancelled"]);
    for (const id of ids) await transfer.unpack(await files.transfer.pack(id));

    expect(packed.map(({ submission }) => submission)).toMatchObject([given, given]);
    expect(await statusesIn(store)).toEqual(["queued", "cancelled"]);
    for (const { task_id, submission } of packed) expect((await transfer.pack(task_id)).submission).toEqual(submission);
    const task = await files.store.open(withdrawn);
    await task.history.append(finalResult(withdrawn));
    await task.release();
    expect(await statusesIn(files.store)).toEqual(["interrupted", "completed"]);
  });

  test("keep what hidden checks are and say out of the project's files", async () => {
    const criteria = [{ type: "command" as const, command: "test secret", hidden: true, description: "works" }];
    const here = await filesAt();
    const id = await here.store.create({
      configuration: configuration({ criteria }),
      now: new Date("2026-01-23T13:30:05Z"),
    });
    const task = await here.store.open(id);
    const seen = {
      id: 1,
      criterion: "works",
      is_met: false,
      evidence: "the secret",
      confidence: 1,
      source: "command" as const,
    };
    await task.history.append(summary(1));
    await task.history.append(judgment(1, [seen]));
    await task.release();

    const database = await databaseAt(postgres().schema());
    await database.transfer.unpack(await here.transfer.pack(id));
    expect((await database.store.past(id)).records[1]).toMatchObject({ evaluations: [{ evidence: "the secret" }] });
    const there = await filesAt();
    await there.transfer.unpack(await database.transfer.pack(id));

    const past = await there.store.past(id);
    expect(past.records[1]).toMatchObject({ evaluations: [{ evidence: "the secret" }] });
    expect(past.task.configuration.criteria).toMatchObject([{ command: "test secret" }]);
    for (const file of ["task.json", "history.jsonl"]) expect(await recordOf(there, id, file)).not.toContain("secret");
  });

  test("are refused where their id is taken, and while a run holds them; nothing is left behind", async () => {
    const [here, database] = [await filesAt(), await databaseAt(postgres().schema())];
    const id = await workedTask(here.store);
    const packed = await here.transfer.pack(id);
    await expect(here.transfer.unpack(packed)).rejects.toMatchObject({ code: "task_exists", details: { id } });
    await database.transfer.unpack(packed);
    await expect(database.transfer.unpack(packed)).rejects.toMatchObject({ code: "task_exists", details: { id } });
    const broken = { ...packed, task_id: `${id}-7`, history: ["{"] };
    await expect(database.transfer.unpack(broken)).rejects.toThrow();
    expect(await database.store.list()).toEqual([id]);
    for (const end of [here, database]) {
      const task = await end.store.open(id);
      await expect(end.transfer.pack(id)).rejects.toMatchObject({ code: "task_is_running" });
      await task.release();
    }
    const there = await filesAt();
    await expect(there.transfer.unpack({ ...packed, notes: ["not json"] })).rejects.toThrow();
    expect(existsSync(join(there.directory, ".e8"))).toBe(false);
  });

  test("a move removes nothing that is not where it goes", async () => {
    const here = await filesAt();
    const id = await workedTask(here.store);
    const { database } = await madeStore(postgres().schema());
    const part = { database, directory: here.directory, project, listener: new Listener(database) };
    keepIn(here.directory, databaseStore(part));
    onTestFinished(() => keepIn(here.directory, undefined));
    const request = { project: here.directory, ids: [id] };
    expect(await all(importTasks({ ...request, move: false }))).toEqual([{ task_id: id, is_new: true }]);
    await here.store.tell(id, "a later note", new Date("2026-01-24T13:30:05.000Z"));

    const stays = [{ task_id: id, error: expect.objectContaining({ code: "task_exists" }) }];
    expect(await all(importTasks({ ...request, move: true }))).toEqual(stays);

    expect((await here.store.past(id)).notes).toHaveLength(2);
    await postgresStore(part).tell(id, "a later note", new Date("2026-01-24T13:30:05.000Z"));
    expect(await all(exportTasks({ ...request, move: true }))).toEqual(stays);
    await here.store.remove(id);
    expect(await all(exportTasks({ ...request, move: false }))).toEqual([{ task_id: id, is_new: true }]);
    expect(await all(exportTasks({ ...request, move: true }))).toEqual([{ task_id: id, is_new: false }]);
    expect(await postgresStore(part).list()).toEqual([]);
  });

  test("the project's knowledge comes across to the byte", async () => {
    const [here, database, there] = [await filesAt(), await databaseAt(postgres().schema()), await filesAt()];
    for (const content of ["one", "二つ"]) await here.store.addKnowledge(knowledge(content), new Date());
    await database.transfer.addShared(await here.transfer.sharedKnowledge());
    await there.transfer.addShared(await database.transfer.sharedKnowledge());
    const text = (directory: string) => readFile(join(directory, ".e8/knowledge.jsonl"), "utf8");
    expect(await text(there.directory)).toBe(await text(here.directory));
  });
});

async function statusesIn(store: TaskStore): Promise<string[]> {
  return (await store.overviews()).map((one) => ("status" in one ? one.status : "unreadable"));
}

interface End {
  store: TaskStore;
  transfer: TaskTransfer;
  directory: string;
}

async function filesAt(): Promise<End> {
  const directory = await temporaryDirectory();
  return { store: fileStore(directory), transfer: filesTransfer(directory), directory };
}

async function databaseAt(url: string): Promise<End> {
  const { store, database, directory } = await madeStore(url);
  return { store, transfer: postgresTransfer({ database, directory, project }), directory };
}

function recordOf({ directory }: End, id: string, file: string): Promise<string> {
  return readFile(join(directory, ".e8/tasks", id, file), "utf8");
}

async function workedTask(store: TaskStore): Promise<string> {
  const logging = { raw_log: true, raw_log_dir: null };
  const now = new Date("2026-01-23T13:30:05.000Z");
  const id = await store.create({ configuration: configuration({ logging }), now });
  const task = await store.open(id);
  for (const iteration of [1, 2]) {
    await task.history.append(summary(iteration, { reason: `理由 ${iteration} "\\n" \u2028` }));
    await task.ledger.append({ ...spending(iteration), cost_usd: 0.1 + iteration / 3 });
    await task.rawLog(iteration, "executor", `{"line":${iteration}} a\0b \\0 é`);
    await (await task.saveOutput({ iteration, text: `# ${iteration}\n\0a\0 \\x00`, is_handed_in: iteration === 2 }))
      .stored;
  }
  await task.history.append(finalResult(id));
  await task.knowledge.add([knowledge("learned")]);
  for (const text of ["one", "two"]) await task.events.append({ type: "text", role: "executor", text });
  await task.release();
  await store.tell(id, "a note", now);
  return id;
}
