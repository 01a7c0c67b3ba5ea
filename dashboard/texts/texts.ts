import { signal } from "@preact/signals";
import type { Language } from "../../src/model/language.ts";
import { keep, kept } from "../app/kept.ts";
import type { Texts } from "./en.ts";
import { en } from "./en.ts";
import { ja } from "./ja.ts";

const catalogues: Record<Language, Texts> = { en, ja };

export const language = signal<Language>("en");

/** The texts of the language that is shown; a component that reads them is drawn anew when it changes. */
export function texts(): Texts {
  return catalogues[language.value];
}

/** What the address says, then what was chosen here before, then what the server speaks. */
export function firstLanguage(fallback: Language): Language {
  const asked = new URLSearchParams(location.search).get("lang") ?? kept("language") ?? fallback;
  return asked === "ja" ? "ja" : "en";
}

export function speak(chosen: Language): void {
  language.value = chosen;
  document.documentElement.lang = chosen;
}

export function choose(chosen: Language): void {
  keep("language", chosen);
  speak(chosen);
}

/** The word for a code; the code itself where a newer server has one more. */
export function label(words: object, code: string): string {
  return Object.hasOwn(words, code) ? String(words[code as keyof typeof words]) : code;
}
