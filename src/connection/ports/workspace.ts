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
  /** Digests of the files that match the patterns, including files that git ignores. Throws when there are too many. */
  digests(patterns: readonly string[]): Promise<Digests>;
}
