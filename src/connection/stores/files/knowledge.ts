import { notice } from "../../../model/notices.ts";
import { Knowledge } from "../../../model/roles.ts";
import type { KnowledgeBase } from "../../ports/open-task.ts";
import type { ReportNotice } from "../../ports/task-store.ts";
import { merged } from "../knowledge.ts";
import { among, withCounts } from "../knowledge-counts.ts";
import { mostRelevant } from "../knowledge-ranking.ts";
import { type Guard, type Journal, type JournalProtection, openJournal } from "./journal.ts";
import { collect, once, readRecords } from "./json-lines.ts";
import { appendShared, growingFile } from "./shared-file.ts";

export interface KnowledgeOptions {
  /** A file that other runs read and append to at any time. */
  shared?: string | undefined;
  /** What this task learns stays in its own file. The other file only gets the counts of its own entries. */
  keepsToItself?: boolean;
  /** The project's file, which `restore` protects. */
  project: string;
  report: ReportNotice;
  guard?: Guard | undefined;
  copy?: JournalProtection["copy"];
}

export async function openKnowledge(path: string, options: KnowledgeOptions): Promise<FileKnowledge> {
  const journal = await openJournal(path, Knowledge, options.report, options);
  return new FileKnowledge(journal, options);
}

class FileKnowledge implements KnowledgeBase {
  readonly #journal: Journal<Knowledge>;
  readonly #options: KnowledgeOptions;
  readonly #reportOnce: ReportNotice;
  readonly #restoreProject: () => Promise<boolean>;
  readonly #applied: Knowledge[] = [];

  constructor(journal: Journal<Knowledge>, options: KnowledgeOptions) {
    this.#journal = journal;
    this.#options = options;
    this.#reportOnce = once(options.report);
    this.#restoreProject = growingFile(options.project);
  }

  async add(entries: readonly Knowledge[]): Promise<void> {
    const { shared, keepsToItself } = this.#options;
    for (const entry of entries) await this.#journal.append(entry);
    if (shared !== undefined && !keepsToItself) await appendShared(shared, entries);
  }

  async relevant(text: string, size: number): Promise<Knowledge[]> {
    const { own, others } = await this.#known();
    return mostRelevant([...merged([...own, ...others]).values()], text, size);
  }

  applied(entries: readonly Knowledge[]): void {
    this.#applied.push(...entries);
  }

  async flush(): Promise<void> {
    const { shared, guard } = this.#options;
    const counted = this.#applied.splice(0);
    if (counted.length === 0) return;
    const { own, others } = await this.#known();
    const updated = withCounts(counted, merged([...own, ...others]));
    for (const entry of among(own, updated)) await this.#journal.append(entry);
    await guard?.();
    if (shared !== undefined) await appendShared(shared, among(others, updated));
  }

  /** Puts back what a worker has taken away from the project's file. */
  async restore(): Promise<void> {
    const { project: file, report } = this.#options;
    if (await this.#restoreProject()) report(notice("records_restored", { file }));
  }

  check(): void {
    this.#journal.check();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Read anew each time, because other runs add to the shared file; both files stay small. */
  async #known(): Promise<{ own: Knowledge[]; others: Knowledge[] }> {
    const { shared } = this.#options;
    const own = await collect(this.#journal.read());
    return { own, others: shared === undefined ? [] : await collect(readRecords(shared, Knowledge, this.#reportOnce)) };
  }
}
