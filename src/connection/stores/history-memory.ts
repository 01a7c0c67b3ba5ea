import { refutationOf } from "../../model/evaluation.ts";
import type { HistoryRecord, JudgmentRecord } from "../../model/records.ts";
import type { HistoryContext, JudgedSummary } from "../ports/open-task.ts";
import { FailureGroups } from "./failure-groups.ts";

/** A context, and the digests of the failures that it leaves out. */
export interface RecalledHistory extends HistoryContext {
  digests_left_out: string[];
}

export const NOTHING_KNOWN: RecalledHistory = {
  latest: [],
  failures: [],
  failures_left_out: 0,
  digests_left_out: [],
};

/** Updates the context with every record, so that the file is read once a run. */
export class HistoryMemory {
  readonly capacity: number;
  #latest: JudgedSummary[];
  readonly #failures: FailureGroups;

  /** `known`: the context of earlier records, of size `capacity`. */
  constructor(capacity: number, known: RecalledHistory = NOTHING_KNOWN) {
    this.capacity = capacity;
    this.#latest = [...known.latest];
    this.#failures = FailureGroups.of(known.failures, known.digests_left_out);
  }

  /** A judgment comes before the next summary. */
  add(record: HistoryRecord): void {
    if (record.type === "summary") this.#addSummary(record);
    if (record.type === "judgment") this.#addJudgment(record);
  }

  #addJudgment({ iteration, evaluations }: JudgmentRecord): void {
    this.#latest = this.#latest.map((one) =>
      one.iteration === iteration ? { ...one, ...refutationOf(one.result, evaluations) } : one,
    );
  }

  #addSummary(summary: JudgedSummary): void {
    const all = [...this.#latest, summary];
    this.#latest = all.slice(-this.capacity);
    this.#failures.add(all.slice(0, -this.capacity));
  }

  /** What a memory of the same capacity begins with to go on from here. */
  recalled(): RecalledHistory {
    const { told, leftOut, digestsLeftOut } = this.#failures;
    const failures = { failures: told, failures_left_out: leftOut, digests_left_out: digestsLeftOut };
    return { latest: this.#latest, ...failures };
  }

  /** For any size up to the capacity. */
  context(size: number): HistoryContext {
    const { told, leftOut } = this.#failures.with(this.#latest.slice(0, -size));
    return { latest: this.#latest.slice(-size), failures: told, failures_left_out: leftOut };
  }
}
