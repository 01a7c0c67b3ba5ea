import { type Criterion, criterionText, isCheck, numbered, refined } from "../../model/criterion.ts";
import type { Answer, Task } from "../../model/task.ts";

/** The user's task and criteria, in the intake's wording once it has accepted them, and the user's answers to its questions. */
export interface Goal {
  task: string;
  criteria: Criterion[];
  answers?: PlacedAnswer[];
  /** As the user wrote them. Absent: the same. */
  own?: { task: string; criteria: Criterion[] };
}

/** An answer, and the criterion that it explains, as the user wrote it. An answer without one explains the task. */
export interface PlacedAnswer {
  question: string;
  answer: string;
  about?: { id: number; own_words: string };
}

/** Keeps the number and order of the user's criteria, and never alters checks. The answers stand whatever the intake makes of them. */
export function goalOf({ configuration, intake, answers: given, judges_text }: Task): Goal {
  const { task } = configuration;
  // Checks that passed before the work say nothing about it: the judge looks at the task itself.
  const own = judges_text ? [{ type: "semantic" as const, text: task }] : [];
  const criteria = [...configuration.criteria, ...own];
  const answers = given.map((one) => placed(one, criteria));
  if (intake?.status !== "accepted") return { task, criteria, answers };
  const own_words = { task, criteria };
  return { task: intake.task.trim() || task, criteria: refined(criteria, intake.criteria), answers, own: own_words };
}

/** By its number, else as the only sentence criterion or the only one that the question quotes. */
function placed({ question, answer, criterion: id }: Answer, criteria: readonly Criterion[]): PlacedAnswer {
  const all = numbered(criteria);
  const sentences = all.filter(({ criterion }) => !isCheck(criterion));
  const quoted = sentences.filter(({ criterion }) => question.includes(criterionText(criterion)));
  const alone = [sentences, quoted].find(({ length }) => length === 1)?.[0];
  const found = all.find((one) => one.id === id) ?? alone;
  return {
    question,
    answer,
    ...(found && { about: { id: found.id, own_words: criterionText(found.criterion) } }),
  };
}

export function semanticCount(criteria: readonly Criterion[]): number {
  return criteria.filter((criterion) => !isCheck(criterion)).length;
}
