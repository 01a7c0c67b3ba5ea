import type {
  History,
  HistoryContext,
  KnowledgeBase,
  Ledger,
  TaskFiles,
} from "../../src/connection/ports/task-store.ts";
import { HistoryRecord } from "../../src/model/records.ts";
import { Knowledge } from "../../src/model/roles.ts";
import { Task } from "../../src/model/task.ts";
import { Spending } from "../../src/model/usage.ts";

/** What happened in which order, over all stores and the stream of events. */
export type Journal = string[];

/** Keeps what the disk would keep: every record passes through JSON and its own schema. */
export class MemoryHistory implements History {
  readonly kept: HistoryRecord[];
  readonly #journal: Journal;
  /** Thrown by the next append of such a record. */
  failure?: { type: HistoryRecord["type"] | "any"; error: Error };
  /** Thrown where a copy of anything but the ending is to be made. */
  copyFailure?: Error;
  /** Stands in for what a long history would give. */
  contextOverride?: HistoryContext;

  constructor(journal: Journal, records: readonly HistoryRecord[]) {
    this.#journal = journal;
    this.kept = [...records];
  }

  async append(record: HistoryRecord): Promise<void> {
    await Promise.resolve();
    if (this.failure && ["any", record.type].includes(this.failure.type)) throw this.failure.error;
    this.kept.push(HistoryRecord.parse(throughJson(record)));
    this.#journal.push(`recorded ${record.type}`);
  }

  async copy({ type }: HistoryRecord): Promise<void> {
    if (this.copyFailure && type !== "final_result") throw this.copyFailure;
  }

  async *records(): AsyncGenerator<HistoryRecord> {
    yield* this.kept;
  }

  async context(size: number): Promise<HistoryContext> {
    if (this.contextOverride) return this.contextOverride;
    const summaries = this.kept.filter((record) => record.type === "summary");
    const failed = summaries.slice(0, -size).filter(({ result }) => result !== "success");
    const failures = failed.map(({ approach, reason, iteration }) => ({
      approach,
      reason,
      count: 1,
      first_iteration: iteration,
      last_iteration: iteration,
    }));
    return { latest: summaries.slice(-size), failures, failures_left_out: 0 };
  }
}

export class MemoryKnowledge implements KnowledgeBase {
  readonly entries: Knowledge[] = [];
  readonly #journal: Journal;
  readonly #counted: Knowledge[] = [];
  /** Thrown by `flush`. */
  failure?: Error;
  /** Thrown by `add`. */
  refusal?: Error;

  constructor(journal: Journal, entries: readonly Knowledge[]) {
    this.#journal = journal;
    this.entries.push(...entries);
  }

  async add(entries: readonly Knowledge[]): Promise<void> {
    if (this.refusal && entries.length > 0) throw this.refusal;
    for (const entry of entries) this.entries.push(Knowledge.parse(throughJson(entry)));
    if (entries.length > 0) this.#journal.push("learned");
  }

  async relevant(_text: string, size: number): Promise<Knowledge[]> {
    return this.entries.slice(0, size);
  }

  applied(entries: readonly Knowledge[]): void {
    this.#counted.push(...entries);
  }

  async flush(): Promise<void> {
    if (this.failure) throw this.failure;
    for (const entry of this.#counted.splice(0)) entry.applied_count += 1;
    this.#journal.push("knowledge flushed");
  }
}

export class MemoryLedger implements Ledger {
  readonly lines: Spending[];

  constructor(lines: readonly Spending[]) {
    this.lines = [...lines];
  }

  async append(spending: Spending): Promise<void> {
    this.lines.push(Spending.parse(throughJson(spending)));
  }

  async *entries(): AsyncGenerator<Spending> {
    yield* this.lines;
  }
}

export class MemoryFiles implements TaskFiles {
  readonly directory = "/project/.e8/tasks/2026-01-23T13-30-00";
  readonly history_path = ".e8/tasks/2026-01-23T13-30-00/history.jsonl";
  task: Task;
  output: string;
  readonly #journal: Journal;

  constructor(journal: Journal, task: Task, output: string) {
    this.#journal = journal;
    this.task = task;
    this.output = output;
  }

  async save(change: Partial<Pick<Task, "intake" | "answers" | "configuration">>): Promise<void> {
    this.task = Task.parse(throughJson({ ...this.task, ...change }));
    this.#journal.push(`saved ${Object.keys(change).join(" and ")}`);
  }

  async restore(): Promise<boolean> {
    return false;
  }

  confirmRecords(): void {}

  async saveOutput(text: string): Promise<string> {
    this.output = text;
    return ".e8/tasks/2026-01-23T13-30-00/output.md";
  }

  async flushOutput(): Promise<void> {}

  async readOutput(): Promise<string> {
    return this.output;
  }
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
