import type { Clock } from "../../src/connection/ports/clock.ts";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../src/connection/ports/commands.ts";
import type {
  ChangedSince,
  FileLook,
  Forgotten,
  IgnoredChange,
  Kept,
  Place,
  Restored,
  Workspace,
} from "../../src/connection/ports/workspace.ts";
import type { ChangedFile } from "../../src/model/changes.ts";
import type { Digests } from "../../src/model/digests.ts";
import { type Message, message } from "../../src/model/message.ts";

/** A clock that moves only when told to, or when somebody sleeps. */
export class ManualClock implements Clock {
  readonly sleeps: number[] = [];
  /** Called at each sleep, before time moves. */
  onSleep: () => void = () => {};
  #milliseconds = 0;

  now(): Date {
    return new Date(Date.UTC(2026, 0, 23, 13, 30) + this.#milliseconds);
  }

  elapsed(): number {
    return this.#milliseconds / 1000;
  }

  advance(seconds: number): void {
    this.#milliseconds += seconds * 1000;
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.sleeps.push(milliseconds);
    this.onSleep();
    if (!signal.aborted) this.#milliseconds += milliseconds;
  }

  /** In real time. */
  timer(milliseconds: number, callback: () => void): () => void {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  }

  async going(): Promise<void> {}
}

/** Where checks run in a clean checkout. */
export const ROOM = "/room";

/** What a proof finds in the workspace. */
export interface ProofScene {
  changes?: ChangedFile[];
  ignored?: IgnoredChange[];
  /** The diff of each changed file, and its text in the snapshot. */
  diffs?: Record<string, string>;
  texts?: Record<string, string>;
  /** The files at the start. */
  paths?: string[];
  /** Of these iterations no snapshot can be made. */
  unkept?: string[];
  /** `false`: no clean checkout can be made. */
  room?: boolean;
  /** Whether no file differs between any two snapshots. */
  isSame?: boolean;
  ignoredWritten?: string[];
  /** `true`: the clean checkout has yet to be prepared. */
  needs_setup?: boolean;
}

/** Sees the changes it is told of, one list for each iteration, and finds the files it is told of, look by look. */
export class ScriptedWorkspace implements Workspace {
  readonly #changes: string[][];
  readonly #files: Digests[];
  /** What a proof finds. Absent: nothing can be kept. */
  proof: ProofScene | undefined;

  constructor(changes: readonly string[][], files: readonly Digests[]) {
    this.#changes = [...changes];
    this.#files = [...files];
  }

  async watch(): Promise<ChangedSince> {
    return async (named = []) => [...new Set([...named, ...(this.#changes.shift() ?? [])])];
  }

  async look(paths: readonly string[]): Promise<FileLook[]> {
    return paths.map((path) => ({ path, kind: "text", text: `the content of ${path}`, is_cut: false }));
  }

  /** As without git, unless a test says what a proof finds. */
  async snapshot(label = ""): Promise<Kept> {
    if (this.proof?.unkept?.includes(label)) return { problem: message("snapshot_failed", { problem: "bad config" }) };
    return this.proof ? { commit: "c".repeat(40) } : { problem: message("git_missing", {}) };
  }

  async changes(): Promise<ChangedFile[]> {
    return this.proof?.changes ?? [];
  }

  async isSame(): Promise<boolean> {
    return this.proof?.isSame ?? false;
  }

  async ignoredWritten(): Promise<string[]> {
    return this.proof?.ignoredWritten ?? [];
  }

  async totals(commits: readonly string[]): Promise<null[]> {
    return commits.slice(1).map(() => null);
  }

  async mixed(commit: string): Promise<string> {
    return commit;
  }

  async whole(commit: string): Promise<string> {
    return commit;
  }

  async adopt(): Promise<void> {}

  async diff(): Promise<string> {
    return Object.values(this.proof?.diffs ?? {}).join("");
  }

  async fileDiffs(_from: string, _to: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return only(this.proof?.diffs, paths);
  }

  async paths(): Promise<string[]> {
    return this.proof?.paths ?? [];
  }

  async mentions(): Promise<ReadonlyMap<string, readonly string[]>> {
    return new Map();
  }

  async ignoredAtStart(): Promise<string[]> {
    return [];
  }

  async linksOut(): Promise<string[]> {
    return [];
  }

  readonly textsAt = async (_: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    only(this.proof?.texts, paths);

  async restore(): Promise<Restored> {
    return { ...(await this.snapshot()), settle: async () => {} };
  }

  async keepIgnored(): Promise<void> {}

  async removeRoom(): Promise<void> {}

  async forget(): Promise<Forgotten> {
    return { removed: 0, kept: 0 };
  }

  async ignoredChanges(): Promise<IgnoredChange[]> {
    return this.proof?.ignored ?? [];
  }

  async checkout(): Promise<Place | { problem: Message }> {
    if (this.proof?.room === false) return { problem: message("git_missing", {}) };
    const nothing = async () => {};
    const { needs_setup = false } = this.proof ?? {};
    return {
      directory: ROOM,
      root: ROOM,
      stands_for: "/project",
      needs_setup,
      prepared: nothing,
      putBack: nothing,
      add: nothing,
      verifySpace: nothing,
      origin: "",
      temporary: "",
      release: nothing,
    };
  }

  async changesSince(_: unknown, seen: readonly string[]): Promise<ChangedFile[]> {
    return seen.map((path) => ({ path, status: null, added: null, removed: null }));
  }

  async digests(): Promise<Digests> {
    return this.#files.shift() ?? {};
  }
}

function only(texts: Record<string, string> = {}, paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(Object.entries(texts).filter(([path]) => paths.includes(path)));
}

/** An exit code, or as much of an outcome as matters. */
export type Outcome = number | Partial<CommandOutcome>;
export type Outcomes = readonly Outcome[] | ((request: CommandRequest) => Outcome);

/** Gives outcomes in order, the last one for ever. */
export class ScriptedCommands implements CommandRunner {
  readonly requests: CommandRequest[] = [];
  readonly #outcomes: Outcomes;
  /** Called while a command runs. */
  onRun: (signal: AbortSignal) => void | Promise<void> = () => {};
  /** With which judges reach their model. */
  settings = "the user's";

  constructor(outcomes: Outcomes) {
    this.#outcomes = outcomes;
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
    this.requests.push(request);
    await this.onRun(signal);
    const given = typeof this.#outcomes === "function" ? this.#outcomes(request) : this.#inOrder(this.#outcomes);
    const told = typeof given === "number" ? { exit_code: given } : given;
    return { exit_code: 0, signal: null, timed_out: false, start_error: null, output_tail: "", seconds: 1, ...told };
  }

  async toolchain(): Promise<Digests> {
    return {};
  }

  async modelSettings(): Promise<Digests> {
    return { "settings.json": this.settings };
  }

  #inOrder(outcomes: readonly Outcome[]): Outcome {
    return outcomes[this.requests.length - 1] ?? outcomes.at(-1) ?? 0;
  }
}
