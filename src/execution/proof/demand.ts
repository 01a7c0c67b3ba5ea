import { criterionText, isCheck, numbered } from "../../model/criterion.ts";
import type { Goal } from "../goal/goal.ts";
import { ownSentences, ownTask } from "../prompt/texts.ts";

/** What the user asks for: reviewers hold the work against it. Nothing in it comes from a worker. */
export interface Demand {
  /** As a reviewer's prompt shows them. */
  task: string;
  sentences: string;
  /** Whether the sentences are reviewed also where no file has changed. */
  asks_untouched: boolean;
  /** The sentence criteria. */
  criteria: readonly { id: number; criterion: string }[];
  /** All that the user has written. A change of a protected file must be demanded there. */
  own_words: readonly string[];
}

/** Whatever the user has written counts as a demand; the intake's wording does not. */
export function demandOf(goal: Goal): Demand {
  const { task, criteria } = goal.own ?? goal;
  return {
    task: ownTask(goal),
    sentences: ownSentences(goal),
    asks_untouched: true,
    criteria: numbered(criteria).flatMap(({ id, criterion }) =>
      isCheck(criterion) ? [] : [{ id, criterion: criterion.text }],
    ),
    own_words: [task, ...criteria.map(criterionText), ...(goal.answers ?? []).map(({ answer }) => answer)],
  };
}
