import type { AgentReply, Assignment } from "../model/agent.ts";
import type { Digests } from "../model/digests.ts";
import type { AgentEvent } from "../model/events.ts";
import type { ExecutionSummary, HistoryRecord } from "../model/records.ts";
import type { ClarificationQuestion, Knowledge } from "../model/roles.ts";
import type { Answer, Task } from "../model/task.ts";
import type { Spending } from "../model/usage.ts";
import type { Wording } from "../model/wording.ts";

/** What is known of an assignment before it is given. */
export type Expectation = Omit<Assignment, "prompt" | "iteration" | "inputs">;

/**
 * Answers one assignment in a fresh context. Never throws for a failed answer: a failure is part of the reply,
 * and so is what it spent. When `signal` aborts, it ends every process it started for the answer and returns soon.
 */
export interface Agent {
  work(assignment: Assignment, signal: AbortSignal): AsyncGenerator<AgentEvent, AgentReply>;
  /**
   * A hint that such an assignment may follow. The agent may get ready for it, must not spend anything or change anything that
   * can be seen, and may ignore the hint. Returns at once, never throws, and obliges nobody to ask.
   */
  prepare?(expected: Expectation): void;
  /** Ends all that it keeps ready, soon. Nothing is asked of it afterwards. */
  close?(): Promise<void>;
}

export interface CommandRequest {
  command: string;
  timeout_seconds: number;
  pipefail: boolean;
  /** `$1`, `$2` … of the command, whatever characters they hold. `"$@"` as the command runs a program with its arguments. */
  arguments?: readonly string[];
  /** Added to the environment that all commands have. */
  environment?: Readonly<Record<string, string>>;
  /** What the command reads; nothing where absent. */
  stdin?: string;
  /** Gives the outcome a `stdout`. The price: in `output_tail` stderr may then stand a little before or after its place. */
  separate_stdout?: boolean;
  /** How much of a separate `stdout` is kept, where it is more than usual. */
  stdout_bytes?: number;
}

export interface CommandOutcome {
  /** Null when a signal ended it or it never started. */
  exit_code: number | null;
  signal: string | null;
  timed_out: boolean;
  /** Why it could not be started. */
  start_error: Wording | null;
  /** The end of stdout and stderr together, as they came. */
  output_tail: string;
  /** Stdout alone, when the request asked for it: whole up to 64 KB, of more its beginning and its end. */
  stdout?: string;
  seconds: number;
}

/** Runs a shell command in the project. Never throws: whatever happens is the outcome. Leaves no process after a time-out or abort. */
export interface CommandRunner {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
}

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
  save(change: Partial<Pick<Task, "intake" | "answers" | "configuration" | "boundary" | "baseline">>): Promise<void>;
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

/**
 * Paths as seen from the project; what lies outside it, by its whole path. Named are files that the worker says it wrote, which come
 * first and which nobody else may see; the others are sorted. A file whose content was known and is the same again has not changed.
 */
export type ChangedSince = (named?: readonly string[]) => Promise<string[]>;

/** Sees which files of the project change, whoever changes them. */
export interface Workspace {
  /** Remembers the present state; the returned function lists what has changed since. */
  watch(): Promise<ChangedSince>;
  /** What the files that match these patterns are now, including files that git ignores. Throws when there are too many to keep. */
  digests(patterns: readonly string[]): Promise<Digests>;
}

export interface TrackedItem {
  kind: "issue" | "pr";
  number: number;
  /** OPEN, CLOSED or MERGED. */
  state: string;
  labels: string[];
}

export interface LabelChange {
  add: readonly string[];
  remove: readonly string[];
}

/**
 * Issues and pull requests, wherever they are kept. Throws E8Error `tracker_failed`. Every change is harmless when made twice.
 * When `signal` aborts, it throws at once: whether a change that was on its way has been made, only a look can tell.
 */
export interface IssueTracker {
  get(kind: TrackedItem["kind"], number: number, signal: AbortSignal): Promise<TrackedItem>;
  close(kind: TrackedItem["kind"], number: number, signal: AbortSignal): Promise<void>;
  label(number: number, change: LabelChange, signal: AbortSignal): Promise<void>;
}

/** Loads a user's ES module; what it exports by default. Throws E8Error `module_broken`. */
export type LoadModule = (path: string) => Promise<unknown>;

/** Puts questions to the user. Undefined: nobody answers here. */
export type Ask = (questions: readonly ClarificationQuestion[]) => Promise<Answer[] | undefined>;

export interface Clock {
  now(): Date;
  /** Seconds on a clock that never jumps. */
  elapsed(): number;
  /** Resolves early, without error, when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Everything outside that one run of a task needs. */
export interface Ports {
  agents: { executor: Agent; roles: Agent };
  commands: CommandRunner;
  history: History;
  knowledge: KnowledgeBase;
  ledger: Ledger;
  files: TaskFiles;
  workspace: Workspace;
  clock: Clock;
  ask?: Ask;
}
