import process from "node:process";
import { styleText } from "node:util";
import type { Texts } from "../texts/en/catalogue.ts";
import { drawingSize } from "./render/columns.ts";
import { wrapped } from "./render/wrap.ts";

interface TextQuestion {
  message: string;
  /** Stands in the field, and is what an empty answer means. */
  suggested?: string;
  problemOf?: (typed: string) => string | undefined;
  signal?: AbortSignal | undefined;
}

/** A line that somebody types. Undefined when they leave. */
export async function askForText(
  { message, suggested, problemOf, signal }: TextQuestion,
  { questions }: Texts,
): Promise<string | undefined> {
  const { text, isCancel, S_BAR } = await import("@clack/prompts");
  let kept = "";
  const typed = await askThroughStops((stop) => {
    stop.addEventListener("abort", pressReturn, { once: true }); // before the question hears of it: what was typed is looked at, and kept
    return text({
      message: besideBar(message, S_BAR),
      initialValue: kept,
      ...(suggested !== undefined && { placeholder: suggested, defaultValue: suggested }),
      output: process.stderr,
      signal: either(stop, signal),
      validate: (value = "") => {
        if (!stop.aborted) return problemOf?.(value.trim());
        kept = value;
        return questions.stopped;
      },
    });
  });
  return isCancel(typed) ? undefined : typed.trim();
}

/** The bar that clack draws down the left side stands before the first line of such a question only. */
function besideBar(message: string, bar: string): string {
  const prefix = `${styleText("gray", bar)}  `;
  const room = drawingSize(process.stderr).columns - `${bar}  `.length;
  const lines = message.split("\n").flatMap((line) => wrapped(line, room, ""));
  return lines.join(`\n${prefix}`);
}

/**
 * Asks, and after Ctrl-Z and `fg` asks again: in between the terminal is the shell's, with its cursor, its echo and its lines. A
 * question that went on would draw over those.
 */
export async function askThroughStops<T>(ask: (stop: AbortSignal) => Promise<T>): Promise<T> {
  for (;;) {
    const stop = new AbortController();
    const stopped = () => stop.abort();
    process.on("SIGTSTP", stopped);
    const answer = await ask(stop.signal).finally(() => process.off("SIGTSTP", stopped));
    if (!stop.signal.aborted) return answer;
    process.kill(OUR_GROUP, "SIGTSTP"); // as a terminal does: otherwise npx, which waits for us, keeps the shell waiting
  }
}

const OUR_GROUP = 0;

export function either(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}

function pressReturn(): void {
  process.stdin.emit("keypress", "\r", { name: "return", sequence: "\r" });
}
