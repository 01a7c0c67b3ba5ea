import type { Knowledge } from "../../model/roles.ts";
import { contentKey } from "./knowledge.ts";

/** Those of the updated entries that a file or a task has. */
export function among(known: readonly Knowledge[], updated: readonly Knowledge[]): Knowledge[] {
  const keys = new Set(known.map(({ content }) => contentKey(content)));
  return updated.filter(({ content }) => keys.has(contentKey(content)));
}

/** Each entry once; its count grows by the number of times it was applied. */
export function withCounts(counted: readonly Knowledge[], known: ReadonlyMap<string, Knowledge>): Knowledge[] {
  const updated = new Map<string, Knowledge>();
  for (const entry of counted) {
    const key = contentKey(entry.content);
    const latest = updated.get(key) ?? known.get(key) ?? entry;
    updated.set(key, { ...latest, applied_count: latest.applied_count + 1 });
  }
  return [...updated.values()];
}
