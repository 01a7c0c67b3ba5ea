import type { HistoryRecord } from "../../model/records.ts";
import { type Spending, spentInAll } from "../../model/usage.ts";
import type { TaskPast } from "../ports/task-store.ts";

/** A task's progress by its records. The store adds how the last run ended, and when a run last began. */
export function pastOf(
  records: HistoryRecord[],
  spending: Spending[],
): Pick<TaskPast, "iterations" | "criteria_met" | "spent" | "last_active" | "records" | "spending"> {
  const ending = records.findLast((record) => record.type === "final_result");
  return {
    iterations: records.findLast((record) => record.type === "summary")?.iteration ?? 0,
    criteria_met: metIn(records.findLast((record) => record.type === "judgment")),
    spent: spentInAll(spending, ending),
    last_active: latestOf([...records, ...spending].map(({ timestamp }) => timestamp)),
    records,
    spending,
  };
}

export function metIn(judgment: { evaluations: readonly { is_met: boolean }[] } | null | undefined): number {
  return judgment?.evaluations.filter(({ is_met }) => is_met).length ?? 0;
}

/** The latest of moments in ISO 8601, all in UTC; empty without any. */
export function latestOf(moments: readonly string[]): string {
  return [...moments].sort().at(-1) ?? "";
}
