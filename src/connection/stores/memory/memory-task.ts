import { E8Error } from "../../../model/errors.ts";
import { EventEnvelope, type RunEvent, WIRE_VERSION } from "../../../model/events.ts";
import type { Notice } from "../../../model/notices.ts";
import { HistoryRecord, type Note } from "../../../model/records.ts";
import { Knowledge, type Role } from "../../../model/roles.ts";
import { Task } from "../../../model/task.ts";
import { Spending, spentInAll } from "../../../model/usage.ts";
import type {
  EventLog,
  History,
  HistoryContext,
  KnowledgeBase,
  Ledger,
  NoteBox,
  OpenTask,
  Recalled,
  SavedOutput,
  WorkerOutput,
} from "../../ports/open-task.ts";
import type { Holder, RawLine } from "../../ports/task-store.ts";
import { HistoryMemory } from "../history-memory.ts";
import { contentKey, merged } from "../knowledge.ts";
import { mostRelevant } from "../knowledge-ranking.ts";

export interface MemoryHolder extends Holder {
  token: string;
  is_alive: boolean;
  cancel: AbortController;
  is_paused: boolean;
  /** Called when the run is asked to pause, or no longer is. */
  pauseRequested: (isAsked: boolean) => void;
}

export function newHolder(token: string, who: string): MemoryHolder {
  const since = new Date().toISOString();
  return {
    ...{ token, who, since, is_alive: true, cancel: new AbortController() },
    ...{ is_paused: false, pauseRequested: () => {} },
  };
}

export interface StoredTask {
  task: Task;
  records: HistoryRecord[];
  spending: Spending[];
  knowledge: Knowledge[];
  /** What the tasks of the project share. */
  shared: Knowledge[];
  events: EventEnvelope[];
  rawLog: RawLine[];
  /** The worker's texts, by iteration. */
  outputs: Map<number, string>;
  output: string;
  notes: Note[];
  /** The run that took the lock last and has not released it. */
  holder: MemoryHolder | undefined;
  /** Tells those who watch the store. */
  changed(): void;
}

export class MemoryTask implements OpenTask {
  readonly location: string;
  readonly folder: string;
  readonly history_path: string;
  readonly token: string;
  readonly output_path = undefined;
  readonly history: MemoryHistory;
  readonly knowledge: MemoryKnowledge;
  readonly ledger: Ledger;
  readonly events: EventLog;
  readonly #stored: StoredTask;
  readonly #holder: MemoryHolder;
  readonly #guard: () => void;

  constructor(stored: StoredTask, holder: MemoryHolder) {
    const { token } = holder;
    const { task_id: id } = stored.task;
    this.#stored = stored;
    this.#guard = () => {
      if (stored.holder?.token === token) return;
      throw new E8Error("task_taken", { id, who: stored.holder?.who ?? "", since: stored.holder?.since ?? "" });
    };
    this.location = `memory:${id}`;
    this.folder = this.location;
    this.history_path = `memory:${id}/history`;
    this.token = `memory:${id}:${token}`;
    this.#holder = holder;
    this.history = new MemoryHistory(stored, this.#guard);
    this.knowledge = new MemoryKnowledge(stored, this.#guard);
    this.ledger = ledgerIn(stored, this.#guard);
    this.events = { append: async (event) => this.#keepEvent(event) };
  }

  get task(): Task {
    return this.#stored.task;
  }

  get cancelled(): AbortSignal {
    return this.#holder.cancel.signal;
  }

  onPauseRequest(listener: (isAsked: boolean) => void): void {
    this.#holder.pauseRequested = listener;
  }

  markPaused(isPaused: boolean): void {
    this.#holder.is_paused = isPaused;
    this.#stored.changed();
  }

  readonly notes: NoteBox = {
    waiting: async () => [...this.#stored.notes],
    remove: async (note_id) => {
      this.#guard();
      this.#stored.notes = this.#stored.notes.filter((note) => note.note_id !== note_id);
    },
  };

  async save(change: Partial<Task>): Promise<void> {
    this.#guard();
    this.#stored.task = throughJson(Task, { ...this.#stored.task, ...change });
    this.#stored.changed();
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

  async requireHeld(): Promise<void> {
    this.#guard();
  }

  takeNotices(): Notice[] {
    return [];
  }

  async release(): Promise<void> {
    if (!this.#isOurs()) return;
    this.#stored.holder = undefined;
    this.#stored.changed();
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

  async recall(): Promise<Recalled> {
    return { records: this.#stored.records };
  }

  async context(size: number): Promise<HistoryContext> {
    const memory = new HistoryMemory(size);
    for (const record of this.#stored.records) memory.add(record);
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
    const { knowledge, shared } = this.#stored;
    return mostRelevant([...merged([...knowledge, ...shared]).values()], text, size);
  }

  applied(entries: readonly Knowledge[]): void {
    this.#applied.push(...entries);
  }

  async flush(): Promise<void> {
    const { knowledge, shared } = this.#stored;
    this.#guard();
    for (const { content } of this.#applied.splice(0))
      for (const entries of [knowledge, shared]) {
        const entry = merged(entries).get(contentKey(content));
        if (entry) entries.push({ ...entry, applied_count: entry.applied_count + 1 });
      }
  }
}

function ledgerIn(stored: StoredTask, guard: () => void): Ledger {
  return {
    append: async (spending) => {
      guard();
      stored.spending.push(throughJson(Spending, spending));
    },
    spent: async (ending) => spentInAll(stored.spending, ending),
  };
}

/** The value as a disk would return it. */
export function throughJson<T>(schema: { parse(value: unknown): T }, value: unknown): T {
  return schema.parse(JSON.parse(JSON.stringify(value)));
}
