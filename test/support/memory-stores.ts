import type { HistoryContext, Ledger } from "../../src/connection/ports/open-task.ts";
import { MemoryStore } from "../../src/connection/stores/memory/memory-store.ts";
import {
  MemoryHistory,
  MemoryKnowledge,
  MemoryTask,
  newHolder,
} from "../../src/connection/stores/memory/memory-task.ts";
import type { HistoryRecord } from "../../src/model/records.ts";
import type { Knowledge } from "../../src/model/roles.ts";
import type { Task } from "../../src/model/task.ts";
import { type Spending, spentInAll, type Usage } from "../../src/model/usage.ts";

/** What happened in which order, over the store and the stream of events. */
export type Journal = string[];

export interface Left {
  records?: readonly HistoryRecord[];
  ledger?: { lines: readonly Spending[] };
  knowledge?: readonly Knowledge[];
  output?: string;
}

/** The store in memory, with faults on demand, and a journal of what it was asked to keep. */
export class TestTask extends MemoryTask {
  declare readonly history: TestHistory;
  declare readonly knowledge: TestKnowledge;
  declare readonly ledger: TestLedger;
  readonly #stored: Stored;
  readonly #journal: Journal;

  constructor(journal: Journal, task: Task, left: Left) {
    const holder = newHolder("test", "test");
    const stored = new MemoryStore().put(task, {
      records: [...(left.records ?? [])],
      spending: [...(left.ledger?.lines ?? [])],
      knowledge: [...(left.knowledge ?? [])],
      output: left.output ?? "",
      holder,
    });
    super(stored, holder);
    this.#stored = stored;
    this.#journal = journal;
    Object.assign(this, {
      history: new TestHistory(stored, journal),
      knowledge: new TestKnowledge(stored, journal),
      ledger: new TestLedger(stored),
    });
  }

  get output(): string {
    return this.#stored.output;
  }

  /** As `e8 tell` does. */
  tell(text: string, note_id = text): void {
    this.#stored.notes.push({ note_id, text, given_at: "2026-01-23T13:30:00.000Z" });
  }

  override async save(change: Partial<Task>): Promise<void> {
    await super.save(change);
    this.#journal.push(`saved ${Object.keys(change).join(" and ")}`);
  }
}

type Stored = ConstructorParameters<typeof MemoryHistory>[0];

class TestLedger implements Ledger {
  readonly lines: Spending[];

  constructor({ spending }: Stored) {
    this.lines = spending;
  }

  async append(spending: Spending): Promise<void> {
    this.lines.push(spending);
  }

  async spent(ending: Parameters<Ledger["spent"]>[0]): Promise<Usage> {
    return spentInAll(this.lines, ending);
  }
}

class TestHistory extends MemoryHistory {
  readonly kept: HistoryRecord[];
  readonly #journal: Journal;
  /** Thrown by the next append of such a record. */
  failure?: { type: HistoryRecord["type"] | "any"; error: Error };
  /** Thrown where a copy of anything but the ending is to be made. */
  copyFailure?: Error;
  /** Stands in for what a long history would give. */
  contextOverride?: HistoryContext;

  constructor(stored: Stored, journal: Journal) {
    super(stored, () => {});
    this.kept = stored.records;
    this.#journal = journal;
  }

  override async append(record: HistoryRecord): Promise<void> {
    await Promise.resolve();
    if (this.failure && ["any", record.type].includes(this.failure.type)) throw this.failure.error;
    await super.append(record);
    this.#journal.push(`recorded ${record.type}`);
  }

  override async copy({ type }: HistoryRecord): Promise<void> {
    if (this.copyFailure && type !== "final_result") throw this.copyFailure;
  }

  override async context(size: number): Promise<HistoryContext> {
    return this.contextOverride ?? super.context(size);
  }
}

class TestKnowledge extends MemoryKnowledge {
  readonly entries: Knowledge[];
  readonly #journal: Journal;
  /** Thrown by `flush`. */
  failure?: Error;
  /** Thrown by `add`. */
  refusal?: Error;

  constructor(stored: Stored, journal: Journal) {
    super(stored, () => {});
    this.entries = stored.knowledge;
    this.#journal = journal;
  }

  override async add(entries: readonly Knowledge[]): Promise<void> {
    if (this.refusal && entries.length > 0) throw this.refusal;
    await super.add(entries);
    if (entries.length > 0) this.#journal.push("learned");
  }

  override async flush(): Promise<void> {
    if (this.failure) throw this.failure;
    await super.flush();
    this.#journal.push("knowledge flushed");
  }
}
