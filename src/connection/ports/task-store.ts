import type { Configuration } from "../../model/configuration.ts";
import type { E8Error } from "../../model/errors.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { EventEnvelope, RunEvent } from "../../model/events.ts";
import type { Message, Statement } from "../../model/message.ts";
import type { Notice } from "../../model/notices.ts";
import type { ExecutionSummary, HistoryRecord, LoopResult, LoopStatus, Note } from "../../model/records.ts";
import type { Confidence, Knowledge, KnowledgeDraft, KnowledgeType, Role } from "../../model/roles.ts";
import type { RunState } from "../../model/state.ts";
import type { Task, TaskId } from "../../model/task.ts";
import type { Spending, Usage } from "../../model/usage.ts";
import type { Doors } from "./doors.ts";

/**
 * Everything stored about a project's tasks. One run at a time holds a task; others only read. Calls
 * throw E8Error: `task_not_found`, `task_locked`, `no_tasks`, `disk_full` and so on.
 */
export interface TaskStore {
  /** Stores a new task, or leaves nothing behind. Tasks created in the same second get different ids. */
  create(input: NewTask): Promise<TaskId>;
  /**
   * Takes the task's lock. Throws `task_locked` while another run holds it; the lock of a run that died is taken over. Where a store cannot
   * see whether a run has died, its lock is a lease: it ends when the run has not renewed it for a while. What other programs
   * have changed in the task and its records since is undone, with a notice that names it, unless the user accepts it. Throws
   * `task_unknown` or `task_copy_lost` for a task that this store cannot have made, or cannot compare any more.
   */
  open(id: TaskId, options?: OpenOptions): Promise<OpenTask>;
  /** The task as it is stored now, without its lock. */
  read(id: string): Promise<Task>;
  /** The ids of all tasks, oldest first. */
  list(): Promise<TaskId[]>;
  /** All tasks, or those of these that are there; oldest first. Unreadable tasks are listed with their error. */
  overviews(ids?: readonly TaskId[]): Promise<(TaskOverview | BrokenTask)[]>;
  /** Everything recorded of a task, read without its lock. */
  past(id: string): Promise<TaskPast>;
  /** The run that holds the task now. */
  holder(id: string): Promise<Holder | undefined>;
  /**
   * Asks the run that holds the task to stop, and waits for it. False when it is still winding down after a while. The run
   * notices the request within a second, on any machine. Throws `task_not_running`.
   */
  cancel(id: string): Promise<boolean>;
  /** Removes the task with all its records. Copies (`persist`) and shared knowledge stay. Throws `task_locked` while a run holds it. */
  remove(id: string): Promise<void>;
  /** Removes what runs left that were killed after their end, and what is kept of tasks that were removed in another way. Returns how many of these there were. */
  sweep(): Promise<number>;
  /** How many bytes removing the task would free. */
  size(id: string): Promise<number>;
  /** The tasks with records in the file that `persist` names, the latest copy last. Other contents of the file do not matter. */
  copiedTo(persist: string): Promise<TaskId[]>;
  /**
   * Asks the run that holds the task to stand still with all its processes. False when it is not yet standing still after a while.
   * Throws `task_not_running`.
   */
  pause(id: string): Promise<boolean>;
  /** Takes that request back, and also has a run go on that a shell has stopped. False when it does not go on for a while. */
  unpause(id: string): Promise<boolean>;
  /** Leaves a note for the task's next worker, whether the task runs now or later. It survives a power cut once this resolves. */
  tell(id: string, text: string, now: Date): Promise<void>;
  /** The events stored so far; with `follow`, also those to come until the run ends or the signal aborts. */
  events(id: string, options?: EventRequest): AsyncGenerator<EventEnvelope>;
  /**
   * Calls back with each task that was made or removed, whose run has begun, ended or paused, or that has changed otherwise but by its
   * records and events, soon after it has; sometimes without a reason. Returns how to stop.
   */
  watch(changed: (id: TaskId) => void): () => void;
  /** The raw streams of the task's agents, in the order of the work. */
  rawLog(id: string, request: RawLogRequest): AsyncGenerator<RawLine>;
  /** The knowledge of all tasks or of one, without duplicates, the surest and youngest first. */
  knowledge(request: KnowledgeRequest): Promise<Knowledge[]>;
  /** Adds to the knowledge that all tasks of the project share. */
  addKnowledge(draft: KnowledgeDraft, now: Date): Promise<Knowledge>;
}

export interface OpenOptions {
  /** Takes the task and its records as they are now, whoever has written them. */
  acceptChanges?: boolean | undefined;
  /** Takes it only while a fleet still has to work on it. Throws `task_not_in_line`. */
  isOfFleet?: boolean | undefined;
}

export interface NewTask {
  configuration: Configuration;
  now: Date;
  /**
   * Told the id before anything is stored that a reader would find: who keeps records of tasks has it there first, and no task is left that
   * nobody knows of. Another id follows where that one was taken meanwhile. Where it throws, no task is made.
   */
  named?: ((id: TaskId) => Promise<void>) | undefined;
  flow?: Task["flow"];
  script?: string | undefined;
  task_file?: string | undefined;
  issue?: Task["issue"];
  /** The branch and worktree of an earlier task for the same issue, which has left its work there. */
  place?: Task["place"];
  comparison?: Task["comparison"];
  repository?: Task["repository"];
}

/**
 * A task whose lock this run holds. Every write but that of raw logs is fenced: once another run has taken the task, writes throw `task_taken`
 * and change nothing.
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
        | "judges_text"
        | "toolchain"
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

/** A run that holds a task. */
export interface Holder {
  who: Statement;
  since: string;
}

/** How the last run ended; or `running`, `paused`, `queued` for a worker of a fleet, or `interrupted` where it was killed. */
export type TaskStatus = LoopStatus | "running" | "paused" | "queued" | "interrupted";

/**
 * `kept`: the store has made it and can tell whether its records were changed. `lost`: it has made it, and can no longer tell. `older`: it
 * was there before the store kept anything of this project. `unknown`: another program has written it.
 */
export type TaskOrigin = "kept" | "lost" | "older" | "unknown";

/** How far a task has come. */
export interface Standing {
  status: TaskStatus;
  /** Whether the store knows that it has made the task itself; `unknown` where it has not. */
  origin: TaskOrigin;
  /** The last run's result; undefined while a run is active or after it was killed. */
  result: LoopResult | undefined;
  iterations: number;
  criteria_met: number;
  spent: Usage;
  /** When a run last began, recorded something or ended. */
  last_active: string;
}

export interface TaskPast extends Standing {
  task: Task;
  /** Where its records are, for people. */
  location: string;
  /** The directory for what only this machine needs of the task. */
  folder: string;
  records: HistoryRecord[];
  spending: Spending[];
  /** Notes for its next worker. */
  notes: Note[];
}

/** The parts of a task that a list shows. */
export interface TaskHeading extends Pick<Task, "task_id" | "created_at"> {
  configuration: { task: string; criteria: readonly unknown[]; max_iterations: number };
  flow: { name: string; parameters: Readonly<Record<string, unknown>> } | null;
}

export interface TaskOverview extends Standing {
  task: TaskHeading;
  location: string;
}

export interface BrokenTask {
  task_id: TaskId;
  error: E8Error;
}

export type ReportNotice = (notice: Notice) => void;

export interface EventRequest {
  follow?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Only events with a higher number. */
  after?: number | undefined;
  /** Only events of these types; all where absent. */
  types?: readonly RunEvent["type"][] | undefined;
}

export interface RawLogRequest {
  /** All iterations where absent. */
  iteration?: number | undefined;
  /** Continues while the task runs. */
  follow: boolean;
  /** Gets a notice for each unreadable log. */
  report: ReportNotice;
}

/** One line of an agent's raw stream. */
export interface RawLine {
  iteration: number;
  role: Role;
  line: string;
}

export interface KnowledgeRequest {
  /** Only what this task has learned; all tasks and the project's own where absent. */
  task?: string | undefined;
  type?: KnowledgeType;
  category?: string;
  minimum_confidence?: Confidence;
  /** Gets a notice for each unreadable file: one broken task does not hide the knowledge of others. */
  report: ReportNotice;
}
