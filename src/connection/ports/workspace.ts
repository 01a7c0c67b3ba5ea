import type { Digests } from "../../model/digests.ts";

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
