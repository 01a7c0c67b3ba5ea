import type { IssueTracker } from "../../src/connection/ports/tracker.ts";

type WithoutSignal<F> = F extends (...parameters: [...infer P, AbortSignal]) => infer R
  ? (...parameters: P) => R
  : never;

/** A tracker as whoever never cancels uses it. */
export type Uncancelled = { [Act in keyof IssueTracker]: WithoutSignal<IssueTracker[Act]> };

export function uncancelled(tracker: IssueTracker): Uncancelled {
  const { signal } = new AbortController();
  const acts = Object.entries(tracker).map(([name, act]) => [
    name,
    (...parameters: unknown[]) => (act as (...all: unknown[]) => unknown)(...parameters, signal),
  ]);
  return Object.fromEntries(acts);
}
