import { stat } from "node:fs/promises";
import type { E8Error } from "../../../model/errors.ts";
import { hiddenOutputs, publicRecord } from "../../../model/hidden.ts";
import { notice } from "../../../model/notices.ts";
import { HistoryRecord } from "../../../model/records.ts";
import type { History, HistoryContext, Recalled } from "../../ports/open-task.ts";
import type { ReportNotice } from "../../ports/task-store.ts";
import { queryHistoryContext } from "../../queries/history-context.ts";
import { HistoryMemory } from "../history-memory.ts";
import { fileProblem, problemOf } from "./faults.ts";
import { type Guard, type Journal, type JournalProtection, openJournal } from "./journal.ts";
import { once } from "./json-lines.ts";
import { missedCopies } from "./missed-copies.ts";
import { appendShared } from "./shared-file.ts";

export interface HistoryOptions {
  task_id: string;
  /** A file that gets a copy of every record, with the task's id. */
  persist?: string | undefined;
  report: ReportNotice;
  guard?: Guard | undefined;
  copy?: JournalProtection["copy"];
  /** The numbers of the hidden checks, and the file outside the project for their output. */
  hidden?: { ids: ReadonlySet<number>; path: string } | undefined;
}

export async function openHistory(path: string, options: HistoryOptions): Promise<FileHistory> {
  return new FileHistory(path, await openJournal(path, HistoryRecord, options.report, options), options);
}

const NO_IDS: ReadonlySet<number> = new Set();

/** The largest `history_context_size`. */
const CAPACITY = 20;

/** Up to this size, reading line by line is faster than loading DuckDB and needs less memory. */
const SHORT_BYTES = 1024 * 1024;

class FileHistory implements History {
  readonly #path: string;
  readonly #journal: Journal<HistoryRecord>;
  readonly #options: HistoryOptions;
  readonly #reportScan: ReportNotice;
  /** Absent until the records of earlier runs are read. */
  #memory: HistoryMemory | undefined;

  constructor(path: string, journal: Journal<HistoryRecord>, options: HistoryOptions) {
    this.#path = path;
    this.#journal = journal;
    this.#options = options;
    this.#reportScan = once(options.report);
    if (journal.startedEmpty) this.#memory = new HistoryMemory(CAPACITY);
  }

  async append(record: HistoryRecord): Promise<void> {
    // No record of ours may follow a foreign one.
    if (record.type === "final_result") this.#journal.verify();
    else this.#journal.check();
    const stored = await this.#journal.append(await this.#withoutHidden(record));
    this.#memory?.add(stored);
  }

  async copy(record: HistoryRecord): Promise<void> {
    const { persist, task_id } = this.#options;
    if (persist === undefined) return;
    const copied = publicRecord(record, this.#options.hidden?.ids ?? NO_IDS);
    await appendShared(persist, [{ ...copied, task_id }]).catch((error: E8Error) => {
      if (record.type !== "final_result") throw error;
      this.#tellUnwritable(persist, error);
    });
  }

  /** Writes copies that an earlier run has missed. When that fails, the next copy fails, too, and reports it. */
  async copyMissed(): Promise<void> {
    const { persist, task_id } = this.#options;
    if (persist === undefined || this.#journal.startedEmpty) return;
    const copies = missedCopies(this.#path, persist, task_id).map((record) => ({ ...record, task_id }));
    await appendShared(persist, copies).catch((error: E8Error) => this.#tellUnwritable(persist, error));
  }

  /** The output of hidden checks is kept where no worker reads it. */
  async #withoutHidden(record: HistoryRecord): Promise<HistoryRecord> {
    const { hidden } = this.#options;
    if (!hidden) return record;
    await appendShared(hidden.path, hiddenOutputs(record, hidden.ids));
    return publicRecord(record, hidden.ids);
  }

  #tellUnwritable(file: string, error: E8Error): void {
    this.#options.report(notice("copy_unwritable", { file, problem: fileProblem(error.cause) }));
  }

  records(): AsyncIterable<HistoryRecord> {
    return this.#journal.read();
  }

  async recall(): Promise<Recalled> {
    return { records: this.records() };
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
    for await (const record of this.#journal.read()) memory.add(record);
    return memory;
  }
}
