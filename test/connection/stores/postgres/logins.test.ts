import { execFileSync } from "node:child_process";
import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { expect, test, vi } from "vitest";
import { readAddress } from "../../../../src/connection/stores/postgres/address.ts";
import { Database } from "../../../../src/connection/stores/postgres/database.ts";
import { describeWithPostgres } from "../../../support/postgres.ts";
import { madeStore } from "../../../support/postgres-store.ts";
import { summary } from "../../../support/stored.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { asRole, hasOpenssl, isGiven, type Postgres, patiently, rawAs, request, text } from "./database-support.ts";

describeWithPostgres("logins of a database of tasks", (postgres) => {
  test("a reader only reads, a submitter gives tasks and asks, a worker records: none does the others' work", async () => {
    const made = await madeStore(postgres().schema());
    const [reader, submitter, worker] = await Promise.all(
      ["reader", "submitter", "worker"].map((role) => asRole(postgres(), made.url, role)),
    );
    const id = (await submitter?.create(request)) ?? "";
    await submitter?.tell(id, "a note", request.now);
    const task = await worker?.open(id);
    await task?.history.append(summary(1));
    await task?.events.append(text("said"));
    const stopped = new Promise<void>((resolve) => {
      task?.cancelled.addEventListener("abort", () => resolve());
    }).then(() => task?.release());
    expect(await submitter?.cancel(id)).toBe(true);
    await stopped;

    expect((await reader?.past(id))?.records).toEqual([summary(1)]);
    const refused = [
      () => reader?.create(request),
      () => reader?.tell(id, "x", request.now),
      () => reader?.remove(id),
      () => reader?.open(id),
      () => submitter?.open(id),
      () => worker?.create(request),
      () => worker?.remove(id),
    ];
    for (const act of refused) await expect(act()).rejects.toMatchObject({ code: "store_forbidden" });
    const forged = ["insert into e8.record (task_id, seq, type, at, doc) values ($1, 2, 'summary', '', '{}')"];
    for (const sql of [...forged, "update e8.task set records = 0 where task_id = $1"])
      await expect(rawAs(made.database, "submitter", sql, id)).rejects.toMatchObject({ code: "store_forbidden" });
    const later = "create table e8.mine (x integer)";
    await expect(rawAs(made.database, "worker", later)).rejects.toMatchObject({ code: "store_forbidden" });
  });

  test.skipIf(isGiven || !hasOpenssl)(
    "a connection is encrypted, and its certificate checked, as the URL says",
    async () => {
      const [found] = await postgres().ask("select current_setting('data_directory') as data");
      await withCertificate(postgres(), String(found?.data));
      const plain = postgres().schema();
      const root = `sslrootcert=${encodeURIComponent(join(String(found?.data), "server.crt"))}`;
      const encrypted = async (mode: string) => {
        const database = new Database(readAddress(`${plain}&${mode}`));
        const rows = await database
          .ask("select ssl from pg_stat_ssl where pid = pg_backend_pid()")
          .catch((error) => error);
        await database.close();
        return Array.isArray(rows) ? rows[0]?.ssl : rows.code;
      };
      expect(await encrypted("sslmode=disable")).toBe(false);
      expect(await encrypted("sslmode=require")).toBe(true);
      expect(await encrypted(`sslmode=verify-ca&${root}`)).toBe(true);
      expect(await encrypted("sslmode=verify-full")).toBe("store_unreachable"); // nobody vouches for it
      expect(await encrypted(`sslmode=verify-full&${root}`)).toBe("store_unreachable"); // of another name
      const [cert, key] = ["server.crt", "server.key"].map((name) =>
        encodeURIComponent(join(String(found?.data), name)),
      );
      const own = new Database(readAddress(`${plain}&sslmode=require&sslcert=${cert}&sslkey=${key}`));
      const known = await own.ask("select client_dn from pg_stat_ssl where pid = pg_backend_pid()");
      await own.close();
      expect(known).toEqual([{ client_dn: "/CN=db.example" }]);
    },
  );

  test("a password is in nothing that is stored or said", async () => {
    const url = new URL(postgres().schema());
    url.password = "hunter2-and-more";
    const { store, database } = await madeStore(url.href);
    const task = await store.open(await store.create(request));
    await task.history.append(summary(1));
    await task.events.append({ ...text("x") });
    await task.release();
    const past = await store.past(task.task.task_id);
    const dump = await database.ask("select * from e8.task, e8.record, e8.event");
    expect(JSON.stringify([past, dump, task.location, task.token, task.history_path])).not.toContain("hunter2");
    url.port = "1";
    const away = new Database(readAddress(url.href));
    const error = await away.ask("select 1").catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "store_unreachable" });
    expect(JSON.stringify(error) + String(error) + String(error.cause)).not.toContain("hunter2");
  });
});

async function withCertificate(server: Postgres, data: string): Promise<void> {
  const place = await temporaryDirectory();
  const words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=db.example -keyout key -out crt".split(" ");
  execFileSync("openssl", words, { cwd: place, stdio: "ignore" });
  for (const [from, to] of [
    ["key", "server.key"],
    ["crt", "server.crt"],
  ] as const) {
    const { readFile } = await import("node:fs/promises");
    await writeFile(join(data, to), await readFile(join(place, from)), { mode: 0o600 });
    if (process.getuid?.() === 0) await chown(join(data, to), 65_534, 65_534);
  }
  await server.ask("alter system set ssl_ca_file = 'server.crt'");
  await server.ask("alter system set ssl = on");
  await server.ask("select pg_reload_conf()");
  await vi.waitFor(async () => expect(await server.ask("show ssl")).toEqual([{ ssl: "on" }]), patiently);
}
