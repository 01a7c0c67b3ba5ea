import type { Evaluation } from "../../model/evaluation.ts";
import type { EventEnvelope, RunEvent } from "../../model/events.ts";
import type { Message } from "../../model/message.ts";
import type { Notice } from "../../model/notices.ts";
import type { ExecutionSummary, HistoryRecord, Note } from "../../model/records.ts";
import type { Knowledge, Role } from "../../model/roles.ts";
import type { RunState } from "../../model/state.ts";
import type { Task } from "../../model/task.ts";
import type { Spending, Usage } from "../../model/usage.ts";
import type { Lane } from "./branch.ts";
import type { Doors } from "./doors.ts";

/**
 * A task whose lock this run holds. Every write is fenced: once another run has taken the task, writes throw `task_taken` and change
 * nothing; events and raw logs, which never throw, are left out. Raw logs that are files are not fenced: they replace no run that lives.
 */
export interface OpenTask {
  readonly task: Task;
  /** Where its records are, for people. */
  readonly location: string;
  /** The directory for what only this machine needs of the task, such as the index of its snapshots. It may not exist yet. */
  readonly folder: string;
  /** Where its history is, for people, as seen from the project. */
  readonly history_path: string;
  /** Marks the processes of this task, so that a later run finds those that a killed one left behind. */
  readonly token: string;
  readonly history: History;
  readonly knowledge: KnowledgeBase;
  readonly ledger: Ledger;
  readonly events: EventLog;
  readonly rawLog: RawLog;
  /** The raw log of an iteration's worker: its name for people, as seen from the project. Undefined where none is kept. */
  rawLogPath(iteration: number): string | undefined;
  /** Aborts when the store is asked to cancel the task. */
  readonly cancelled: AbortSignal;
  /** Calls the listener within a second when the store is asked to pause the task, or no longer is. */
  onPauseRequest(listener: (isAsked: boolean) => void): void;
  /** Tells other processes whether the task stands still. Synchronous: a shell may stop this process right afterwards. */
  markPaused(isPaused: boolean): void;
  readonly notes: NoteBox;
  /** The accounts that all runs of the store share. Absent: those of one process have their own. */
  readonly doors?: Doors;
  /** The line before each base, of all runs of the store. Absent: it has none. */
  readonly lane?: Lane;
  /** Replaces parts of the stored task in one step. */
  save(
    change: Partial<
      Pick<
        Task,
        | "intake"
        | "answers"
        | "configuration"
        | "baseline"
        | "start"
        | "protected_start"
        | "before"
        | "tests_before"
        | "checked_before"
        | "judges_text"
        | "toolchain"
        | "left"
        | "suspect_ignored"
        | "model_settings"
        | "issues"
        | "place"
        | "repository"
        | "machine"
        | "tools"
      >
    >,
  ): Promise<void>;
  /** Keeps a worker's text. Others can read it when this resolves; it survives a power cut once `stored` has resolved. */
  saveOutput(output: WorkerOutput): Promise<SavedOutput>;
  /** The text of an iteration, or else the one that was handed in last; empty when there is none. */
  readOutput(iteration?: number): Promise<string>;
  /** The file with the text that was handed in last, for a worker to read. Undefined for a store without files. */
  readonly output_path: string | undefined;
  /**
   * Finds changes by other programs: a changed task is restored, with a notice; lost or changed records throw
   * `records_lost`. Where other programs can change nothing, there is nothing to find.
   */
  verify(): Promise<void>;
  /** Throws `task_taken` where another run has the task. */
  requireHeld(): Promise<void>;
  /** What the user should know about the store, each notice once. */
  takeNotices(): Notice[];
  /** Flushes everything and gives the lock back. */
  release(): Promise<void>;
}

/** The notes that no worker has been told yet. */
export interface NoteBox {
  /** Oldest first. */
  waiting(): Promise<Note[]>;
  /** For a note that is in the history. */
  remove(note_id: string): Promise<void>;
}

export interface WorkerOutput {
  iteration: number;
  text: string;
  /** Becomes the task's output. The text of a worker that was cut off does not: it would replace a good one. */
  is_handed_in: boolean;
}

/** The names are for people, as seen from the project. */
export interface SavedOutput {
  /** The iteration's own text. */
  path: string;
  /** The task's output, when the text has become it. */
  name?: string;
  stored: Promise<void>;
}

/** The task's append-only record. An append has reached the disk when it returns. */
export interface History {
  append(record: HistoryRecord): Promise<void>;
  /** Told after each summary what the run knows now. A store may keep it for `recall`, so that no run has to read a long history whole. */
  mark?(state: () => RunState): Promise<void>;
  /** Copies an appended record to the file that the user chose. A failed copy of the ending is only a notice. */
  copy(record: HistoryRecord): Promise<void>;
  records(): AsyncIterable<HistoryRecord>;
  recall(): Promise<Recalled>;
  context(size: number): Promise<HistoryContext>;
}

/** What a run that goes on with a task needs of its past: all records, or what a run has known once and the records since. */
export interface Recalled {
  state?: RunState;
  records: AsyncIterable<HistoryRecord> | Iterable<HistoryRecord>;
}

/** A summary, and the unmet criteria where it claims a success that its judgment refuted. */
export interface JudgedSummary extends ExecutionSummary {
  refuted_by?: Evaluation[];
}

/** Failures and refuted successes with the same approach, the same reason and the same unmet criteria. */
export interface FailureGroup {
  approach: string;
  reason: string;
  failure?: Message;
  /** As in the first iteration of the group. */
  refuted_by?: Evaluation[];
  count: number;
  first_iteration: number;
  last_iteration: number;
}

/** What the next prompt may draw on: the latest summaries, and every earlier failure or refuted success, grouped (FR-005). */
export interface HistoryContext {
  /** Oldest first. */
  latest: JudgedSummary[];
  /** Those that are not among the latest; oldest first, at most `FAILURE_GROUPS`. */
  failures: FailureGroup[];
  /** Groups beyond that number, left out of the middle. */
  failures_left_out: number;
}

/**
 * The task's own knowledge, and that of the project or of the file that the configuration names. Merges duplicates. What is added goes
 * to the task's own knowledge, and to the named file.
 */
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
  /** The sum of all lines. Lost ones count as far as the last ending includes them. */
  spent(ending: RunState["ended"]): Promise<Usage>;
}

/** The event wire. Events are kept for readers, not for resuming: the last ones before a power cut may be lost. */
export interface EventLog {
  /** Numbers and stores an event. The envelope holds the whole event; the stored form is bounded. */
  append(event: RunEvent): Promise<EventEnvelope>;
}

/** Takes the raw stream of an agent, line by line. A log that cannot be written is a notice, never a failure. */
export type RawLog = (iteration: number, role: Role, line: string) => Promise<void>;
