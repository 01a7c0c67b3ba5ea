import { type Criterion, isCheck, refined } from "../../model/criterion.ts";
import type { Task } from "../../model/task.ts";

/** What a run works towards: the user's task and criteria, in the intake's wording where it was accepted. */
export interface Goal {
  task: string;
  criteria: Criterion[];
}

/** Checks are never altered, and there are as many criteria as the user gave, in their order. */
export function goalOf({ configuration, intake }: Task): Goal {
  const { task, criteria } = configuration;
  if (intake?.status !== "accepted") return { task, criteria };
  return { task: intake.task.trim() || task, criteria: refined(criteria, intake.criteria) };
}

export function semanticCount(criteria: readonly Criterion[]): number {
  return criteria.filter((criterion) => !isCheck(criterion)).length;
}
