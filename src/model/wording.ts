import type { Language } from "./phrases.ts";

/** A sentence of ours in every language, side by side so that none is changed alone. */
export type Words = Readonly<Record<Language, string>>;

/**
 * Something to be said to a person: a sentence of ours, or the words of another program, which are quoted as they are. Records
 * keep every language, so that it can be told to each reader in theirs.
 */
export type Wording = string | Words;

/** Says a part of a sentence in the language of the whole. */
export type Say = (part: Wording) => string;

/** A sentence made of parts. Without a second one it is said alike in every language. */
export function worded(english: (say: Say) => string, japanese: (say: Say) => string = english): Words {
  return { en: english((part) => wordsIn("en", part)), ja: japanese((part) => wordsIn("ja", part)) };
}

export function wordsIn(language: Language, wording: Wording): string {
  return typeof wording === "string" ? wording : wording[language];
}

/** A number of things in English: `1 turn`, `2 turns`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Several, one after the other. */
export function joined(wordings: readonly Wording[], separator: string): Words {
  return worded((say) => wordings.map(say).join(separator));
}

/** The same with its text changed; the words of another program stay one text. */
export function changed(wording: Wording, change: (text: string) => string): Wording {
  return typeof wording === "string" ? change(wording) : worded((say) => change(say(wording)));
}

/** Thrown with words of ours; its message is the English one. */
export class WordedError extends Error {
  readonly wording: Wording;

  constructor(wording: Wording, options?: ErrorOptions) {
    super(wordsIn("en", wording), options);
    this.name = "WordedError";
    this.wording = wording;
  }
}

/** What was thrown, in our words where they are ours. */
export function wordingOf(thrown: unknown): Wording {
  if (thrown instanceof WordedError) return thrown.wording;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
