import type { ChangedFile } from "../../model/changes.ts";
import type { Digests } from "../../model/digests.ts";

/**
 * Lists changed files: paths relative to the project, absolute outside it. `named`: files that the worker reports, which come
 * first and may lie outside the watched directory; the others are sorted. A file with its old content has not changed.
 */
export type ChangedSince = (named?: readonly string[]) => Promise<string[]>;

/** Sees which files of the project change. */
export interface Workspace {
  /** Remembers the present state; the returned function lists what has changed since. */
  watch(): Promise<ChangedSince>;
  /** Keeps the present state of the files and names it. Undefined where nothing can keep it: without git, or outside a repository. */
  snapshot(): Promise<string | undefined>;
  /**
   * Files that differ from a kept state, sorted. `seen`: files that watches have seen change. Those that the state does not cover are
   * listed, too: files that git ignores, files outside the directory, and all of them when no state was kept.
   */
  changesSince(start: string | undefined, seen: readonly string[]): Promise<ChangedFile[]>;
  /** Digests of the files that match the patterns, including files that git ignores. Throws when there are too many. */
  digests(patterns: readonly string[]): Promise<Digests>;
}
