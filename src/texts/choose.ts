import type { Language } from "../model/language.ts";
import type { Texts } from "./en/catalogue.ts";

/** Only the language that is spoken is loaded. */
const catalogues: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import("./en/catalogue.ts")).en,
  ja: async () => (await import("./ja/catalogue.ts")).ja,
};

export function textsIn(language: Language): Promise<Texts> {
  return catalogues[language]();
}

/** `--lang` wins over the locale; everything but Japanese reads English. */
export function chooseTexts(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<Texts> {
  return catalogues[chosenLanguage(argv) ?? localeLanguage(environment)]();
}

function chosenLanguage(argv: readonly string[]): Language | undefined {
  const inline = argv.find((word) => word.startsWith("--lang="))?.slice("--lang=".length);
  const value = inline ?? argv[argv.indexOf("--lang") + 1];
  return argv.some((word) => word === "--lang" || word.startsWith("--lang=")) && (value === "ja" || value === "en")
    ? value
    : undefined;
}

function localeLanguage({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language {
  return (LC_ALL || LC_MESSAGES || LANG || "").startsWith("ja") ? "ja" : "en";
}
