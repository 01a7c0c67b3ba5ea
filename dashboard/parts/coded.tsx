import type { ComponentChildren } from "preact";

/** A sentence of ours, in which `backticks` mark what is typed. */
export function coded(sentence: string): ComponentChildren {
  return sentence.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
