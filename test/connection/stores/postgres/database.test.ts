import { expect, onTestFinished, test, vi } from "vitest";
import { readAddress } from "../../../../src/connection/stores/postgres/address.ts";
import { Database } from "../../../../src/connection/stores/postgres/database.ts";
import { migrate, requireSchema } from "../../../../src/connection/stores/postgres/migrate.ts";
import { LATEST } from "../../../../src/connection/stores/postgres/migrations.ts";
import { postgresStore } from "../../../../src/connection/stores/postgres/postgres-store.ts";
import type { EventEnvelope } from "../../../../src/model/events.ts";
import { describeWithPostgres } from "../../../support/postgres.ts";
import { madeStore, storeAt } from "../../../support/postgres-store.ts";
import { all, knowledge, spending, summary } from "../../../support/stored.ts";
import { isGiven, patiently, request, text } from "./database-support.ts";

describeWithPostgres("a database of tasks", (postgres) => {
  test("texts come back as they were; of what PostgreSQL cannot hold, SQL shows the rest", async () => {
    const { store, database } = await madeStore(postgres().schema());
    const task = await store.open(await store.create(request));
    const odd = "\u{1f600} ' \" \\ \\u0041 $1 \n\t %s \u2028 日本語";
    await task.history.append(summary(1, { reason: odd }));
    await task.history.append(summary(2, { reason: "nul \0 and \ud83d alone" }));
    await task.saveOutput({ iteration: 1, text: `${odd}\0`, is_handed_in: true });
    await task.rawLog(1, "executor", `{"x":"${odd}"}\0`);
    await task.knowledge.add([knowledge(odd)]);

    const { records } = await store.past(task.task.task_id);
    expect(records).toEqual([summary(1, { reason: odd }), summary(2, { reason: "nul  and \ufffd alone" })]);
    expect(await task.readOutput()).toBe(`${odd}\0`);
    const lines = await all(store.rawLog(task.task.task_id, { follow: false, report: () => {} }));
    expect(lines).toEqual([{ iteration: 1, role: "executor", line: `{"x":"${odd}"}\0` }]);
    expect(await database.ask("select distinct doc from e8.output")).toEqual([{ doc: odd }]);
    expect(await database.ask("select line from e8.raw_line")).toEqual([{ line: `{"x":"${odd}"}` }]);
    expect(await task.knowledge.relevant(odd, 1)).toEqual([knowledge(odd)]);
    await task.release();
  });

  test("who watches hears of a task that is made before the first look has come back", async () => {
    const { store, database, url } = await madeStore(postgres().schema({ project: "watched" }));
    await store.list();
    const other = await storeAt(url);
    const heard: string[] = [];
    const id = await database.inTransaction(async (ask) => {
      await ask("lock table e8.migration in access exclusive mode"); // the first look waits for it
      onTestFinished(other.store.watch((one) => void heard.push(one)));
      return store.create(request);
    });
    await vi.waitFor(() => expect(heard).toContain(id), patiently);
  });

  test("statements that a connection has forgotten, as behind some poolers, are sent as they are", async () => {
    const { database } = await madeStore(postgres().schema());
    const sum = "select $1::integer + 1 as sum";
    expect(await database.ask(sum, [1])).toEqual([{ sum: 2 }]);
    expect(await database.ask("select name from pg_prepared_statements")).not.toEqual([]);
    await database.ask("deallocate all");
    expect(await database.ask(sum, [2])).toEqual([{ sum: 3 }]);
    expect(await database.ask(sum, [3])).toEqual([{ sum: 4 }]);
    expect(await database.ask("select name from pg_prepared_statements")).toEqual([]);
  });

  test("the sums and numbers of a list are those of the whole records", async () => {
    const { store } = await madeStore(postgres().schema());
    const task = await store.open(await store.create(request));
    for (const iteration of [1, 2, 3]) {
      await task.history.append(summary(iteration));
      await task.ledger.append(spending(iteration));
    }
    await task.release();
    const [overview] = await store.overviews();
    const past = await store.past(task.task.task_id);
    expect(overview).toMatchObject({ iterations: 3, spent: { tokens: 30, cost_usd: 1.5, seconds: 3 } });
    expect(past).toMatchObject({ iterations: 3, spent: { tokens: 30, cost_usd: 1.5, seconds: 3 } });
  });

  test.skipIf(isGiven)(
    "a database that goes away is waited for: nothing is lost, and nothing is there twice",
    async () => {
      const { store } = await madeStore(postgres().schema());
      const id = await store.create(request);
      const task = await store.open(id);
      const seen: EventEnvelope[] = [];
      const leaving = new AbortController();
      const watching = (async () => {
        for await (const one of store.events(id, { follow: true, signal: leaving.signal })) seen.push(one);
      })();
      await task.history.append(summary(1));
      await task.events.append(text("before"));
      await vi.waitFor(() => expect(seen).toHaveLength(1), patiently); // one that only begins to watch is told that it cannot

      await postgres().stop();
      const written = Promise.all([task.history.append(summary(2)), task.ledger.append(spending(2))]);
      await task.events.append(text("meanwhile"));
      await postgres().start();
      await written;
      await task.history.append(summary(3));
      await task.events.append(text("after"));

      await vi.waitFor(() => expect(seen).toHaveLength(3), patiently);
      await task.release();
      await watching;
      expect(seen.map(({ seq, event }) => [seq, event])).toEqual([
        [1, text("before")],
        [2, text("meanwhile")],
        [3, text("after")],
      ]);
      expect(task.takeNotices().map(({ code }) => code)).toContain("store_back");
      const { records, spending: spent } = await store.past(id);
      expect(records).toEqual([summary(1), summary(2), summary(3)]);
      expect(spent).toEqual([spending(2)]);
    },
  );

  test.skipIf(isGiven)(
    "a store that was first asked while the database was away answers afterwards, and notes are waited for",
    async () => {
      const { store, directory, database, url } = await madeStore(postgres().schema());
      const id = await store.create(request);
      const task = await store.open(id);
      const late = postgresStore({
        database: new Database(readAddress(url)),
        directory,
        project: database.address.project ?? "",
      });

      const lent = database.inTransaction(async () => {
        await postgres().stop(); // nothing is asked at this moment, so only the connection itself hears of it
      });
      await expect(lent).rejects.toMatchObject({ code: "store_unreachable" });
      await expect(late.list()).rejects.toMatchObject({ code: "store_unreachable" });
      const notes = task.notes.waiting();
      await postgres().start();

      expect(await notes).toEqual([]);
      await late.list();
      await task.release();
    },
  );

  test("a task is made once, also where its row was sent twice", async () => {
    const { store, database } = await madeStore(postgres().schema());
    const ask = database.ask.bind(database);
    vi.spyOn(database, "ask").mockImplementation(async (sql, ...rest) => {
      if (sql.includes("insert into e8.task")) await ask(sql, ...rest);
      return ask(sql, ...rest);
    });

    const id = await store.create(request);

    expect(await store.list()).toEqual([id]);
  });

  test("a record after one whose writing failed is not taken for it", async () => {
    const { store, database } = await madeStore(postgres().schema());
    const id = await store.create(request);
    const task = await store.open(id);
    const ask = database.ask.bind(database);
    const spy = vi.spyOn(database, "ask").mockImplementation(async (sql, ...rest) => {
      const rows = await ask(sql, ...rest);
      if (sql.includes("insert into e8.record")) throw new Error("the answer is lost");
      return rows;
    });

    await expect(task.history.append(summary(1))).rejects.toThrow("lost");
    spy.mockRestore();
    await task.history.append(summary(2));

    await task.release();
    expect((await store.past(id)).records).toEqual([summary(1), summary(2)]);
  });

  test("a task that could not be removed is not called removed", async () => {
    const { store, database } = await madeStore(postgres().schema());
    const id = await store.create(request);
    const task = await store.open(id);
    const ask = database.ask.bind(database);
    vi.spyOn(database, "ask").mockImplementation(async (sql, ...rest) => {
      const rows = await ask(sql, ...rest);
      if (sql.includes("delete from e8.task")) await task.release();
      return rows;
    });

    await expect(store.remove(id)).rejects.toMatchObject({ code: "task_locked" });

    await store.remove(id);
    expect(await store.list()).toEqual([]);
  });

  test("a watcher whose connection is cut misses no event", async () => {
    const { store, url, database } = await madeStore(postgres().schema());
    const other = await storeAt(url);
    const id = await store.create(request);
    const task = await store.open(id);
    const seen: EventEnvelope[] = [];
    const watching = (async () => {
      for await (const one of other.store.events(id, { follow: true })) seen.push(one);
    })();
    await task.events.append(text("1"));
    await vi.waitFor(() => expect(seen).toHaveLength(1), patiently);
    const cut = "select pg_terminate_backend(pid) from pg_stat_activity where query = $1 and pid <> pg_backend_pid()";
    await postgres().ask(cut, [`listen "${database.channel}"`]);
    for (const words of ["2", "3", "4"]) await task.events.append(text(words));
    await vi.waitFor(() => expect(seen).toHaveLength(4), patiently);
    await task.release();
    await watching;
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test("the schema can be made again and by several at once; one of another version is refused", async () => {
    const url = postgres().schema();
    const databases = Array.from({ length: 3 }, () => new Database(readAddress(url)));
    const [database] = databases as [Database, ...Database[]];
    await expect(requireSchema(database)).rejects.toMatchObject({ code: "store_not_made" });
    const done = await Promise.all(databases.map(migrate));
    expect(done.map(({ before }) => before).toSorted()).toEqual([0, LATEST, LATEST]);
    await requireSchema(database);
    await database.ask("insert into e8.migration (number, name) values ($1, 'of tomorrow')", [LATEST + 1]);
    await expect(requireSchema(database)).rejects.toMatchObject({ code: "store_newer" });
    await expect(migrate(database)).rejects.toMatchObject({ code: "store_newer" });
    await database.ask("delete from e8.migration");
    await expect(requireSchema(database)).rejects.toMatchObject({ code: "store_older" });
    await database.ask(`drop schema "${database.address.schema}" cascade`);
    await Promise.all(databases.map((one) => one.close()));
  });
});
