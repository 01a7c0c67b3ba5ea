import type { IssueTracker, LabelChange, TrackedItem } from "../../src/connection/ports/tracker.ts";

/** A tracker as whoever never cancels uses it. */
export type Uncancelled = ReturnType<typeof uncancelled>;

export function uncancelled(tracker: IssueTracker) {
  const { signal } = new AbortController();
  return {
    get: (kind: TrackedItem["kind"], number: number) => tracker.get(kind, number, signal),
    close: (kind: TrackedItem["kind"], number: number) => tracker.close(kind, number, signal),
    label: (number: number, change: LabelChange) => tracker.label(number, change, signal),
  };
}
