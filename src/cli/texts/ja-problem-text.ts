import type { ProblemTexts } from "../../compose/definitions.ts";
import { type Statement, wordsIn } from "../../model/statement.ts";

export interface ProblemWords {
  message: string;
  why: string;
  fix: string;
}

type Say<F> = F extends (details: infer D) => unknown ? (details: D) => ProblemWords : never;
export type JapaneseProblems = { [C in keyof ProblemTexts]: Say<ProblemTexts[C]> };

export function said(message: string, why: string, fix: string): ProblemWords {
  return { message, why, fix };
}

export function ja(wording: Statement): string {
  return wordsIn("ja", wording);
}

/** What to do about a name that does not exist: the one that was probably meant, or else this. */
export function meant(nearest: string | undefined, otherwise: string): string {
  return nearest ? `${nearest} ではありませんか。` : otherwise;
}
