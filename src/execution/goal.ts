import { type Criterion, isCheck } from "../model/criterion.ts";
import type { Task } from "../model/task.ts";

/** What a run works towards: the user's task and criteria, in the intake's wording where it was accepted. */
export interface Goal {
  task: string;
  criteria: Criterion[];
}

/** Checks are never altered, and there are as many criteria as the user gave, in their order. */
export function goalOf({ configuration, intake }: Task): Goal {
  const { task, criteria } = configuration;
  if (intake?.status !== "accepted") return { task, criteria };
  const refined = intake.criteria.values();
  return {
    task: intake.task.trim() || task,
    criteria: criteria.map((criterion) =>
      isCheck(criterion) ? criterion : { ...criterion, text: refined.next().value?.trim() || criterion.text },
    ),
  };
}

export function semanticCount(criteria: readonly Criterion[]): number {
  return criteria.filter((criterion) => !isCheck(criterion)).length;
}
