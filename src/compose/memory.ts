import type { z } from "zod";
import { systemClock } from "../connection/clock.ts";
import { absolute } from "../connection/files.ts";
import type { HistoryContext } from "../connection/ports/open-task.ts";
import type { KnowledgeRequest } from "../connection/ports/task-store.ts";
import { collect, readRecords } from "../connection/stores/files/json-lines.ts";
import { appendShared } from "../connection/stores/files/shared-file.ts";
import { HistoryMemory } from "../connection/stores/history-memory.ts";
import { fitting } from "../connection/stores/knowledge.ts";
import { mostRelevant } from "../connection/stores/knowledge-ranking.ts";
import { ExecutionSummary, HistoryRecord } from "../model/records.ts";
import { Knowledge, type KnowledgeDraft } from "../model/roles.ts";

const CONTEXT_SIZE = 5;
const KNOWLEDGE_SIZE = 10;
/** The one who adds knowledge from a program. */
const PROGRAM = "program";

/** What was done, and what the next worker would be told of it. Without a path it is kept in memory only. */
export class History {
  readonly #path: string | undefined;
  #records: HistoryRecord[] = [];
  /** How many of the records are in the file. */
  #stored = 0;

  constructor(path?: string) {
    this.#path = path === undefined ? undefined : absolute(path);
  }

  get records(): readonly HistoryRecord[] {
    return this.#records;
  }

  get summaries(): ExecutionSummary[] {
    return this.#records.filter((record) => record.type === "summary");
  }

  addSummary(summary: z.input<typeof ExecutionSummary>): void {
    this.#records.push(ExecutionSummary.parse(summary));
  }

  /** The latest summaries, and every earlier failure, grouped (FR-005). */
  context(limit: number = CONTEXT_SIZE): HistoryContext {
    const memory = new HistoryMemory(limit);
    for (const summary of this.summaries) memory.add(summary);
    return memory.context(limit);
  }

  /** Reads the file again. Forgets what was added and not persisted; skips lines that hold no record. */
  async load(): Promise<void> {
    if (this.#path === undefined) return;
    this.#records = await collect(readRecords(this.#path, HistoryRecord, () => {}));
    this.#stored = this.#records.length;
  }

  /** Appends what was added since. Not for the history of a task that runs: that run takes it for damage. */
  async persist(): Promise<void> {
    if (this.#path === undefined) return;
    await appendShared(this.#path, this.#records.slice(this.#stored));
    this.#stored = this.#records.length;
  }
}

/** What was learned, in a file that runs may read and append to at the same time. */
export class KnowledgeBase {
  readonly #path: string;

  constructor(path = ".e8/knowledge.jsonl") {
    this.#path = absolute(path);
  }

  /** Appends an entry at once. */
  async add(draft: NewKnowledge): Promise<Knowledge> {
    const created_at = systemClock.now().toISOString();
    const entry = Knowledge.parse({ source_task: PROGRAM, created_at, ...draft });
    await appendShared(this.#path, [entry]);
    return entry;
  }

  /** The entries that fit, without duplicates, the surest and youngest first. */
  async query(request: KnowledgeQuery = {}): Promise<Knowledge[]> {
    return fitting(await collect(readRecords(this.#path, Knowledge, () => {})), { ...request, report: () => {} });
  }

  /** What a worker on this task would be told: the entries that match it best, filled up with the surest of the others. */
  async relevant(task: string, limit: number = KNOWLEDGE_SIZE): Promise<Knowledge[]> {
    return mostRelevant(await this.query(), task, limit);
  }
}

export type NewKnowledge = z.input<typeof KnowledgeDraft> & { source_task?: string };
export type KnowledgeQuery = Pick<KnowledgeRequest, "type" | "category" | "minimum_confidence">;
