import { describe, expect, test } from "vitest";
import type { IssueTracker } from "../../src/connection/ports/tracker.ts";
import type { QueueRecord } from "../../src/model/backlog.ts";
import { drain } from "../../src/model/event-stream.ts";
import type { RunEvent } from "../../src/model/events.ts";
import { Backlog } from "../../src/orchestrator/backlog.ts";
import { ManualClock } from "../support/fakes.ts";
import { failure, issue, played, Queue, WISH, Workers, World } from "./backlog-world.ts";
import { workflowOf } from "./support.ts";

describe("a backlog", () => {
  test("is worked on in the order of priority, then of age", async () => {
    const world = new World(issue(1), issue(2), issue(3, { priority: "high" }), issue(4, { priority: "low" }));
    const worker = new Workers();

    const { result } = await played(world, new Queue(), worker);

    expect(worker.turns.map((turn) => turn.issue.number)).toEqual([3, 1, 2, 4]);
    expect(result.items.map(({ state }) => state)).toEqual(["done", "done", "done", "done"]);
  });

  test("begins with no more issues than asked for", async () => {
    const worker = new Workers();

    const { result } = await played(new World(issue(1), issue(2)), new Queue(), worker, { limit: 1 });

    expect(worker.turns).toHaveLength(1);
    expect(result.items).toMatchObject([{ state: "done" }, { state: "left" }]);
  });

  test("ends when its budget is spent, and hands the rest down to every run", async () => {
    const worker = new Workers();
    worker.events = [{ type: "spent", total: { tokens: 10, cost_usd: 1, seconds: 1 } } as RunEvent];
    const world = new World(issue(1), issue(2), issue(3), issue(4));

    const { result } = await played(world, new Queue(), worker, { max_cost: 2.5 });

    expect(worker.turns.map(({ max_cost }) => max_cost)).toEqual([2.5, 1.5, 0.5]);
    expect(result).toMatchObject({ stopped: "budget", cost_usd: 3 });
  });

  test("a landing frees the place for the next issue", async () => {
    const worker = new Workers();
    worker.events = [{ type: "phase-start", phase: "land", iteration: 1 } as RunEvent];

    const { events } = await played(new World(issue(1), issue(2)), new Queue(), worker);

    expect(events.filter(({ type }) => type === "turn-start")).toHaveLength(2);
  });

  test("a comment or closing that was recorded is not made again, and one that was not is", async () => {
    const world = new World(issue(1));
    const queue = new Queue();
    const worker = new Workers();
    world.refuses.add("close");
    const first = await played(world, queue, worker);
    world.refuses.clear();

    const second = await played(world, queue, worker, { resume: true });

    expect(first.result.items).toMatchObject([{ state: "parked" }]);
    expect(second.result.items).toMatchObject([{ state: "done" }]);
    expect(world.acts).toEqual(["comment 1", "close 1", "close 1"]);
    expect(worker.turns).toHaveLength(1);
  });

  test("an issue that was closed and is open again is worked on again", async () => {
    const world = new World(issue(1));
    const queue = new Queue();
    await played(world, queue, new Workers());
    world.issues.set(1, issue(1));
    const worker = new Workers();
    worker.minute = 1;

    await played(world, queue, worker);

    expect(worker.turns).toHaveLength(1);
    expect(world.issues.get(1)?.state).toBe("CLOSED");
  });

  test("a task that is gone is made anew", async () => {
    const record = { type: "turn", issue: 1, title: "", task_id: "2026-01-01T09-00-00", timestamp: "" } as QueueRecord;
    const worker = new Workers();

    const { result } = await played(new World(issue(1)), new Queue([record]), worker);

    expect(worker.turns).toHaveLength(1);
    expect(result.items).toMatchObject([{ state: "done" }]);
  });

  test("a turn whose task was never made is begun anew, and follows the one before it", async () => {
    const [former, unmade] = ["2026-01-01T09-00-00", "2026-01-01T10-00-00"];
    const about = { issue: 1, timestamp: "" };
    const ended = { status: "completed", outcome: "completed", landing: "landed", cost_usd: 0, tokens: 0 } as const;
    const kept: QueueRecord[] = [
      { type: "turn", ...about, title: "", task_id: former },
      { type: "ended", ...about, task_id: former, ...ended },
      { type: "settled", ...about, task_id: former },
      { type: "turn", ...about, title: "", task_id: unmade },
    ];
    const [queue, worker] = [new Queue(kept), new Workers()];

    await played(new World(issue(1)), queue, worker);

    expect(worker.turns.map(({ follows }) => follows)).toEqual([former]);
    expect(queue.kept.filter(({ type }) => type === "settled")).toHaveLength(2);
  });

  test("the turn is in the records before its task is stored", async () => {
    const [queue, worker] = [new Queue(), new Workers()];
    const stored: number[] = [];
    queue.append = async (record) => {
      if (record.type === "turn") stored.push(worker.stored.length);
      queue.kept.push(record);
    };

    await played(new World(issue(1)), queue, worker);

    expect(stored).toEqual([0]);
  });

  test("that is watched says that it waits before it waits; what comes meanwhile is worked on", async () => {
    const world = new World(issue(1));
    const clock = new ManualClock();
    const stop = new AbortController();
    const seen: string[] = [];
    clock.onSleep = () => {
      seen.push("sleep");
      if (world.issues.size === 2) stop.abort();
      world.issues.set(2, world.issues.get(2) ?? issue(2));
    };
    const ports = { tracker: world.tracker, queue: new Queue(), worker: new Workers(), clock, tell: () => "said" };

    const result = await drain(new Backlog(ports, { ...WISH, watch_seconds: 5 }).work(stop.signal), (event) => {
      if (event.type === "idle" || event.type === "turn-end") seen.push(event.type);
    });

    expect(seen).toEqual(["turn-end", "idle", "sleep", "turn-end", "idle", "sleep"]);
    expect(result).toMatchObject({ stopped: "cancelled", items: [{ state: "done" }, { state: "done" }] });
  });

  test("that is stopped while it asks the tracker is stopped, and has not failed", async () => {
    const world = new World(issue(1));
    const stop = new AbortController();
    const list = async () => {
      stop.abort();
      throw failure();
    };
    const worker = new Workers();
    const tracker = { ...world.tracker, list } as IssueTracker;
    const ports = { tracker, queue: new Queue(), worker, clock: new ManualClock(), tell: () => "said" };

    const result = await drain(new Backlog(ports, WISH).work(stop.signal), () => {});

    expect(result).toMatchObject({ stopped: "cancelled", items: [] });
    expect(worker.turns).toEqual([]);
  });

  test("labels are taken back where the tracker refuses what follows them", async () => {
    const world = new World(issue(1, { labels: ["review", "P1"] }));
    world.refuses.add("close");
    const worker = new Workers();
    worker.output = { outcome: "approved" };
    const queue = new Queue();

    const { result } = await played(world, queue, worker, { workflow: workflowOf() });

    expect(result.items).toMatchObject([{ state: "parked" }]);
    expect(world.issues.get(1)?.labels.sort()).toEqual(["P1", "review"]);
    world.refuses.clear();
    await played(world, queue, worker, { workflow: workflowOf(), resume: true });
    expect(world.issues.get(1)).toMatchObject({ state: "CLOSED", labels: ["P1", "done"] });
    expect(worker.turns).toHaveLength(1);
  });
});
