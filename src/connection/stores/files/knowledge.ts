import { Knowledge } from "../../../model/roles.ts";
import type { KnowledgeBase, ReportNotice } from "../../ports/task-store.ts";
import { contentKey, merged } from "../knowledge.ts";
import { mostRelevant } from "../knowledge-ranking.ts";
import { type Guard, type Journal, openJournal } from "./journal.ts";
import { collect, once, readRecords } from "./json-lines.ts";
import { appendShared } from "./shared-file.ts";

export interface KnowledgeOptions {
  /** The project's file, which other runs read and append to at any time. */
  shared?: string | undefined;
  report: ReportNotice;
  guard?: Guard;
}

export async function openKnowledge(path: string, options: KnowledgeOptions): Promise<FileKnowledge> {
  const journal = await openJournal(path, Knowledge, options.report, options.guard);
  return new FileKnowledge(journal, { ...options, report: once(options.report) });
}

class FileKnowledge implements KnowledgeBase {
  readonly #journal: Journal<Knowledge>;
  readonly #options: KnowledgeOptions;
  #applied: Knowledge[] = [];

  constructor(journal: Journal<Knowledge>, options: KnowledgeOptions) {
    this.#journal = journal;
    this.#options = options;
  }

  async add(entries: readonly Knowledge[]): Promise<void> {
    for (const entry of entries) await this.#journal.append(entry);
    if (this.#options.shared !== undefined) await appendShared(this.#options.shared, entries);
  }

  async relevant(text: string, size: number): Promise<Knowledge[]> {
    return mostRelevant([...(await this.#known()).values()], text, size);
  }

  applied(entries: readonly Knowledge[]): void {
    this.#applied.push(...entries);
  }

  async flush(): Promise<void> {
    const counted = this.#applied;
    this.#applied = [];
    if (counted.length > 0) await this.add(withCounts(counted, await this.#known()));
  }

  check(): void {
    this.#journal.check();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Read anew each time, because other runs add to the shared file; both files stay small. */
  async #known(): Promise<Map<string, Knowledge>> {
    const entries = await collect(this.#journal.read());
    return merged([...entries, ...(await this.#sharedEntries())]);
  }

  async #sharedEntries(): Promise<Knowledge[]> {
    const { shared, report } = this.#options;
    return shared === undefined ? [] : collect(readRecords(shared, Knowledge, report));
  }
}

/** Each entry once; its count grows by the number of times it was applied. */
function withCounts(counted: readonly Knowledge[], known: ReadonlyMap<string, Knowledge>): Knowledge[] {
  const updated = new Map<string, Knowledge>();
  for (const entry of counted) {
    const key = contentKey(entry.content);
    const latest = updated.get(key) ?? known.get(key) ?? entry;
    updated.set(key, { ...latest, applied_count: latest.applied_count + 1 });
  }
  return [...updated.values()];
}
