import { type Statement, wordsIn } from "../../../model/statement.ts";

/** What is wrong, why it matters, and how to fix it. */
export interface ProblemText {
  severity: "error" | "warning";
  message: string;
  why: string;
  fix: string;
}

/** A definition with one of these does not start. */
export function error(message: string, why: string, fix: string): ProblemText {
  return { severity: "error", message, why, fix };
}

export function warning(message: string, why: string, fix: string): ProblemText {
  return { severity: "warning", message, why, fix };
}

/** English is what a report says by itself. */
export function en(wording: Statement): string {
  return wordsIn("en", wording);
}
