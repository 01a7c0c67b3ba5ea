import { createHash, getFips } from "node:crypto";
import type { ExecutionSummary } from "../../model/records.ts";
import type { FailureGroup } from "../ports/task-store.ts";

/** How many groups of failures a context may hold, and which of them when there are more. */
export const OLDEST_GROUPS = 15;
export const NEWEST_GROUPS = 45;
export const FAILURE_GROUPS = OLDEST_GROUPS + NEWEST_GROUPS;

/** Characters of a group's texts. What is the same up to here counts as the same failure. */
export const FAILURE_TEXT = 300;

/** How the digest of a group is made, here and in DuckDB alike: of its texts with this character between them, cut to this length. */
export const DIGEST_FUNCTION = getFips() === 1 ? "sha256" : "md5"; // the faster one; it guards no secret, but FIPS forbids it
export const BETWEEN_TEXTS = 31;
export const DIGEST_LENGTH = 16;

/**
 * Failures in groups, in the order of their first iterations. The oldest and the newest are told; of those between them only
 * digests are kept, to know them again: a hundred thousand different failures take a few megabytes.
 */
export class FailureGroups {
  readonly #told: Map<string, FailureGroup>;
  readonly #leftOut: Set<string>;
  /** What another one has left out, and this one therefore too. */
  readonly #leftOutBefore: ReadonlySet<string>;

  private constructor(told: Map<string, FailureGroup>, leftOut: Set<string>, before: ReadonlySet<string>) {
    this.#told = told;
    this.#leftOut = leftOut;
    this.#leftOutBefore = before;
  }

  /** Starts with groups in their order, and with the digests of those between them. */
  static of(told: readonly FailureGroup[], leftOut: readonly string[]): FailureGroups {
    return new FailureGroups(new Map(told.map((group) => [digestOf(group), group])), new Set(leftOut), new Set());
  }

  get told(): FailureGroup[] {
    return [...this.#told.values()];
  }

  get leftOut(): number {
    return this.#leftOut.size + this.#leftOutBefore.size;
  }

  /** Summaries come in the order of their iterations. */
  add(summaries: readonly ExecutionSummary[]): void {
    for (const summary of summaries) if (summary.result !== "success") this.#addFailure(summary);
  }

  /** What it would be with these added, too. Itself it stays as it is. */
  with(summaries: readonly ExecutionSummary[]): FailureGroups {
    const before = this.#leftOutBefore.size === 0 ? this.#leftOut : new Set([...this.#leftOutBefore, ...this.#leftOut]);
    const more = new FailureGroups(new Map(this.#told), new Set(), before);
    more.add(summaries);
    return more;
  }

  #addFailure({ iteration, approach, reason, failure }: ExecutionSummary): void {
    const texts = { approach: shortened(approach), reason: shortened(reason), ...(failure && { failure }) };
    const digest = digestOf(texts);
    if (this.#leftOut.has(digest) || this.#leftOutBefore.has(digest)) return;
    const known = this.#told.get(digest) ?? { ...texts, count: 0, first_iteration: iteration };
    this.#told.set(digest, { ...known, count: known.count + 1, last_iteration: iteration });
    if (this.#told.size > FAILURE_GROUPS) this.#leaveOutOne();
  }

  #leaveOutOne(): void {
    const between = [...this.#told.keys()][OLDEST_GROUPS];
    if (between === undefined) return;
    this.#told.delete(between);
    this.#leftOut.add(between);
  }
}

function digestOf({ approach, reason, failure }: Pick<FailureGroup, "approach" | "reason" | "failure">): string {
  const texts = [approach, reason, ...(failure ? [shortened(JSON.stringify(failure))] : [])];
  return createHash(DIGEST_FUNCTION)
    .update(texts.join(String.fromCharCode(BETWEEN_TEXTS)))
    .digest("hex")
    .slice(0, DIGEST_LENGTH);
}

/** By code points, as DuckDB counts. */
export function shortened(text: string): string {
  if (text.length <= FAILURE_TEXT) return text;
  const characters = [...text];
  return characters.length <= FAILURE_TEXT ? text : `${characters.slice(0, FAILURE_TEXT - 1).join("")}…`;
}
