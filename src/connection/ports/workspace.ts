import type { ChangedFile, ChangeTotals } from "../../model/changes.ts";
import type { Digests } from "../../model/digests.ts";
import type { Message } from "../../model/message.ts";

/**
 * A commit of ours that holds the files, or why none could be made. `left_out`: files that are too many or too large to be kept;
 * `unreadable`: those that we may not read.
 */
export type Kept = { commit: string; left_out?: string[]; unreadable?: string[] } | { problem: Message };

/**
 * The commit that keeps the files from before. `left_out`: files that no snapshot holds, which are as they were. `interrupted`: those from
 * before an earlier restore of which the user was not told, because it was killed. `settle` is called once the user has been told.
 */
export type Restored =
  | { commit: string; left_out?: string[]; interrupted?: string; settle(): Promise<void> }
  | { problem: Message };

/** How many snapshots of a task were removed, and how many that keep the files from before a restore were not. */
export interface Forgotten {
  removed: number;
  kept: number;
}

/** A clean checkout: the project without the files made since, and of what git ignores only that of the start. */
export interface Place {
  /** Where commands run: the room's counterpart of the working directory. */
  directory: string;
  /** The room's top, and the directory of the workspace that it stands for. */
  root: string;
  stands_for: string;
  /** Whether `setup` has to run before the checks. A place that is released before `prepared` is not used again. */
  needs_setup: boolean;
  /** `setup` has run to its end. Like `putBack` and `add`, throws `disk_full` where the disk is. */
  prepared(): Promise<void>;
  /** Puts files back as they were in another snapshot, until the place is released. */
  putBack(originals: Originals): Promise<void>;
  /** Adds ignored files of the workspace as they are now, until the place is released. */
  add(paths: readonly string[]): Promise<void>;
  /** Throws `disk_full` where the disk is: a check that has failed then says nothing about the work. */
  verifySpace(): Promise<void>;
  /** Where the room's git finds the objects of the user's repository: a link to them, or they themselves in the link's place. */
  origin: string;
  /** For the temporary files of checks: not there at first, and removed with all that is in it when the room is released. */
  temporary: string;
  release(): Promise<void>;
}

/** Files that are put back as they were in a snapshot; those that it does not have are removed. */
export interface Originals {
  commit: string;
  paths: readonly string[];
}

export interface IgnoredChange {
  path: string;
  status: "added" | "modified" | "deleted";
  /** A clean room does not have it from here: `setup` makes it. */
  is_made_by_setup?: boolean;
}

/**
 * Lists changed files: paths relative to the project, absolute outside it. `named`: files that the worker reports, which come
 * first and may lie anywhere; the others are sorted. A file with its old content has not changed.
 */
export type ChangedSince = (named?: readonly string[]) => Promise<string[]>;

/** What a changed file is now. */
export interface FileLook {
  path: string;
  /** `diff`: what has changed in it since the last watch began, for a long file that git knows. */
  kind: "text" | "diff" | "binary" | "deleted";
  /** The beginning; empty for a binary or deleted file. */
  text: string;
  is_cut: boolean;
}

/** Sees which files of the project change. */
export interface Workspace {
  /**
   * Remembers the present state; the returned function lists what has changed since. Like a snapshot, it covers the whole repository that
   * the working directory is in.
   */
  watch(): Promise<ChangedSince>;
  /**
   * Looks at files by the names that a watch gives them, at most so many characters of each. Leaves out files that a watch does not
   * cover, links, the records, and those that cannot be read.
   */
  look(paths: readonly string[], characters: number): Promise<FileLook[]>;
  /** Keeps the present files as a commit under a ref of ours; branch, index, stash, hooks and files stay as they are. */
  snapshot(label: string): Promise<Kept>;
  /** Whether two snapshots hold the same files on the same last commit of the user. */
  isSame(one: string, other: string): Promise<boolean>;
  /** Files that git ignores and that have been written since a moment. */
  ignoredWritten(since: Date): Promise<string[]>;
  /** Files that differ between two snapshots, sorted. Undefined where one of them is gone. */
  changes(from: string, to: string): Promise<ChangedFile[] | undefined>;
  /** How much each snapshot differs from the one before it, from the second on; `null` where one of the two is gone. One call of git. */
  totals(commits: readonly string[]): Promise<(ChangeTotals | null)[]>;
  /** Keeps a snapshot with some files of other snapshots, by path; a file that its snapshot lacks is left out. Undefined where that fails. */
  mixed(commit: string, sources: ReadonlyMap<string, string>): Promise<string | undefined>;
  /** A commit of the user's as a snapshot has it: with the files of submodules in their place. The same commit where it has none. */
  whole(commit: string): Promise<string>;
  /** Keeps a snapshot of another task under a ref of this one, so that it outlives that task. */
  adopt(label: string, commit: string): Promise<void>;
  /** Their unified diff, for all files or for some; without renames, and without the user's diff programs. */
  diff(from: string, to: string, paths?: readonly string[]): Promise<string>;
  /** The same for each of these files, by its name; those without a difference are left out. */
  fileDiffs(from: string, to: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The files of a snapshot. */
  paths(commit: string): Promise<string[]>;
  /** The texts of files in a snapshot. Missing, binary and very long ones are left out. */
  textsAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** For each word, the text files of a snapshot that have it. */
  mentions(commit: string, words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Links that differ between two snapshots and lead to what has been written outside the project since the first. */
  linksOut(from: string, to: string): Promise<string[]>;
  /**
   * Makes the files those of a snapshot. First keeps the present ones and returns their commit; ignored files stay. Changes nothing where a
   * file that could not be kept would be lost: one that git ignores, or that is too large, in the place of a file of the snapshot.
   */
  restore(commit: string): Promise<Restored>;
  /** Remembers the files that git ignores as they are now. Only the first call of a task counts. */
  keepIgnored(): Promise<void>;
  /** The files that git ignored when they were remembered. */
  ignoredAtStart(): Promise<string[]>;
  /** What has become of the ignored files since, sorted. */
  ignoredChanges(): Promise<IgnoredChange[]>;
  /** Puts a snapshot into the project's clean room. One holder at a time: release it. With another toolchain, `setup` runs again. */
  checkout(commit: string, toolchain: Digests): Promise<Place | { problem: Message }>;
  /** Removes the clean room, where no run uses it. */
  removeRoom(): Promise<void>;
  /** Removes the task's snapshots. `keeps_way_back`: but not those that keep the files from before a restore. */
  forget(options: { keeps_way_back: boolean }): Promise<Forgotten>;
  /**
   * Files that differ from a kept state, sorted. `seen`: files that watches have seen change. Those that the state does not cover are
   * listed, too: files that git ignores, files outside the repository, and all of them when no state was kept.
   */
  changesSince(start: string | undefined, seen: readonly string[]): Promise<ChangedFile[]>;
  /** Digests of the files that match the patterns, including files that git ignores. Throws when there are too many. */
  digests(patterns: readonly string[]): Promise<Digests>;
}
