import { expect, test, vi } from "vitest";
import type { Doors } from "../../../../src/connection/ports/doors.ts";
import type { OpenTask } from "../../../../src/connection/ports/open-task.ts";
import type { Database } from "../../../../src/connection/stores/postgres/database.ts";
import { setLimit } from "../../../../src/connection/stores/postgres/fleet-limits.ts";
import { submit, withdraw } from "../../../../src/connection/stores/postgres/submissions.ts";
import type { AgentFailure } from "../../../../src/model/agent.ts";
import { describeWithPostgres } from "../../../support/postgres.ts";
import { type MadeStore, madeStore, storeAt } from "../../../support/postgres-store.ts";
import { configuration } from "../../../support/stored.ts";

const NOTHING = { at_once: null, per_day: null, in_all: null, reserve: null };
const patiently = { timeout: 60_000, interval: 50 };
const PROJECT = "example.com/team/project";
const REPOSITORY = { url: "https://git.example/app", base: "main", path: "" };

function limit(database: Database, kind: "repository" | "label" | "account" | "project", name: string, more: object) {
  return setLimit(database, { kind, name, ...NOTHING, ...more });
}

async function tasks(made: Pick<MadeStore, "store">, count: number): Promise<string[]> {
  const ids: string[] = [];
  const now = new Date("2026-01-23T10:00:00Z");
  for (let index = 0; index < count; index += 1)
    ids.push(await made.store.create({ configuration: configuration(), now, repository: REPOSITORY }));
  return ids;
}

/** Those that could be opened; the others were refused with this code. */
async function openAll(stores: readonly Pick<MadeStore, "store">[], ids: readonly string[], code: string) {
  const tried = await Promise.allSettled(ids.map((id, index) => stores[index % stores.length]?.store.open(id)));
  for (const one of tried) if (one.status === "rejected") expect(one.reason).toMatchObject({ code });
  return tried.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
}

function spend(task: OpenTask, cost_usd: number): Promise<void> {
  const timestamp = new Date().toISOString();
  return task.ledger.append({
    type: "spending",
    spender: "executor",
    iteration: 1,
    tokens: 1,
    cost_usd,
    seconds: 1,
    timestamp,
  });
}

async function entered(doors: Doors | undefined, account: string): Promise<() => Promise<void>> {
  const entry = await doors?.enter(account, new AbortController().signal);
  if (!entry || "refusal" in entry) throw new Error("nobody may ask");
  return entry.leave;
}

async function refusalBy({ doors }: OpenTask, account: string): Promise<AgentFailure | undefined> {
  const entry = await doors?.enter(account, new AbortController().signal);
  return entry && "refusal" in entry ? entry.refusal : undefined;
}

describeWithPostgres("limits in PostgreSQL", (postgres) => {
  test("so many tasks of a repository, of a label and of a project hold leases at once, whoever asks", async () => {
    const made = await madeStore(postgres().schema());
    const stores = [made, await storeAt(made.url), await storeAt(made.url)];
    const ids = await tasks(made, 12);
    await limit(made.database, "repository", REPOSITORY.url, { at_once: 3 });

    const open = await openAll(stores, ids, "fleet_limit_reached");
    expect(open).toHaveLength(3);
    await open[0]?.release();
    const free = ids.filter((id) => !open.slice(1).some(({ task }) => task.task_id === id));
    const next = await openAll(stores, free, "fleet_limit_reached");
    expect(next).toHaveLength(1);
    await Promise.all([...open, ...next].map((one) => one.release()));

    await made.database.ask("delete from e8.fleet_limit");
    await limit(made.database, "label", "gpu", { at_once: 2 });
    for (const id of ids)
      await made.database.ask(
        "insert into e8.submission (task_id, labels, priority, rank, submitted_at) values ($1, '{gpu,linux}', 'normal', 1, 'now')",
        [id],
      );
    const labelled = await openAll(stores, ids, "fleet_limit_reached");
    expect(labelled).toHaveLength(2);
    await Promise.all(labelled.map((one) => one.release()));
    await limit(made.database, "project", PROJECT, { at_once: 1 });
    expect(await openAll(stores, ids, "fleet_limit_reached")).toHaveLength(1);
  });

  test("a lapsed lease does not count", async () => {
    const made = await madeStore(postgres().schema());
    await limit(made.database, "repository", REPOSITORY.url, { at_once: 1 });
    const [one = "", two = ""] = await tasks(made, 2);
    await made.store.open(one);
    await expect(made.store.open(two)).rejects.toMatchObject({ code: "fleet_limit_reached" });
    await made.database.ask("update e8.task set lease_until = clock_timestamp() where task_id = $1", [one]);

    await made.store.open(two);
  });

  test("the place of a fleet's task whose worker died is kept for who takes it up, but not for ever", async () => {
    const made = await madeStore(postgres().schema());
    const { store, database } = made;
    await limit(database, "repository", REPOSITORY.url, { at_once: 1 });
    const [one = "", two = ""] = await tasks(made, 2);
    const given = { labels: [], priority: "", rank: 1, submitted_at: "2026-01-23T13:30:06.000Z" };
    for (const task_id of [one, two]) await submit(database, { ...given, task_id });
    const lapsed = "update e8.task set lease_until = clock_timestamp() - $2::interval where task_id = $1";
    await store.open(one, { isOfFleet: true });
    await database.ask(lapsed, [one, "1 second"]);

    await expect(store.open(two, { isOfFleet: true })).rejects.toMatchObject({ code: "fleet_limit_reached" });
    await store.open(one, { isOfFleet: true });
    await database.ask(lapsed, [one, "1 minute"]);
    await store.open(two, { isOfFleet: true });
    await database.ask(lapsed, [two, "1 second"]);
    await withdraw(database, two, new Date().toISOString());
    await store.open(one, { isOfFleet: true });
  });

  test("a run whose lease had lapsed goes on only where its place is still free", async () => {
    const made = await madeStore(postgres().schema({ lease: "1" }));
    await limit(made.database, "repository", REPOSITORY.url, { at_once: 1 });
    const [one = "", two = ""] = await tasks(made, 2);
    const frozen = await made.store.open(one);
    const lapsed = "update e8.task set lease_until = clock_timestamp() - interval '1 second' where task_id = $1";
    await made.database.ask(lapsed, [one]);
    await vi.waitFor(async () => expect(await made.store.holder(one)).toBeDefined(), patiently); // it came back by itself

    await made.database.inTransaction(async (ask) => {
      await ask(lapsed, [one]);
      await ask(
        "update e8.task set fence = 'other', lease_until = clock_timestamp() + interval '1 minute' where task_id = $1",
        [two],
      );
    });
    await vi.waitFor(() => expect(frozen.cancelled.aborted).toBe(true), patiently);
    expect(frozen.cancelled.reason).toMatchObject({ code: "fleet_limit_reached" });
    await frozen.release();
  });

  test("an agent whose run had lapsed is stopped where another one has its place, or the money is set aside for others", async () => {
    const made = await madeStore(postgres().schema({ lease: "1" }));
    await limit(made.database, "account", "claude x", { at_once: 1 });
    await limit(made.database, "project", PROJECT, { in_all: 1.5, reserve: 1 });
    const [first, second] = await openAll([made], await tasks(made, 2), "");
    if (!first || !second) throw new Error("both can be opened");
    await entered(first.doors, "claude x");
    await made.database.inTransaction(async (ask) => {
      const { task_id } = first.task;
      await ask("update e8.task set lease_until = clock_timestamp() - interval '1 second' where task_id = $1", [
        task_id,
      ]);
      const [entry] = await ask(
        "select e8.enter('claude x', task_id, fence) as entry from e8.task where task_id = $1",
        [second.task.task_id],
      );
      expect(entry?.entry).toMatchObject({ is: "entered" });
    });
    await vi.waitFor(() => expect(first.cancelled.aborted).toBe(true), patiently);
    expect(first.cancelled.reason).toMatchObject({ code: "fleet_limit_reached", details: { kind: "account" } });
    expect(second.cancelled.aborted).toBe(false);
    await Promise.all([first.release(), second.release()]);
  });

  test("an account that has met its limit is asked by nobody until the reset, and by one run first after it", async () => {
    const made = await madeStore(postgres().schema());
    const stores = [made, await storeAt(made.url), await storeAt(made.url)];
    const open = await openAll(stores, await tasks(made, 3), "");
    const until = Date.now() + 1500;
    await open[0]?.doors?.close("claude x", { code: "usage_limit", message: "limited" }, until);

    const refused = await Promise.all(open.map((one) => refusalBy(one, "claude x")));
    for (const one of refused) expect(one).toMatchObject({ code: "usage_limit", message: "limited" });
    expect(Math.round(refused[1]?.retry_at ?? 0)).toBe(until);
    expect(open[1] && (await refusalBy(open[1], "codex x"))).toBeUndefined();

    await new Promise((resolve) => setTimeout(resolve, until - Date.now() + 200));
    const after = await Promise.all([...open, ...open].map((one) => refusalBy(one, "claude x")));
    expect(after.filter((one) => one === undefined)).toHaveLength(1);
    const others = after.filter((one) => one !== undefined);
    for (const one of others) expect(one.retry_at).toBeGreaterThan(Date.now());
  });

  test("so many agents use an account at once; the next one waits until another has its answer", async () => {
    const made = await madeStore(postgres().schema());
    await limit(made.database, "account", "claude x", { at_once: 2 });
    const open = await openAll([made, await storeAt(made.url)], await tasks(made, 4), "");
    let inside = 0;
    let most = 0;

    await Promise.all(
      open.map(async ({ doors }) => {
        const leave = await entered(doors, "claude x");
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 300));
        inside -= 1;
        await leave();
      }),
    );

    expect(most).toBe(2);
  });

  test("a project spends no more in a day and in all than was set aside for it, also when all ask at once", async () => {
    const made = await madeStore(postgres().schema());
    const stores = [made, await storeAt(made.url), await storeAt(made.url)];
    await limit(made.database, "project", PROJECT, { per_day: 10, reserve: 1.5 });
    const open = await openAll(stores, await tasks(made, 8), "");
    const { signal } = new AbortController();
    const round = async (task: OpenTask): Promise<number> => {
      try {
        const leave = await entered(task.doors, "claude x");
        await leave();
        await spend(task, 1.4);
        return 1.4;
      } catch (error) {
        expect(error).toMatchObject({ code: "fleet_budget_spent", details: { project: PROJECT } });
        return 0;
      }
    };
    let spent = 0;
    for (let turn = 0; turn < 3; turn += 1)
      spent += (await Promise.all(open.map(round))).reduce((sum, one) => sum + one, 0);

    expect(spent).toBeLessThanOrEqual(10);
    expect(spent).toBeCloseTo(9.8); // 7 answers; what is left would not pay for another one
    await expect(open[0]?.doors?.enter("claude x", signal)).rejects.toMatchObject({ code: "fleet_budget_spent" });
    await limit(made.database, "project", PROJECT, { per_day: 100, in_all: 8 });
    const [one = ""] = await tasks(made, 1);
    await expect(made.store.open(one)).rejects.toMatchObject({ code: "fleet_budget_spent" });
  });

  test("what a killed run had set aside is free again when its lease has lapsed", async () => {
    const made = await madeStore(postgres().schema());
    await limit(made.database, "project", PROJECT, { in_all: 1, reserve: 1 });
    const [one = "", two = ""] = await tasks(made, 2);
    const { signal } = new AbortController();
    const killed = await made.store.open(one);
    const other = await made.store.open(two);
    await killed.doors?.enter("claude x", signal);
    await expect(other.doors?.enter("claude x", signal)).rejects.toMatchObject({ code: "fleet_budget_spent" });

    await made.database.ask("update e8.task set lease_until = clock_timestamp() where task_id = $1", [one]);

    await other.doors?.enter("claude x", signal);
  });

  test("a worker can neither raise a limit nor take back what was spent", async () => {
    const made = await madeStore(postgres().schema());
    const { schema } = made.database.address;
    for (const sql of [
      "insert into e8.fleet_limit (kind, name) values ('project', 'x')",
      "update e8.fleet_limit set per_day = 1000",
      "update e8.spent set cost = 0",
      "delete from e8.spent",
      "delete from e8.pass",
      "update e8.pass set reserved = 0",
    ])
      await expect(
        made.database.inTransaction(async (ask) => {
          await ask(`set local role "${schema}_worker"`);
          await ask(sql);
        }),
        sql,
      ).rejects.toMatchObject({ code: "store_forbidden" });
  });
});
