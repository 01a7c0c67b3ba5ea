import process from "node:process";
import type { ClarificationQuestion } from "../model/roles.ts";
import type { Answer } from "../model/task.ts";
import { oneLine, printable } from "./render/lines.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Texts } from "./texts/en.ts";

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Puts each question with its suggested answers. One left unanswered leaves them all open: undefined. */
export async function askAtTerminal(
  questions: readonly ClarificationQuestion[],
  { texts, output }: Surroundings,
  signal: AbortSignal,
): Promise<Answer[] | undefined> {
  output.progress(texts.questionsOpen);
  output.progress(texts.questions.keys);
  const answers: Answer[] = [];
  process.on("SIGCONT", readOn);
  try {
    for (const question of questions) {
      const answer = await answerTo(question, texts, signal);
      if (answer === undefined) return undefined;
      answers.push({ question: question.question, answer });
    }
    return answers;
  } finally {
    process.off("SIGCONT", readOn);
    process.stdin.pause(); // readline believes that it is
  }
}

/** After Ctrl-Z and `fg`, Node's readline pauses its input and leaves it so: no key would be heard, not even Ctrl-C. */
function readOn(): void {
  setImmediate(() => process.stdin.resume());
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
  const chosen = await select({
    message,
    options: [...choices, { value: suggested.length, label: texts.questions.another }],
    output: process.stderr,
    signal,
    showInstructions: false, // they are English only; ours were said
  });
  if (isCancel(chosen)) return undefined;
  return suggested[chosen] ?? ownAnswer(texts.questions.yourAnswer, texts, signal);
}

const LONGEST_CHOICE = 300;

async function ownAnswer(message: string, texts: Texts, signal: AbortSignal): Promise<string | undefined> {
  const { text, isCancel } = await import("@clack/prompts");
  const typed = await text({
    message,
    output: process.stderr,
    signal,
    validate: (value = "") => (value.trim() === "" ? texts.questions.blank : undefined),
  });
  return isCancel(typed) ? undefined : typed.trim();
}

export function questionLines({ question, context, suggested_answers }: ClarificationQuestion): string[] {
  return [
    `? ${question}`,
    ...(context ? [`  ${context}`] : []),
    ...suggested_answers.map((answer, index) => `    ${index + 1}. ${answer}`),
  ].map(printable);
}
