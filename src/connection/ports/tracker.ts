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
 * Issues and pull requests. Throws E8Error `tracker_failed`. Every change is harmless when made twice.
 * When `signal` aborts, it throws at once. A change in progress may or may not have been made: `get` tells.
 */
export interface IssueTracker {
  get(kind: TrackedItem["kind"], number: number, signal: AbortSignal): Promise<TrackedItem>;
  close(kind: TrackedItem["kind"], number: number, signal: AbortSignal): Promise<void>;
  label(number: number, change: LabelChange, signal: AbortSignal): Promise<void>;
}
