export const LANGUAGES = ["en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
