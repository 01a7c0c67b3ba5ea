import { type Statement, worded } from "../model/statement.ts";
import type { Kind } from "./schema-guide.ts";

/** What is said about a single value that cannot be used, in files, flags and definitions alike. */
export const MISSING: Statement = { en: "is missing", ja: "がありません" };
export const EMPTY: Statement = { en: "is empty", ja: "空です" };

export function tooLarge(value: Statement): Statement {
  return worded(
    (say) => `${say(value)} is too large`,
    (say) => `${say(value)} は大きすぎます`,
  );
}

export function tooSmall(value: Statement): Statement {
  return worded(
    (say) => `${say(value)} is too small`,
    (say) => `${say(value)} は小さすぎます`,
  );
}

export function notPossible(value: Statement): Statement {
  return worded(
    (say) => `${say(value)} is not possible`,
    (say) => `${say(value)} は使えません`,
  );
}

export function notKind(value: Statement, kind: Kind): Statement {
  if (kind === "any") return notPossible(value);
  return worded(
    (say) => `${say(value)} is not ${say(NOUNS[kind])}`,
    (say) => `${say(value)} は${say(NOUNS[kind])}ではありません`,
  );
}

/** What a value of a kind is called. */
export const NOUNS: Record<Exclude<Kind, "any">, Statement> = {
  integer: { en: "a whole number", ja: "整数" },
  number: { en: "a number", ja: "数" },
  boolean: { en: "true or false", ja: "真偽値（true、false）" },
  string: { en: "text", ja: "文字列" },
  array: { en: "a list", ja: "リスト" },
  object: { en: "a group of keys", ja: "キーのまとまり" },
};

export function shownValue(value: unknown): Statement {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === undefined || value === null) return { en: "nothing", ja: "空の値" };
  if (Array.isArray(value)) return NOUNS.array;
  return typeof value === "object" ? NOUNS.object : String(value);
}
