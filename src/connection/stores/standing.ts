import type { HistoryRecord } from "../../model/records.ts";
import { type Spending, spentInAll } from "../../model/usage.ts";
import type { TaskPast } from "../ports/task-store.ts";

/** A task's progress by its records. The store adds how the last run ended. */
export function pastOf(
  records: HistoryRecord[],
  spending: Spending[],
): Pick<TaskPast, "iterations" | "criteria_met" | "spent" | "records" | "spending"> {
  const ending = records.findLast((record) => record.type === "final_result");
  return {
    iterations: records.findLast((record) => record.type === "summary")?.iteration ?? 0,
    criteria_met: metIn(records.findLast((record) => record.type === "judgment")),
    spent: spentInAll(spending, ending),
    records,
    spending,
  };
}

export function metIn(judgment: { evaluations: readonly { is_met: boolean }[] } | null | undefined): number {
  return judgment?.evaluations.filter(({ is_met }) => is_met).length ?? 0;
}
