import type { ExecutionSummary } from "../../model/records.ts";
import type { FailureGroup, HistoryContext } from "../ports.ts";

/** How many groups of failures a context may hold, and which of them when there are more. */
export const OLDEST_GROUPS = 15;
export const NEWEST_GROUPS = 45;
export const FAILURE_GROUPS = OLDEST_GROUPS + NEWEST_GROUPS;

/** Characters of a group's texts. What is the same up to here counts as the same failure. */
export const FAILURE_TEXT = 300;

/**
 * The context kept up to date record by record, in bounded memory: the latest summaries, and the failures before them as
 * long as they fall into `FAILURE_GROUPS` groups. Beyond that it has `overflowed` and knows no answer any more.
 */
export class HistoryMemory {
  readonly capacity: number;
  #latest: ExecutionSummary[];
  readonly #groups: Groups;
  readonly #limit: number;

  /** Starts with what is already on record: a context of the size of `capacity`, with no group left out. */
  constructor(capacity: number, known: HistoryContext = NOTHING_KNOWN, limit: number = FAILURE_GROUPS) {
    this.capacity = capacity;
    this.#latest = [...known.latest];
    this.#groups = new Map(known.failures.map((group) => [keyOf(group), group]));
    this.#limit = limit;
  }

  get overflowed(): boolean {
    return this.#groups.size > this.#limit;
  }

  add(summary: ExecutionSummary): void {
    const all = [...this.#latest, summary];
    this.#latest = all.slice(-this.capacity);
    if (!this.overflowed) addFailures(this.#groups, all.slice(0, -this.capacity));
  }

  /** For any size up to the capacity. */
  context(size: number): HistoryContext {
    const groups = new Map(this.#groups);
    addFailures(groups, this.#latest.slice(0, -size));
    const all = [...groups.values()];
    const failures =
      all.length <= FAILURE_GROUPS ? all : [...all.slice(0, OLDEST_GROUPS), ...all.slice(-NEWEST_GROUPS)];
    return { latest: this.#latest.slice(-size), failures, failures_left_out: all.length - failures.length };
  }
}

type Groups = Map<string, FailureGroup>;

const NOTHING_KNOWN: HistoryContext = { latest: [], failures: [], failures_left_out: 0 };

/** Summaries come in the order of their iterations, so the groups stand in the order of their first ones. */
function addFailures(groups: Groups, summaries: readonly ExecutionSummary[]): void {
  for (const { result, iteration, ...texts } of summaries) {
    if (result === "success") continue;
    const group = { approach: shortened(texts.approach), reason: shortened(texts.reason) };
    const known = groups.get(keyOf(group)) ?? { ...group, count: 0, first_iteration: iteration };
    groups.set(keyOf(group), { ...known, count: known.count + 1, last_iteration: iteration });
  }
}

function keyOf({ approach, reason }: Pick<FailureGroup, "approach" | "reason">): string {
  return JSON.stringify([approach, reason]);
}

/** By code points, as DuckDB counts. */
function shortened(text: string): string {
  if (text.length <= FAILURE_TEXT) return text;
  const characters = [...text];
  return characters.length <= FAILURE_TEXT ? text : `${characters.slice(0, FAILURE_TEXT - 1).join("")}…`;
}
