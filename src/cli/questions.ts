import process from "node:process";
import { styleText } from "node:util";
import type { ClarificationQuestion } from "../model/roles.ts";
import type { Answer } from "../model/task.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import type { Asked } from "./interrupts.ts";
import type { CliContext } from "./output.ts";
import { drawingSize, sizedTerminal } from "./render/columns.ts";
import { oneLine, printable } from "./render/lines.ts";
import { wrapped } from "./render/wrap.ts";

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks each question with its suggested answers, up to the first that the user leaves. Undefined when that is the first of all. */
export async function askAtTerminal(
  questions: readonly ClarificationQuestion[],
  { texts, output }: CliContext,
  asked: Asked,
): Promise<Answer[] | undefined> {
  output.progress(texts.questionsOpen);
  output.progress(texts.questions.keys);
  const answers: Answer[] = [];
  try {
    for (const question of questions) {
      const answer = await answerTo(question, texts, asked);
      if (answer === undefined) break;
      answers.push({ question: question.question, answer });
    }
    return answers.length > 0 ? answers : undefined;
  } finally {
    process.stdin.pause(); // readline assumes that it is paused
  }
}

async function answerTo(
  { question, context, suggested_answers: suggested }: ClarificationQuestion,
  texts: Texts,
  asked: Asked,
): Promise<string | undefined> {
  const { select, isCancel } = await import("@clack/prompts");
  const message = [question, ...(context ? [context] : [])].map((text) => printable(text).trim()).join("\n");
  if (suggested.length === 0) return ownAnswer(message, texts, asked);
  const choices = suggested.map((answer, value) => ({ value, label: oneLine(answer, LONGEST_CHOICE) }));
  const chosen = await askThroughStops(
    (stop) =>
      select({
        message,
        options: [...choices, { value: suggested.length, label: texts.questions.another }],
        output: sizedTerminal(process.stderr),
        signal: either(stop, asked.signal),
        showInstructions: false, // they are English only; ours were said
      }),
    asked.whilePaused,
  );
  if (isCancel(chosen)) return undefined;
  return suggested[chosen] ?? ownAnswer(texts.questions.yourAnswer, texts, asked);
}

const LONGEST_CHOICE = 300;

/** False also when the user leaves the question. */
export async function confirmAtTerminal(message: string, { questions }: Texts): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  const words = { active: questions.yes, inactive: questions.no, initialValue: false };
  try {
    return (await askThroughStops((signal) => confirm({ message, ...words, output: process.stderr, signal }))) === true;
  } finally {
    process.stdin.pause(); // readline assumes that it is paused
  }
}

/** Undefined when the user leaves the question. */
export async function chooseAtTerminal(
  message: string,
  options: { value: string; label: string }[],
): Promise<string | undefined> {
  const { select, isCancel } = await import("@clack/prompts");
  const words = { message, options, output: sizedTerminal(process.stderr), showInstructions: false };
  try {
    const chosen = await askThroughStops((signal) => select({ ...words, signal }));
    return isCancel(chosen) ? undefined : chosen;
  } finally {
    process.stdin.pause(); // readline assumes that it is paused
  }
}

function ownAnswer(message: string, texts: Texts, asked: Asked): Promise<string | undefined> {
  const problemOf = (typed: string) => (typed === "" ? texts.questions.blank : undefined);
  return askForText({ message, problemOf, ...asked }, texts);
}

export function questionLines({ question, context, suggested_answers }: ClarificationQuestion): string[] {
  return [
    `? ${question}`,
    ...(context ? [`  ${context}`] : []),
    ...suggested_answers.map((answer, index) => `    ${index + 1}. ${answer}`),
  ].map(printable);
}

interface TextQuestion extends Partial<Asked> {
  message: string;
  /** Stands in the field, and is what an empty answer means. */
  suggested?: string;
  problemOf?: (typed: string) => string | undefined;
}

/** A typed line. Undefined when the user leaves the question. */
export async function askForText(
  { message, suggested, problemOf, signal, whilePaused }: TextQuestion,
  { questions }: Texts,
): Promise<string | undefined> {
  const { text, isCancel, S_BAR } = await import("@clack/prompts");
  let kept = "";
  const typed = await askThroughStops((stop) => {
    stop.addEventListener("abort", pressReturn, { once: true }); // runs `validate` before the question is aborted, which keeps what was typed
    return text({
      message: besideBar(message, S_BAR),
      initialValue: kept,
      ...(suggested !== undefined && { placeholder: suggested, defaultValue: suggested }),
      output: sizedTerminal(process.stderr),
      signal: either(stop, signal),
      validate: (value = "") => {
        if (!stop.aborted) return problemOf?.(value.trim());
        kept = value;
        return questions.stopped;
      },
    });
  }, whilePaused);
  return isCancel(typed) ? undefined : typed.trim();
}

/** clack draws its bar on the left only before the first line of a question. */
function besideBar(message: string, bar: string): string {
  const prefix = `${styleText("gray", bar)}  `;
  const room = drawingSize(process.stderr).columns - `${bar}  `.length;
  const lines = message.split("\n").flatMap((line) => wrapped(line, room, ""));
  return lines.join(`\n${prefix}`);
}

/**
 * Asks, and asks again after Ctrl-Z and `fg`: in between the terminal belongs to the shell, and a question that went on would
 * draw over the shell's lines.
 */
export async function askThroughStops<T>(
  ask: (stop: AbortSignal) => Promise<T>,
  whilePaused: Asked["whilePaused"] = (stop) => stop(),
): Promise<T> {
  for (;;) {
    const stop = new AbortController();
    const stopped = () => stop.abort();
    process.on("SIGTSTP", stopped);
    const answer = await ask(stop.signal).finally(() => process.off("SIGTSTP", stopped));
    if (!stop.signal.aborted) return answer;
    whilePaused(() => process.kill(OUR_GROUP, "SIGTSTP")); // as a terminal does: otherwise npx, which waits for us, keeps the shell waiting
  }
}

const OUR_GROUP = 0;

export function either(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}

function pressReturn(): void {
  process.stdin.emit("keypress", "\r", { name: "return", sequence: "\r" });
}
