import type { Usage } from "../../src/model/usage.ts";
import { language, texts } from "../texts/texts.ts";

/** One for each language: to make one takes a thousand times as long as to use it. */
function perLanguage<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const locale = language.value === "ja" ? "ja-JP" : "en-US";
    const formatter = made.get(locale) ?? make(locale);
    made.set(locale, formatter);
    return formatter;
  };
}

const numbers = perLanguage((locale) => new Intl.NumberFormat(locale));
const moments = perLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
const ages = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { style: "short" }));
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const tenthsOfCents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 3 });

export function count(amount: number): string {
  return numbers().format(amount);
}

/** `12.3k`: for columns in which many amounts are compared. */
export function short(amount: number): string {
  return compact.format(amount);
}

export function dollars(amount: number): string {
  const isSmall = amount !== 0 && Math.abs(amount) < 1;
  return `$${(isSmall ? tenthsOfCents : cents).format(amount)}`;
}

export function spentDollars({ cost_usd, unknown = [] }: Usage): string {
  return unknown.includes("cost") ? knownPart(cost_usd, dollars) : dollars(cost_usd);
}

export function spentTokens({ tokens, unknown = [] }: Usage): string {
  return unknown.includes("tokens") ? knownPart(tokens, short) : short(tokens);
}

/** The mark says that there was more. */
function knownPart(amount: number, say: (amount: number) => string): string {
  return amount > 0 ? `≥ ${say(amount)}` : texts().amount.unknown;
}

export function duration(milliseconds: number): string {
  const { amount } = texts();
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return amount.seconds(seconds.toFixed(1));
  if (seconds < 60) return amount.seconds(Math.round(seconds));
  if (seconds < 3600) return amount.minutes(Math.floor(seconds / 60), Math.floor(seconds % 60));
  return amount.hours(Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60));
}

/** Each event of a stream has one. */
export function clock(at: string | number): string {
  const when = new Date(at);
  return [when.getHours(), when.getMinutes(), when.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

export function moment(at: string | number): string {
  const when = new Date(at);
  return Number.isNaN(when.getTime()) ? String(at) : moments().format(when);
}

/** `3 min ago` in the words of the language. */
export function ago(at: string, now: number): string {
  const seconds = (now - Date.parse(at)) / 1000;
  if (Number.isNaN(seconds)) return at;
  if (seconds < 45) return texts().amount.now;
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const;
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? (["minute", 60] as const);
  return ages().format(-Math.round(seconds / size), unit);
}
