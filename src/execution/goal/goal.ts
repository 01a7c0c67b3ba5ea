import { type Criterion, isCheck, refined } from "../../model/criterion.ts";
import type { Task } from "../../model/task.ts";

/** The user's task and criteria, in the intake's wording once it has accepted them. */
export interface Goal {
  task: string;
  criteria: Criterion[];
}

/** Keeps the number and order of the user's criteria, and never alters checks. */
export function goalOf({ configuration, intake }: Task): Goal {
  const { task, criteria } = configuration;
  if (intake?.status !== "accepted") return { task, criteria };
  return { task: intake.task.trim() || task, criteria: refined(criteria, intake.criteria) };
}

export function semanticCount(criteria: readonly Criterion[]): number {
  return criteria.filter((criterion) => !isCheck(criterion)).length;
}
