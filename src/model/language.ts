/** The languages that people are spoken to in. */
export const LANGUAGES = ["en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Kana appear in Japanese and in no other language. */
export function languageOf(text: string): Language {
  return /[\u3040-\u30ff]/.test(text) ? "ja" : "en";
}
