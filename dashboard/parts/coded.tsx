import type { ComponentChildren } from "preact";
import type { Problem } from "../data/source.ts";

/** A sentence of ours, in which `backticks` mark what is typed. */
export function coded(sentence: string): ComponentChildren {
  return sentence.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}

/** What went wrong and what to do, in one line. */
export function codedProblem({ message, hint = "" }: Problem): ComponentChildren {
  return coded(`${message} ${hint}`);
}
