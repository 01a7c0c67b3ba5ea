import { createHash, getFips } from "node:crypto";
import type { FailureGroup, JudgedSummary } from "../ports/open-task.ts";

/** A context holds the oldest and the newest groups. */
export const OLDEST_GROUPS = 15;
export const NEWEST_GROUPS = 45;
export const FAILURE_GROUPS = OLDEST_GROUPS + NEWEST_GROUPS;

/** Only this many characters of a text are kept and compared. */
export const FAILURE_TEXT = 300;

/** A digest, here and in DuckDB: texts joined by this character, hashed, and cut to this length. */
export const DIGEST_FUNCTION = getFips() === 1 ? "sha256" : "md5"; // md5 is faster and guards no secret, but FIPS forbids it
export const BETWEEN_TEXTS = 31;
export const DIGEST_LENGTH = 16;

/**
 * Failures in groups, ordered by first iteration. Keeps the oldest and the newest groups, and only digests of the others to
 * recognize them: a hundred thousand different failures take a few megabytes.
 */
export class FailureGroups {
  readonly #told: Map<string, FailureGroup>;
  readonly #leftOut: Set<string>;
  /** Digests that the original of a copy has left out; shared, not copied. */
  readonly #leftOutBefore: ReadonlySet<string>;

  private constructor(told: Map<string, FailureGroup>, leftOut: Set<string>, before: ReadonlySet<string>) {
    this.#told = told;
    this.#leftOut = leftOut;
    this.#leftOutBefore = before;
  }

  static of(told: readonly FailureGroup[], leftOut: readonly string[]): FailureGroups {
    return new FailureGroups(new Map(told.map((group) => [digestOf(group), group])), new Set(leftOut), new Set());
  }

  get told(): FailureGroup[] {
    return [...this.#told.values()];
  }

  get leftOut(): number {
    return this.#leftOut.size + this.#leftOutBefore.size;
  }

  get digestsLeftOut(): string[] {
    return [...this.#leftOutBefore, ...this.#leftOut];
  }

  /** Summaries come in the order of their iterations. */
  add(summaries: readonly JudgedSummary[]): void {
    for (const summary of summaries) if (summary.result !== "success" || summary.refuted_by) this.#addFailure(summary);
  }

  /** A copy with these added. */
  with(summaries: readonly JudgedSummary[]): FailureGroups {
    const before = this.#leftOutBefore.size === 0 ? this.#leftOut : new Set([...this.#leftOutBefore, ...this.#leftOut]);
    const more = new FailureGroups(new Map(this.#told), new Set(), before);
    more.add(summaries);
    return more;
  }

  #addFailure({ iteration, approach, reason, failure, refuted_by }: JudgedSummary): void {
    const facts = { ...(failure && { failure }), ...(refuted_by && { refuted_by }) };
    const texts = { approach: shortened(approach), reason: shortened(reason), ...facts };
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

type GroupTexts = Pick<FailureGroup, "approach" | "reason" | "failure" | "refuted_by">;

/** Of a refuted success, its texts are digested first, and then that with the numbers of the unmet criteria. */
function digestOf({ approach, reason, failure, refuted_by }: GroupTexts): string {
  const digest = joinedDigest([approach, reason, ...(failure ? [shortened(JSON.stringify(failure))] : [])]);
  return refuted_by ? joinedDigest([digest, refuted_by.map(({ id }) => id).join()]) : digest;
}

function joinedDigest(texts: readonly string[]): string {
  const text = texts.join(String.fromCharCode(BETWEEN_TEXTS));
  return createHash(DIGEST_FUNCTION).update(text).digest("hex").slice(0, DIGEST_LENGTH);
}

/** By code points, as DuckDB counts. */
export function shortened(text: string): string {
  if (text.length <= FAILURE_TEXT) return text;
  const characters = [...text];
  return characters.length <= FAILURE_TEXT ? text : `${characters.slice(0, FAILURE_TEXT - 1).join("")}…`;
}
