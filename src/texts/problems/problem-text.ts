import type { Language } from "../../model/language.ts";
import type { BothTexts } from "../message-texts.ts";

/** What is wrong, why it matters, and how to fix it. */
export interface ProblemText {
  message: string;
  why: string;
  fix: string;
}

export type ProblemTexts<P> = BothTexts<P, readonly [message: string, why: string, fix: string]>;

export type Both = Readonly<Record<Language, string>>;

/** What to do about a name that does not exist: take the one that was probably meant, or else this. */
export const meant: Record<Language, (nearest: string | undefined, otherwise: string) => string> = {
  en: (nearest, otherwise) => (nearest ? `Did you mean ${nearest}?` : otherwise),
  ja: (nearest, otherwise) => (nearest ? `${nearest} ではありませんか。` : otherwise),
};

export const SAME_THING: Both = {
  en: "Both are names of the same thing, from two versions of the format.",
  ja: "同じものの新旧 2 つの名前です。",
};

export const UNDECIDABLE: Both = {
  en: "It would never be known when the agent is done.",
  ja: "エージェントがいつ完了したのか判断できません。",
};
