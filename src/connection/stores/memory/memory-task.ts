import { E8Error } from "../../../model/errors.ts";
import { EventEnvelope, type RunEvent, WIRE_VERSION } from "../../../model/events.ts";
import type { Notice } from "../../../model/notices.ts";
import { HistoryRecord } from "../../../model/records.ts";
import { Knowledge, type Role } from "../../../model/roles.ts";
import { Task } from "../../../model/task.ts";
import { Spending } from "../../../model/usage.ts";
import type {
  EventLog,
  History,
  HistoryContext,
  Holder,
  KnowledgeBase,
  Ledger,
  OpenTask,
  RawLine,
  SavedOutput,
  WorkerOutput,
} from "../../ports/task-store.ts";
import { HistoryMemory } from "../history-memory.ts";
import { contentKey, merged } from "../knowledge.ts";
import { mostRelevant } from "../knowledge-ranking.ts";

export interface StoredTask {
  task: Task;
  records: HistoryRecord[];
  spending: Spending[];
  knowledge: Knowledge[];
  events: EventEnvelope[];
  rawLog: RawLine[];
  /** The worker's texts, by iteration. */
  outputs: Map<number, string>;
  output: string;
  /** The run that took the lock last and has not released it. */
  holder: (Holder & { token: string; is_alive: boolean; cancel: AbortController }) | undefined;
}

export class MemoryTask implements OpenTask {
  readonly location: string;
  readonly history_path: string;
  readonly token: string;
  readonly cancelled: AbortSignal;
  readonly output_path = undefined;
  readonly history: MemoryHistory;
  readonly knowledge: MemoryKnowledge;
  readonly ledger: Ledger;
  readonly events: EventLog;
  readonly #stored: StoredTask;
  readonly #guard: () => void;

  constructor(stored: StoredTask, token: string, cancelled: AbortSignal) {
    const { task_id: id } = stored.task;
    this.#stored = stored;
    this.#guard = () => {
      if (stored.holder?.token === token) return;
      throw new E8Error("task_taken", { id, who: stored.holder?.who ?? "", since: stored.holder?.since ?? "" });
    };
    this.location = `memory:${id}`;
    this.history_path = `memory:${id}/history`;
    this.token = `memory:${id}:${token}`;
    this.cancelled = cancelled;
    this.history = new MemoryHistory(stored, this.#guard);
    this.knowledge = new MemoryKnowledge(stored, this.#guard);
    this.ledger = ledgerIn(stored, this.#guard);
    this.events = { append: async (event) => this.#keepEvent(event) };
  }

  get task(): Task {
    return this.#stored.task;
  }

  async save(change: Partial<Task>): Promise<void> {
    this.#guard();
    this.#stored.task = throughJson(Task, { ...this.#stored.task, ...change });
  }

  async saveOutput({ iteration, text, is_handed_in }: WorkerOutput): Promise<SavedOutput> {
    this.#guard();
    this.#stored.outputs.set(iteration, text);
    const saved = { path: `${this.location}/outputs/${iteration}`, stored: Promise.resolve() };
    if (!is_handed_in) return saved;
    this.#stored.output = text;
    return { ...saved, name: `${this.location}/output` };
  }

  async readOutput(iteration?: number): Promise<string> {
    const { output, outputs } = this.#stored;
    return iteration === undefined ? output : (outputs.get(iteration) ?? "");
  }

  rawLogPath(iteration: number): string | undefined {
    const isKept = this.#stored.rawLog.some((line) => line.iteration === iteration && line.role === "executor");
    return isKept ? `${this.location}/logs/${iteration}` : undefined;
  }

  readonly rawLog = async (iteration: number, role: Role, line: string): Promise<void> => {
    this.#stored.rawLog.push({ iteration, role, line });
  };

  async verify(): Promise<void> {
    this.#guard();
  }

  takeNotices(): Notice[] {
    return [];
  }

  async release(): Promise<void> {
    if (this.#isOurs()) this.#stored.holder = undefined;
  }

  #isOurs(): boolean {
    return this.token.endsWith(`:${this.#stored.holder?.token}`);
  }

  #keepEvent(event: RunEvent): EventEnvelope {
    const { events, task } = this.#stored;
    const seq = (events.at(-1)?.seq ?? 0) + 1;
    const envelope = { v: WIRE_VERSION, task_id: task.task_id, seq, at: new Date().toISOString(), event } as const;
    if (this.#isOurs()) events.push(throughJson(EventEnvelope, envelope));
    return envelope;
  }
}

export class MemoryHistory implements History {
  readonly #stored: StoredTask;
  readonly #guard: () => void;

  constructor(stored: StoredTask, guard: () => void) {
    this.#stored = stored;
    this.#guard = guard;
  }

  async append(record: HistoryRecord): Promise<void> {
    this.#guard();
    this.#stored.records.push(throughJson(HistoryRecord, record));
  }

  async copy(_: HistoryRecord): Promise<void> {}

  async *records(): AsyncGenerator<HistoryRecord> {
    yield* this.#stored.records;
  }

  async context(size: number): Promise<HistoryContext> {
    const memory = new HistoryMemory(size);
    for (const record of this.#stored.records) if (record.type === "summary") memory.add(record);
    return memory.context(size);
  }
}

export class MemoryKnowledge implements KnowledgeBase {
  readonly #stored: StoredTask;
  readonly #guard: () => void;
  readonly #applied: Knowledge[] = [];

  constructor(stored: StoredTask, guard: () => void) {
    this.#stored = stored;
    this.#guard = guard;
  }

  async add(entries: readonly Knowledge[]): Promise<void> {
    this.#guard();
    this.#stored.knowledge.push(...entries.map((entry) => throughJson(Knowledge, entry)));
  }

  async relevant(text: string, size: number): Promise<Knowledge[]> {
    return mostRelevant([...merged(this.#stored.knowledge).values()], text, size);
  }

  applied(entries: readonly Knowledge[]): void {
    this.#applied.push(...entries);
  }

  async flush(): Promise<void> {
    for (const { content } of this.#applied.splice(0)) {
      const entry = merged(this.#stored.knowledge).get(contentKey(content));
      if (entry) await this.add([{ ...entry, applied_count: entry.applied_count + 1 }]);
    }
  }
}

function ledgerIn(stored: StoredTask, guard: () => void): Ledger {
  return {
    append: async (spending) => {
      guard();
      stored.spending.push(throughJson(Spending, spending));
    },
    entries: async function* () {
      yield* stored.spending;
    },
  };
}

/** The value as a disk would return it. */
export function throughJson<T>(schema: { parse(value: unknown): T }, value: unknown): T {
  return schema.parse(JSON.parse(JSON.stringify(value)));
}
