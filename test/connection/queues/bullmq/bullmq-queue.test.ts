import { expect, onTestFinished, test, vi } from "vitest";
import type { TaskQueue } from "../../../../src/connection/ports/task-queue.ts";
import { BullmqQueue } from "../../../../src/connection/queues/bullmq/bullmq-queue.ts";
import { migrateQueue } from "../../../../src/connection/queues/bullmq/queue-schema.ts";
import { describeWithPostgres } from "../../../support/postgres.ts";
import type { TestPostgres } from "../../../support/postgres-server.ts";
import { madeStore, storeAt } from "../../../support/postgres-store.ts";

const OFFER = { projects: ["p"], labels: [] };
const PAUSE = 5_000;
/** Longer than a task is left to others beyond its pause. */
const LONG_AFTER = 3_000;

/** The queues of two workers, with a task in line that the first of them has put off. Their clock is the test's. */
async function putOff(postgres: TestPostgres, othersMayBeAble: boolean): Promise<[own: TaskQueue, other: TaskQueue]> {
  const { database, url } = await madeStore(postgres.schema());
  await migrateQueue(database);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const [own, other] = [new BullmqQueue(database), new BullmqQueue((await storeAt(url)).database)];
  onTestFinished(async () => {
    vi.useRealTimers();
    await Promise.all([own.close(), other.close()]);
  });
  await own.add("task", { project: "p", labels: [], rank: 1 });
  const taken = await own.take(OFFER);
  await taken?.postpone(PAUSE, othersMayBeAble);
  expect(await own.take(OFFER)).toBeUndefined();
  expect(await other.take(OFFER)).toBeUndefined();
  return [own, other];
}

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describeWithPostgres("a task that a worker puts off", (postgres) => {
  test("is another worker's first, when its pause is over", async () => {
    const [own, other] = await putOff(postgres(), true);
    later(PAUSE + 1);
    expect(await own.take(OFFER)).toBeUndefined();
    expect((await other.take(OFFER))?.id).toBe("task");
  });

  test("comes back where nobody else takes it", async () => {
    const [own] = await putOff(postgres(), true);
    later(PAUSE + LONG_AFTER);
    expect((await own.take(OFFER))?.id).toBe("task");
  });

  test("comes back at once where it is the same for all, such as a limit of the fleet", async () => {
    const [own] = await putOff(postgres(), false);
    later(PAUSE + 1);
    expect((await own.take(OFFER))?.id).toBe("task");
  });
});

/** Two workers, of which one has died: what it had is in line again, beside tasks of these ranks. Its own had 5. */
async function reclaimed(
  postgres: TestPostgres,
  ranks: Readonly<Record<string, number>>,
): Promise<[survivor: TaskQueue, back: string[]]> {
  const { database, url } = await madeStore(postgres.schema({ lease: "1" }));
  await migrateQueue(database);
  const [dead, survivor] = [new BullmqQueue(database), new BullmqQueue((await storeAt(url)).database)];
  onTestFinished(() => survivor.close());
  for (const id of ["begun", "begun too"]) {
    await dead.add(id, { project: "p", labels: [], rank: 5 });
    await dead.take(OFFER);
  }
  await dead.close(); // it gives nothing back
  for (const [id, rank] of Object.entries(ranks)) await survivor.add(id, { project: "p", labels: [], rank });
  const back: string[] = [];
  await vi.waitFor(async () => {
    back.push(...(await survivor.reclaim(OFFER)));
    expect(back.toSorted()).toEqual(["begun", "begun too"]);
  }, patiently);
  return [survivor, back];
}

const patiently = { timeout: 60_000, interval: 100 };

async function takenInTurn(queue: TaskQueue): Promise<string[]> {
  const ids: string[] = [];
  for (let taken = await queue.take(OFFER); taken; taken = await queue.take(OFFER)) ids.push(taken.id);
  return ids;
}

describeWithPostgres("a task whose worker shows no life any more", (postgres) => {
  test("is taken before all that nobody has taken yet, also the more urgent ones", async () => {
    const [survivor, back] = await reclaimed(postgres(), { later: 6, same: 5, critical: 1 });
    expect(await takenInTurn(survivor)).toEqual([...back, "critical", "same", "later"]);
  });

  test("keeps its place where it is handed back, behind the others that have come back", async () => {
    const [survivor, back] = await reclaimed(postgres(), { critical: 1 });
    await (await survivor.take(OFFER))?.handBack();
    expect(await takenInTurn(survivor)).toEqual([...back.toReversed(), "critical"]);
  });

  test("comes back once where several look for it", async () => {
    const { database, url } = await madeStore(postgres().schema({ lease: "1" }));
    await migrateQueue(database);
    const dead = new BullmqQueue(database);
    const survivors = (await Promise.all([storeAt(url), storeAt(url)])).map((one) => new BullmqQueue(one.database));
    onTestFinished(async () => void (await Promise.all(survivors.map((one) => one.close()))));
    await dead.add("task", { project: "p", labels: [], rank: 1 });
    await dead.take(OFFER);
    await dead.close();
    const look = async () => (await Promise.all(survivors.map((one) => one.reclaim(OFFER)))).flat();
    const back: string[] = [];
    await vi.waitFor(async () => {
      back.push(...(await look()));
      expect(back).not.toEqual([]);
    }, patiently);
    expect([...back, ...(await look())]).toEqual(["task"]);
  });

  test("stays where it is while its worker lives, and in a line that does not fit", async () => {
    const { database } = await madeStore(postgres().schema());
    await migrateQueue(database);
    const queue = new BullmqQueue(database);
    onTestFinished(() => queue.close());
    await queue.add("task", { project: "p", labels: [], rank: 1 });
    await queue.add("other", { project: "p", labels: ["gpu"], rank: 1 });
    await queue.take(OFFER);
    await queue.take({ ...OFFER, labels: ["gpu"] });
    expect(await queue.reclaim({ ...OFFER, labels: ["gpu"] })).toEqual([]);
    const jobs = `"${database.address.schema}_queue".job`;
    await postgres().ask(`update ${jobs} set locked_until_ms = 0 where id = 'other'`);
    expect(await queue.reclaim(OFFER)).toEqual([]);
    expect(await queue.reclaim({ ...OFFER, labels: ["gpu"] })).toEqual(["other"]);
  });
});
