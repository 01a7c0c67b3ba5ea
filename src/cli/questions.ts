import process from "node:process";
import type { ClarificationQuestion } from "../model/roles.ts";
import type { Answer } from "../model/task.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import { askForText, askThroughStops, either } from "./ask.ts";
import type { CliContext } from "./context.ts";
import { oneLine, printable } from "./render/lines.ts";

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Puts each question with its suggested answers. One left unanswered leaves them all open: undefined. */
export async function askAtTerminal(
  questions: readonly ClarificationQuestion[],
  { texts, output }: CliContext,
  signal: AbortSignal,
): Promise<Answer[] | undefined> {
  output.progress(texts.questionsOpen);
  output.progress(texts.questions.keys);
  const answers: Answer[] = [];
  try {
    for (const question of questions) {
      const answer = await answerTo(question, texts, signal);
      if (answer === undefined) return undefined;
      answers.push({ question: question.question, answer });
    }
    return answers;
  } finally {
    process.stdin.pause(); // readline believes that it is
  }
}

async function answerTo(
  { question, context, suggested_answers: suggested }: ClarificationQuestion,
  texts: Texts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { select, isCancel } = await import("@clack/prompts");
  const message = [question, ...(context ? [context] : [])].map((text) => printable(text).trim()).join("\n");
  if (suggested.length === 0) return ownAnswer(message, texts, signal);
  const choices = suggested.map((answer, value) => ({ value, label: oneLine(answer, LONGEST_CHOICE) }));
  const chosen = await askThroughStops((stop) =>
    select({
      message,
      options: [...choices, { value: suggested.length, label: texts.questions.another }],
      output: process.stderr,
      signal: either(stop, signal),
      showInstructions: false, // they are English only; ours were said
    }),
  );
  if (isCancel(chosen)) return undefined;
  return suggested[chosen] ?? ownAnswer(texts.questions.yourAnswer, texts, signal);
}

const LONGEST_CHOICE = 300;

function ownAnswer(message: string, texts: Texts, signal: AbortSignal): Promise<string | undefined> {
  const problemOf = (typed: string) => (typed === "" ? texts.questions.blank : undefined);
  return askForText({ message, problemOf, signal }, texts);
}

export function questionLines({ question, context, suggested_answers }: ClarificationQuestion): string[] {
  return [
    `? ${question}`,
    ...(context ? [`  ${context}`] : []),
    ...suggested_answers.map((answer, index) => `    ${index + 1}. ${answer}`),
  ].map(printable);
}
