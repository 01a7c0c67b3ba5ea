import type { Configuration } from "../../model/configuration.ts";
import type { E8Error } from "../../model/errors.ts";

import type { EventEnvelope, RunEvent } from "../../model/events.ts";
import type { Statement } from "../../model/message.ts";
import type { Notice } from "../../model/notices.ts";
import type { HistoryRecord, LoopResult, LoopStatus, Note } from "../../model/records.ts";
import type { Confidence, Knowledge, KnowledgeDraft, KnowledgeType, Role } from "../../model/roles.ts";

import type { Task, TaskId } from "../../model/task.ts";
import type { Spending, Usage } from "../../model/usage.ts";
import type { OpenTask } from "./open-task.ts";

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
