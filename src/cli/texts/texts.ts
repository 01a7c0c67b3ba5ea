import type { E8Error } from "../../model/errors.ts";
import type { Notice } from "../../model/notices.ts";
import type { Language } from "../../model/phrases.ts";
import type { Texts } from "./en.ts";

/** Only the language that is spoken is loaded. */
const catalogues: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import("./en.ts")).en,
  ja: async () => (await import("./ja.ts")).ja,
};

/** `--lang` wins over the locale; everything but Japanese reads English. */
export function chooseTexts(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<Texts> {
  return catalogues[chosenLanguage(argv) ?? localeLanguage(environment)]();
}

export function faultText(error: E8Error, texts: Texts): { message: string; hint: string } {
  const say = texts.faults[error.code] as (details: object) => { message: string; hint: string };
  return say(error.details);
}

export function noticeText(notice: Notice, texts: Texts): string {
  return (texts.notices[notice.code] as (details: object) => string)(notice.details);
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
