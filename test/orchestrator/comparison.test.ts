import { expect, test } from "vitest";
import type { RunCarrier } from "../../src/connection/ports/backlog.ts";
import type { ComparisonEvent } from "../../src/model/comparison.ts";
import { E8Error } from "../../src/model/errors.ts";
import { drain } from "../../src/model/event-stream.ts";
import { message } from "../../src/model/message.ts";
import type { LoopResult, LoopStatus } from "../../src/model/records.ts";
import { compete } from "../../src/orchestrator/comparison.ts";

const ENTRIES = [1, 2, 3].map((number) => {
  const entry = { number, agent: `agent ${number}`, task_id: `2026-01-23T13-30-0${number}` };
  return { entry, resumed: number === 2 };
});

/** A worker whose runs wait until they are let go, or until they are aborted. */
class Worker implements RunCarrier {
  readonly begun: string[] = [];
  most = 0;
  #running = 0;
  readonly #go = new Map<string, () => void>();

  async *carry(id: string, { signal }: { resumed: boolean; signal: AbortSignal }): AsyncGenerator<never, LoopResult> {
    this.begun.push(id);
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    const aborted = new Promise<LoopStatus>((resolve) => signal.addEventListener("abort", () => resolve("cancelled")));
    const done = new Promise<LoopStatus>((resolve) => this.#go.set(id, () => resolve("completed")));
    const status = await Promise.race([aborted, done]);
    this.#running -= 1;
    return { status } as LoopResult;
  }

  async letGo(id: string): Promise<void> {
    while (!this.#go.has(id)) await new Promise(setImmediate);
    this.#go.get(id)?.();
  }
}

async function eventsOf(events: AsyncGenerator<ComparisonEvent, void>): Promise<string[]> {
  const told: string[] = [];
  await drain(events, (event) => void told.push(`${event.number} ${event.type}`));
  return told;
}

const ids = ENTRIES.map(({ entry }) => entry.task_id);

test("runs one after the other, in the order in which they were named", async () => {
  const worker = new Worker();
  const { signal } = new AbortController();
  const told = eventsOf(compete(ENTRIES, worker, { parallel: 1, signal }));
  for (const id of ids) await worker.letGo(id);

  expect(await told).toEqual([1, 2, 3].flatMap((number) => [`${number} entry-start`, `${number} entry-end`]));
  expect(worker.most).toBe(1);
});

test("runs so many at a time, and begins the next when one has ended", async () => {
  const worker = new Worker();
  const { signal } = new AbortController();
  const told = eventsOf(compete(ENTRIES, worker, { parallel: 2, signal }));
  await worker.letGo(ids[1] ?? "");
  await worker.letGo(ids[2] ?? "");
  await worker.letGo(ids[0] ?? "");

  expect((await told).filter((one) => one.endsWith("end"))).toEqual(["2 entry-end", "3 entry-end", "1 entry-end"]);
  expect(worker.most).toBe(2);
});

test("an abort ends the runs and begins no other", async () => {
  const worker = new Worker();
  const stop = new AbortController();
  const told = eventsOf(compete(ENTRIES, worker, { parallel: 1, signal: stop.signal }));
  while (worker.begun.length === 0) await new Promise(setImmediate);
  stop.abort();

  expect(await told).toEqual(["1 entry-start", "1 entry-end"]);
});

test("a reader who leaves ends the runs", async () => {
  const worker = new Worker();
  const events = compete(ENTRIES, worker, { parallel: 3, signal: new AbortController().signal });
  await events.next();
  await events.return();

  expect(worker.begun).toEqual(ids);
});

test("one that cannot run says why, and the others go on", async () => {
  const problem = message("no_commit_yet", {});
  const worker: RunCarrier = {
    async *carry(id) {
      if (id === ids[0]) throw new E8Error("branch_impossible", { problem });
      return { status: "completed" } as LoopResult;
    },
  };
  const events: ComparisonEvent[] = [];
  const { signal } = new AbortController();
  await drain(compete(ENTRIES.slice(0, 2), worker, { parallel: 1, signal }), (event) => void events.push(event));

  expect(events).toMatchObject([
    { number: 1, type: "entry-start", resumed: false },
    { number: 1, type: "entry-failed", problem },
    { number: 2, type: "entry-start", resumed: true },
    { number: 2, type: "entry-end", status: "completed" },
  ]);
});
