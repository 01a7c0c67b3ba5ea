import type { Language } from "./phrases.ts";

/**
 * Why something is a fault, as a detail of that fault: a sentence of ours in every language, side by side so that none
 * is changed alone; or the words of another program, which are quoted as they are. Records keep all of it, so that
 * whoever reads them later reads his own language.
 */
export type Wording = string | Readonly<Record<Language, string>>;

/** Says a part of a sentence in the language of the whole. */
type Say = (part: Wording) => string;

/** A sentence made of parts. Without a second one it is said alike in every language. */
export function worded(english: (say: Say) => string, japanese: (say: Say) => string = english): Wording {
  return { en: english((part) => wordsIn("en", part)), ja: japanese((part) => wordsIn("ja", part)) };
}

export function wordsIn(language: Language, wording: Wording): string {
  return typeof wording === "string" ? wording : wording[language];
}

/** Several, one after the other. */
export function joined(wordings: readonly Wording[], separator: string): Wording {
  return worded((say) => wordings.map(say).join(separator));
}
