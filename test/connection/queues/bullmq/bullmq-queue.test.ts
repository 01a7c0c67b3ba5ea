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
