import process from "node:process";
import { isOfFleet, submitAgain } from "../../compose/fleet/submit.ts";
import { answerTask, findTask, keepAnswers, onlyAsking, openQuestions } from "../../compose/tasks.ts";
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
  samePlace?: boolean;
}

/** Without an id, the only task with open questions is meant. */
export async function answerCommand(given: string | undefined, flags: AnswerFlags, context: CliContext): Promise<void> {
  const { project, samePlace } = flags;
  const id = given === undefined ? await onlyAsking(project) : await findTask(project, given);
  const questions = await openQuestions(project, id);
  const answers = await answersTo(questions, { id, given: flags.answer }, context);
  if (!answers || answers.length < questions.length) {
    if (answers) await keepAnswers({ project, id, answers });
    return leftOpen(id, context);
  }
  if (await isOfFleet(project, id)) {
    await keepAnswers({ project, id, answers });
    await submitAgain(project, id, {});
    return context.output.result(context.texts.fleet.answered(id));
  }
  await runToEnd((options) => answerTask({ project, id, answers }, { ...options, samePlace }), flags, context);
}

/** As a run ends whose questions are left open. */
function leftOpen(id: string, { texts, output }: CliContext): void {
  output.progress(texts.labeled(texts.status.clarification_needed, texts.stop.clarification_needed));
  output.progress(texts.labeled(texts.nextStep, texts.answerWith(id)));
  process.exitCode = exitCodes.clarification_needed;
}

/** No run to pause or to stop. */
const ALONE = { signal: new AbortController().signal, whilePaused: (stop: () => void) => stop() };

/** Undefined when the user leaves them open; fewer when some of them. */
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
  return questions.map((one, index) => ({ question: one.question, answer: chosen(given[index]?.trim() ?? "", one) }));
}

/** A suggestion may be chosen by its number; one that is a number itself means what it says. */
function chosen(answer: string, { question, suggested_answers: choices }: ClarificationQuestion): string {
  const choice = choices.includes(answer) ? answer : choices[Number(answer) - 1];
  const isNumber = (text: string) => /^\d+$/.test(text.trim());
  if (choice === undefined && choices.length > 0 && isNumber(answer) && !choices.some(isNumber))
    throw new E8Error("answer_not_offered", { answer, question, choices });
  return choice ?? answer;
}
