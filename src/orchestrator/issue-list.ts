import type { IssueTracker } from "../connection/ports/tracker.ts";
import type { TrackedItem } from "../model/issue.ts";
import { blockers } from "./choose.ts";

interface ListWish {
  labels: readonly string[];
  issues: readonly number[];
}

/** The tracker says no more than that at once. */
const MOST_ISSUES = 1000;

/** The open issues of a backlog, as they were when the tracker was asked last. It is asked seldom: hundreds of issues take their turns. */
export class IssueList {
  readonly #tracker: IssueTracker;
  readonly #wish: ListWish;
  #open = new Map<number, TrackedItem>();
  /** All that were seen, also those that are closed by now. */
  readonly #seen = new Map<number, TrackedItem>();
  /** Whether issues outside the list are open. */
  #others = new Map<number, boolean>();

  constructor(tracker: IssueTracker, wish: ListWish) {
    this.#tracker = tracker;
    this.#wish = wish;
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const { labels, issues } = this.#wish;
    const listed = await this.#tracker.list({ state: "open", labels, limit: MOST_ISSUES }, signal);
    const chosen = issues.length === 0 ? listed : listed.filter(({ number }) => issues.includes(number));
    this.#open = new Map(chosen.map((issue) => [issue.number, issue]));
    this.#others = new Map(listed.map(({ number }) => [number, true]));
    for (const issue of chosen) this.#seen.set(issue.number, issue);
  }

  all(): TrackedItem[] {
    return [...this.#open.values()];
  }

  seen(): TrackedItem[] {
    return [...this.#seen.values()];
  }

  closed(number: number): void {
    this.#open.delete(number);
    this.#others.set(number, false);
  }

  /** Reads one issue again: its labels have changed. */
  async look(number: number, signal: AbortSignal): Promise<void> {
    const issue = await this.#tracker.get("issue", number, signal);
    if (issue.state !== "OPEN") return this.closed(number);
    this.#open.set(number, issue);
    this.#seen.set(number, issue);
  }

  /** The issues that must be closed before this one is begun. */
  async blockersOf(issue: TrackedItem, signal: AbortSignal): Promise<number[]> {
    const named = blockers(issue, () => true);
    for (const number of named)
      if (!this.#others.has(number)) this.#others.set(number, await this.#isOpen(number, signal));
    return named.filter((number) => this.#others.get(number));
  }

  /** One that the tracker does not know keeps others waiting: a typing error must not let work begin too early. */
  async #isOpen(number: number, signal: AbortSignal): Promise<boolean> {
    return this.#tracker.get("issue", number, signal).then(
      ({ state }) => state === "OPEN",
      () => true,
    );
  }
}
