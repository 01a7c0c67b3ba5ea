import { stat } from "node:fs/promises";
import { z } from "zod";
import type { E8Error } from "../../model/errors.ts";
import { notice } from "../../model/notices.ts";
import { HistoryRecord } from "../../model/records.ts";
import type { History, HistoryContext } from "../ports.ts";
import { queryHistoryContext } from "../queries/history-context.ts";
import { problemOf, problemWording } from "./faults.ts";
import { HistoryMemory } from "./history-memory.ts";
import { type Guard, type Journal, openJournal } from "./journal.ts";
import { collect, once, type Report, readRecords } from "./json-lines.ts";
import { appendShared } from "./shared-file.ts";

export interface HistoryOptions {
  task_id: string;
  /** A file that gets a copy of every record, with the task's id. */
  persist?: string | undefined;
  report: Report;
  guard?: Guard;
}

export async function openHistory(path: string, options: HistoryOptions): Promise<FileHistory> {
  return new FileHistory(path, await openJournal(path, HistoryRecord, options.report, options.guard), options);
}

/** The largest `history_context_size`. */
const CAPACITY = 20;

/** Loading DuckDB takes longer than reading so much line by line, and the process stays larger for it. */
const SHORT_BYTES = 1024 * 1024;

class FileHistory implements History {
  readonly #path: string;
  readonly #journal: Journal<HistoryRecord>;
  readonly #options: HistoryOptions;
  readonly #reportScan: Report;
  /** Whether the copy has all that was appended before. */
  #isCopied: boolean;
  /** Absent until it is known what earlier runs left. */
  #memory: HistoryMemory | undefined;

  constructor(path: string, journal: Journal<HistoryRecord>, options: HistoryOptions) {
    this.#path = path;
    this.#journal = journal;
    this.#options = options;
    this.#reportScan = once(options.report);
    this.#isCopied = journal.startedEmpty;
    if (journal.startedEmpty) this.#memory = new HistoryMemory(CAPACITY);
  }

  async append(record: HistoryRecord): Promise<void> {
    // Nothing may follow a record that is not ours.
    if (record.type === "final_result") this.#journal.verify();
    else this.#journal.check();
    const stored = await this.#journal.append(record);
    if (stored.type === "summary") this.#memory?.add(stored);
  }

  async copy(record: HistoryRecord): Promise<void> {
    const { persist, task_id, report } = this.#options;
    if (persist === undefined) return;
    try {
      const records = this.#isCopied ? [record] : await this.#uncopied(persist, record);
      this.#isCopied = false;
      await appendShared(
        persist,
        records.map((one) => ({ ...one, task_id })),
      );
      this.#isCopied = true;
    } catch (error) {
      if (record.type !== "final_result") throw error;
      report(notice("copy_unwritable", { file: persist, problem: problemWording((error as E8Error).cause) }));
    }
  }

  /** The record that was appended last, and those before it that a run could not copy, or did not live to. */
  async #uncopied(persist: string, latest: HistoryRecord): Promise<HistoryRecord[]> {
    const found = await stat(persist).catch(() => undefined);
    if (found && !found.isFile()) return [latest]; // a pipe would be waited for
    const copies = found ? await collect(readRecords(persist, Copy, () => {})) : [];
    const copied = new Set(copies.filter((copy) => copy.task_id === this.#options.task_id).map(placeOf));
    return (await collect(this.#journal.read())).filter((record) => !copied.has(placeOf(record)));
  }

  records(): AsyncIterable<HistoryRecord> {
    return this.#journal.read();
  }

  async context(size: number): Promise<HistoryContext> {
    if (!this.#memory || size > this.#memory.capacity) this.#memory = await this.#recall(Math.max(size, CAPACITY));
    return this.#memory.context(size);
  }

  check(): void {
    this.#journal.check();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Without DuckDB (its library is missing, a line is too long for it) the answer is the same, only slower. */
  async #recall(capacity: number): Promise<HistoryMemory> {
    try {
      if ((await stat(this.#path)).size <= SHORT_BYTES) return this.#scan(capacity);
      return new HistoryMemory(capacity, await queryHistoryContext(this.#path, capacity));
    } catch (error) {
      this.#reportScan(notice("history_scanned", { problem: problemOf(error) }));
      return this.#scan(capacity);
    }
  }

  async #scan(capacity: number): Promise<HistoryMemory> {
    const memory = new HistoryMemory(capacity);
    for await (const record of this.#journal.read()) if (record.type === "summary") memory.add(record);
    return memory;
  }
}

/** What tells the copies of a task's records apart. */
const Copy = z.object({ task_id: z.string(), type: z.string(), iteration: z.int().optional(), timestamp: z.string() });

function placeOf(record: Omit<z.infer<typeof Copy>, "task_id"> | HistoryRecord): string {
  return `${record.type} ${"iteration" in record ? record.iteration : ""} ${record.timestamp}`;
}
