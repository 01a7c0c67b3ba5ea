import type { ExecutionSummary, HistoryRecord } from "../../model/records.ts";
import type { Knowledge } from "../../model/roles.ts";
import type { Task } from "../../model/task.ts";
import type { Spending } from "../../model/usage.ts";

/** Failures of one kind: the same approach ending the same way. */
export interface FailureGroup {
  approach: string;
  reason: string;
  count: number;
  first_iteration: number;
  last_iteration: number;
}

/** What the next prompt may draw on: the latest summaries, and every earlier failure, grouped (FR-005). */
export interface HistoryContext {
  /** Oldest first. */
  latest: ExecutionSummary[];
  /** Failures that are not among the latest; oldest first, at most `FAILURE_GROUPS`. */
  failures: FailureGroup[];
  /** Groups beyond that number, left out of the middle. */
  failures_left_out: number;
}

/** The task's append-only record. An append has reached the disk when it returns. */
export interface History {
  append(record: HistoryRecord): Promise<void>;
  /** Puts a copy of what was appended where the user wants one. A copy of the ending that cannot be written is only told of. */
  copy(record: HistoryRecord): Promise<void>;
  records(): AsyncIterable<HistoryRecord>;
  context(size: number): Promise<HistoryContext>;
}

/** What was learned: the task's own knowledge, and the project's where one is named. Duplicates are merged. */
export interface KnowledgeBase {
  add(entries: readonly Knowledge[]): Promise<void>;
  /** Most relevant to the text first. */
  relevant(text: string, size: number): Promise<Knowledge[]>;
  /** Counts one application of each, to be written by `flush`. */
  applied(entries: readonly Knowledge[]): void;
  /** Writes what `applied` counted. */
  flush(): Promise<void>;
}

/** What the task has spent, line by line. */
export interface Ledger {
  append(spending: Spending): Promise<void>;
  entries(): AsyncIterable<Spending>;
}

/** The task's own files besides its records. */
export interface TaskFiles {
  readonly task: Task;
  readonly directory: string;
  readonly history_path: string;
  /** Replaces task.json in one step. */
  save(change: Partial<Pick<Task, "intake" | "answers" | "configuration" | "baseline">>): Promise<void>;
  /**
   * Puts task.json back as we wrote it where somebody else has changed it since: the next run reads its criteria there. Whether
   * that was so. Throws when the task is another run's by now.
   */
  restore(): Promise<boolean>;
  /** Throws when records of the task are lost. */
  confirmRecords(): void;
  /** Writes output.md, for whoever reads it from now on, and returns its path relative to the project. */
  saveOutput(text: string): Promise<string>;
  /** Resolves when output.md has reached the disk, which must come before a record that names the only copy of a text. */
  flushOutput(): Promise<void>;
  /** What `saveOutput` last wrote; empty when it never did. */
  readOutput(): Promise<string>;
}
