import { answerTask, openQuestions } from "../../compose/tasks.ts";
import { E8Error } from "../../model/errors.ts";
import type { ClarificationQuestion } from "../../model/roles.ts";
import type { Answer } from "../../model/task.ts";
import type { FollowOptions } from "../follow.ts";
import { askAtTerminal, isTerminal, questionLines } from "../questions.ts";
import { runToEnd } from "../run-to-end.ts";
import type { Surroundings } from "../surroundings.ts";

interface AnswerFlags extends FollowOptions {
  project: string;
  answer: string[];
}

export async function answerCommand(id: string, flags: AnswerFlags, surroundings: Surroundings): Promise<void> {
  const { project } = flags;
  const questions = await openQuestions(project, id);
  const answers = await answersTo(questions, { id, given: flags.answer }, surroundings);
  await runToEnd((options) => answerTask({ project, id, answers }, options), flags, surroundings);
}

async function answersTo(
  questions: readonly ClarificationQuestion[],
  { id, given }: { id: string; given: readonly string[] },
  surroundings: Surroundings,
): Promise<Answer[]> {
  const missing = new E8Error("answers_missing", { id, count: questions.length });
  if (given.length === 0 && isTerminal()) {
    const typed = await askAtTerminal(questions, surroundings, new AbortController().signal);
    if (!typed) throw missing;
    return typed;
  }
  if (given.length !== questions.length || given.some((answer) => answer.trim() === "")) {
    for (const line of questions.flatMap(questionLines)) surroundings.output.progress(line);
    throw missing;
  }
  return questions.map(({ question, suggested_answers }, index) => {
    return { question, answer: chosen(given[index]?.trim() ?? "", suggested_answers) };
  });
}

/** A suggestion may be chosen by its number; one that is a number itself means what it says. */
function chosen(answer: string, suggested: readonly string[]): string {
  return suggested.includes(answer) ? answer : (suggested[Number(answer) - 1] ?? answer);
}
