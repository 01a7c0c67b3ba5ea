import type { BacklogQueue, Turn, TurnWorker } from "../../src/connection/ports/backlog.ts";
import type { IssueTracker } from "../../src/connection/ports/tracker.ts";
import type { BacklogEvent, BacklogResult, QueueRecord } from "../../src/model/backlog.ts";
import { E8Error } from "../../src/model/errors.ts";
import type { EventEnvelope, RunEvent } from "../../src/model/events.ts";
import type { TrackedItem } from "../../src/model/issue.ts";
import type { LoopResult } from "../../src/model/records.ts";
import { Backlog, type BacklogWish } from "../../src/orchestrator/backlog.ts";
import { ManualClock } from "../support/fakes.ts";

export function issue(number: number, more: Partial<TrackedItem> = {}): TrackedItem {
  return {
    ...{
      kind: "issue",
      number,
      state: "OPEN",
      labels: [],
      title: `Issue ${number}`,
      body: "",
      blocked_by: [],
      url: "",
    },
    ...{ created_at: `2026-01-${String(number).padStart(2, "0")}T00:00:00Z`, ...more },
  };
}

/** Issues in memory. `refuses`: acts that fail for good. */
export class World {
  readonly issues: Map<number, TrackedItem>;
  readonly refuses = new Set<string>();
  readonly acts: string[] = [];

  constructor(...issues: TrackedItem[]) {
    this.issues = new Map(issues.map((one) => [one.number, one]));
  }

  readonly tracker = {
    list: async () => [...this.issues.values()].filter(({ state }) => state === "OPEN"),
    get: async (_: string, number: number) => {
      const found = this.issues.get(number);
      if (!found) throw failure();
      return found;
    },
    label: async (number: number, { add, remove }: { add: readonly string[]; remove: readonly string[] }) => {
      this.#act(`label ${number} +${add} -${remove}`, "label");
      const { labels } = this.issues.get(number) as TrackedItem;
      this.#set(number, { labels: [...labels.filter((label) => !remove.includes(label)), ...add] });
    },
    comment: async (number: number) => this.#act(`comment ${number}`, "comment"),
    close: async (_: string, number: number) => {
      this.#act(`close ${number}`, "close");
      this.#set(number, { state: "CLOSED" });
    },
  } as unknown as IssueTracker;

  #act(words: string, kind: string): void {
    this.acts.push(words);
    if (this.refuses.has(kind)) throw failure();
  }

  #set(number: number, change: Partial<TrackedItem>): void {
    this.issues.set(number, { ...(this.issues.get(number) as TrackedItem), ...change });
  }
}

export function failure(): E8Error {
  return new E8Error("tracker_failed", { what: "act", problem: "the tracker says no" });
}

export class Queue implements BacklogQueue {
  readonly kept: QueueRecord[];

  constructor(kept: QueueRecord[] = []) {
    this.kept = kept;
  }

  async *records() {
    yield* this.kept;
  }

  async append(record: QueueRecord): Promise<void> {
    this.kept.push(record);
  }

  async release(): Promise<void> {}
}

/** Runs that end at once, with these results and events. */
export class Workers implements TurnWorker {
  readonly turns: Turn[] = [];
  readonly stored: string[] = [];
  minute = 0;
  result: Partial<LoopResult> = {};
  output: Record<string, unknown> = {};
  events: RunEvent[] = [];

  async create(turn: Turn, named: (id: string) => Promise<void>): Promise<string> {
    this.turns.push(turn);
    const id = `2026-01-01T00-0${this.minute}-${String(this.turns.length).padStart(2, "0")}`;
    await named(id);
    this.stored.push(id);
    return id;
  }

  async *carry(task_id: string, _: Turn, { signal }: { signal: AbortSignal }) {
    for (const event of this.events) yield { v: 1, task_id, seq: 0, at: "", event } as EventEnvelope;
    const landing = { outcome: "landed", iteration: 1, branch: "b", base: "main" };
    const usage = { tokens: 10, cost_usd: 1, seconds: 1 };
    const status = signal.aborted ? "cancelled" : "completed";
    return { result: { status, landing, usage, ...this.result } as unknown as LoopResult, output: this.output };
  }

  async has(id: string): Promise<boolean> {
    return this.stored.includes(id);
  }

  async prioritize(): Promise<Record<string, unknown>> {
    return {};
  }

  async handOver(): Promise<void> {}
}

export const WISH: BacklogWish = {
  labels: [],
  issues: [],
  limit: Number.POSITIVE_INFINITY,
  parallel: 1,
  resume: false,
};

export interface Played {
  result: BacklogResult;
  events: BacklogEvent[];
}

export async function played(
  world: World,
  queue: Queue,
  worker: Workers,
  wish: Partial<BacklogWish> = {},
): Promise<Played> {
  const ports = { tracker: world.tracker, queue, worker, clock: new ManualClock(), tell: () => "said" };
  const work = new Backlog(ports, { ...WISH, ...wish }).work(new AbortController().signal);
  const events: BacklogEvent[] = [];
  for (;;) {
    const step = await work.next();
    if (step.done) return { result: step.value, events };
    events.push(step.value);
  }
}
