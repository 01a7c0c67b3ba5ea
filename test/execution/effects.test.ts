import { describe, expect, test } from "vitest";
import { applyEffects, type Effect } from "../../src/execution/effects.ts";
import { Halt } from "../../src/execution/halt.ts";
import { fold } from "../../src/execution/state.ts";
import { E8Error } from "../../src/model/errors.ts";
import type { RunEvent } from "../../src/model/events.ts";
import type { EffectRecord, HistoryRecord } from "../../src/model/records.ts";
import { NOTHING_DONE } from "../../src/model/state.ts";
import { ManualClock } from "../support/fakes.ts";

/** The outside: which changes were made to it, and how often it was looked at. */
class World {
  readonly changes: string[] = [];
  looks = 0;
  /** Called before and after each change. */
  onChange: () => Promise<void> = async () => {};

  effect(key: string): Effect {
    return {
      key,
      what: `change ${key}`,
      isDone: async () => {
        this.looks++;
        return this.changes.includes(key);
      },
      apply: async () => {
        await this.onChange();
        this.changes.push(key);
        await this.onChange();
      },
    };
  }
}

class Log {
  state = NOTHING_DONE;
  readonly records: HistoryRecord[] = [];
  /** Called before and after each record. */
  onRecord: () => Promise<void> = async () => {};

  constructor(records: readonly HistoryRecord[] = []) {
    for (const record of records) this.#keep(record);
  }

  async enter(record: HistoryRecord): Promise<void> {
    await this.onRecord();
    this.#keep(record);
    await this.onRecord();
  }

  #keep(record: HistoryRecord): void {
    this.records.push(record);
    this.state = fold(this.state, record);
  }

  get stages(): string[] {
    return this.records.map((record) => (record.type === "effect" ? `${record.stage} ${record.key}` : record.type));
  }
}

async function applied(world: World, log: Log, signal = new AbortController().signal): Promise<RunEvent[]> {
  const context = { clock: new ManualClock(), signal };
  const events: RunEvent[] = [];
  for await (const event of applyEffects([world.effect("a"), world.effect("b")], context, log)) events.push(event);
  return events;
}

function begun(key: string): EffectRecord {
  return { type: "effect", key, stage: "begun", what: `change ${key}`, timestamp: "2026-01-23T13:30:00.000Z" };
}

function done(key: string): EffectRecord {
  return { ...begun(key), stage: "done" };
}

const ALL = ["begun a", "done a", "begun b", "done b"];

describe("effects", () => {
  test("are applied in order, each recorded as begun before and as done after", async () => {
    const [world, log] = [new World(), new Log()];
    const events = await applied(world, log);

    expect(world).toMatchObject({ changes: ["a", "b"], looks: 0 });
    expect(log.stages).toEqual(ALL);
    expect(events).toMatchObject([{ key: "a", stage: "begun", what: "change a" }, {}, {}, { key: "b", stage: "done" }]);
  });

  test.each([
    { name: "before the first is begun", records: [], changes: [], looks: 0 },
    { name: "between begun and the change", records: [begun("a")], changes: [], looks: 1 },
    { name: "between the change and done", records: [begun("a")], changes: ["a"], looks: 1 },
    { name: "between two effects", records: [begun("a"), done("a")], changes: ["a"], looks: 0 },
    { name: "after the last", records: [begun("a"), done("a"), begun("b"), done("b")], changes: ["a", "b"], looks: 0 },
  ])("killed $name, a run goes on with the first that is not done", async ({ records, changes, looks }) => {
    const [world, log] = [new World(), new Log(records)];
    world.changes.push(...changes);
    await applied(world, log);

    expect(world).toMatchObject({ changes: ["a", "b"], looks });
    expect(log.stages).toEqual(ALL);
  });

  test("killed at any point, a run makes every change once", async () => {
    for (let point = 1; point <= 12; point++) {
      const [world, log] = [new World(), new Log()];
      let left = point;
      const killed = new Promise<void>((resolve) => {
        const passed = async () => {
          if (--left > 0) return;
          resolve();
          await new Promise(() => {}); // the process is gone
        };
        world.onChange = passed;
        log.onRecord = passed;
      });
      await Promise.race([applied(world, log), killed]);
      world.onChange = async () => {};
      const resumed = new Log(log.records);
      await applied(world, resumed);

      expect(world.changes).toEqual(["a", "b"]);
      expect(resumed.stages).toEqual(ALL);
    }
  });

  test("cancelled during a change, it stays begun, and the run ends as cancelled", async () => {
    const [world, log, cancel] = [new World(), new Log(), new AbortController()];
    world.onChange = async () => {
      cancel.abort();
      throw new Error("cancelled");
    };
    const run = applied(world, log, cancel.signal);

    await expect(run).rejects.toBeInstanceOf(Halt);
    expect(log.stages).toEqual(["begun a"]);
  });

  test("cancelled before, nothing is begun", async () => {
    const [world, log] = [new World(), new Log()];

    await expect(applied(world, log, AbortSignal.abort())).rejects.toBeInstanceOf(Halt);
    expect(log.stages).toEqual([]);
  });

  test("a failure is recorded with its problem and thrown; the next run looks and tries again", async () => {
    const [world, log] = [new World(), new Log()];
    const failure = new E8Error("tracker_failed", { what: "close", problem: "no network" });
    world.onChange = async () => {
      if (!world.changes.includes("a")) return;
      world.changes.pop();
      throw failure;
    };
    await expect(applied(world, log)).rejects.toBe(failure);
    world.onChange = async () => {};
    const resumed = new Log(log.records);
    await applied(world, resumed);

    expect(log.records.at(-1)).toMatchObject({ stage: "failed", key: "a", problem: "no network" });
    expect(resumed.stages).toEqual(["begun a", "failed a", ...ALL]);
    expect(world).toMatchObject({ changes: ["a", "b"], looks: 1 });
  });

  test("a change that cannot be recorded ends the run with the record's own error", async () => {
    const [world, log] = [new World(), new Log()];
    const full = new E8Error("disk_full", { path: "history.jsonl" });
    log.onRecord = async () => {
      if (world.changes.length > 0) throw full;
    };

    await expect(applied(world, log)).rejects.toBe(full);
    expect(log.stages).toEqual(["begun a"]);
  });
});
