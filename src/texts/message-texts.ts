import type { Language } from "../model/language.ts";
import type { Statement } from "../model/message.ts";

/** Says a statement inside another one, in the same language. */
export type Tell = (statement: Statement) => string;

/** The sentences of one area, both languages side by side: a missing one does not compile. */
export type MessageTexts<M> = { [C in keyof M]: Readonly<Record<Language, (params: M[C], tell: Tell) => string>> };

/** A number of things in English: `1 turn`, `2 turns`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
