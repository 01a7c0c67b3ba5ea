import { teller } from "../texts/tell.ts"; // until every sentence is a message
import type { Language } from "./language.ts";
import type { Statement } from "./message.ts";

export type { Statement } from "./message.ts";

/** A sentence of ours in every language, side by side so that none is changed alone. */
export type Words = Readonly<Record<Language, string>>;

/** Says a part of a sentence in the language of the whole. */
export type Say = (part: Statement) => string;

/** A sentence made of parts. Without a second one it is said alike in every language. */
export function worded(english: (say: Say) => string, japanese: (say: Say) => string = english): Words {
  return { en: english((part) => wordsIn("en", part)), ja: japanese((part) => wordsIn("ja", part)) };
}

export function wordsIn(language: Language, wording: Statement): string {
  if (typeof wording === "string") return wording;
  return "code" in wording ? teller(language)(wording) : wording[language];
}

/** A number of things in English: `1 turn`, `2 turns`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Several, one after the other. */
export function joined(wordings: readonly Statement[], separator: string): Words {
  return worded((say) => wordings.map(say).join(separator));
}

/** The same with its text changed; the words of another program stay one text. */
export function changed(wording: Statement, change: (text: string) => string): Statement {
  return typeof wording === "string" ? change(wording) : worded((say) => change(say(wording)));
}

/** Thrown with words of ours; its message is the English one. */
export class WordedError extends Error {
  readonly wording: Statement;

  constructor(wording: Statement, options?: ErrorOptions) {
    super(wordsIn("en", wording), options);
    this.name = "WordedError";
    this.wording = wording;
  }
}

/** What was thrown, in our words where they are ours. */
export function wordingOf(thrown: unknown): Statement {
  if (thrown instanceof WordedError) return thrown.wording;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
