import process from "node:process";
import { answerTask, openQuestions } from "../../compose/tasks.ts";
import { E8Error } from "../../model/errors.ts";
import type { ClarificationQuestion } from "../../model/roles.ts";
import type { Answer } from "../../model/task.ts";
import { exitCodes } from "../exit-codes.ts";
import { type FollowOptions, runToEnd } from "../follow.ts";
import type { CliContext } from "../output.ts";
import { askAtTerminal, isTerminal, questionLines } from "../questions.ts";

interface AnswerFlags extends FollowOptions {
  project: string;
  answer: string[];
}

export async function answerCommand(id: string, flags: AnswerFlags, context: CliContext): Promise<void> {
  const { project } = flags;
  const questions = await openQuestions(project, id);
  const answers = await answersTo(questions, { id, given: flags.answer }, context);
  if (!answers) return leftOpen(id, context);
  await runToEnd((options) => answerTask({ project, id, answers }, options), flags, context);
}

/** As a run ends whose questions are left open. */
function leftOpen(id: string, { texts, output }: CliContext): void {
  output.progress(`${texts.status.clarification_needed}: ${texts.stop.clarification_needed}`);
  output.progress(`${texts.nextStep}: ${texts.answerWith(id)}`);
  process.exitCode = exitCodes.clarification_needed;
}

/** No run to pause or to stop. */
const ALONE = { signal: new AbortController().signal, whilePaused: (stop: () => void) => stop() };

/** Undefined when the user leaves them open. */
async function answersTo(
  questions: readonly ClarificationQuestion[],
  { id, given }: { id: string; given: readonly string[] },
  context: CliContext,
): Promise<Answer[] | undefined> {
  if (given.length === 0 && isTerminal()) return await askAtTerminal(questions, context, ALONE);
  if (given.length !== questions.length || given.some((answer) => answer.trim() === "")) {
    for (const line of questions.flatMap(questionLines)) context.output.progress(line);
    throw new E8Error("answers_missing", { id, count: questions.length });
  }
  return questions.map(({ question, suggested_answers }, index) => {
    return { question, answer: chosen(given[index]?.trim() ?? "", suggested_answers) };
  });
}

/** A suggestion may be chosen by its number; one that is a number itself means what it says. */
function chosen(answer: string, suggested: readonly string[]): string {
  return suggested.includes(answer) ? answer : (suggested[Number(answer) - 1] ?? answer);
}
