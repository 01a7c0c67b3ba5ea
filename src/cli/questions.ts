import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { ClarificationQuestion } from "../model/roles.ts";
import type { Answer } from "../model/task.ts";
import type { Output } from "./output.ts";
import type { Texts } from "./texts/en.ts";

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Puts each question with its suggested answers. One left unanswered leaves them all open: undefined. */
export async function askAtTerminal(
  questions: readonly ClarificationQuestion[],
  { texts, output }: { texts: Texts; output: Output },
  signal: AbortSignal,
): Promise<Answer[] | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT")); // readline takes Ctrl-C for itself otherwise
  const answers: Answer[] = [];
  try {
    output.progress(texts.questionsOpen);
    for (const question of questions) {
      for (const line of questionLines(question)) output.progress(line);
      const typed = (await terminal.question(`  ${texts.yourAnswer}: `, { signal })).trim();
      if (typed === "") return undefined;
      answers.push({ question: question.question, answer: question.suggested_answers[Number(typed) - 1] ?? typed });
    }
    return answers;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}

export function questionLines({ question, context, suggested_answers }: ClarificationQuestion): string[] {
  return [
    `? ${question}`,
    ...(context ? [`  ${context}`] : []),
    ...suggested_answers.map((answer, index) => `    ${index + 1}. ${answer}`),
  ];
}
