import type { Usage } from "../../model/usage.ts";
import type { Texts } from "../../texts/en/catalogue.ts";

/** The units of a duration. */
export type TimeUnits = Texts["units"];

const SYMBOLS: TimeUnits = { s: "s", min: "min", h: "h" };

/** `4.2 s`, `3 min 12 s`, `2 h 05 min`. */
export function duration(seconds: number, { s, min, h }: TimeUnits = SYMBOLS): string {
  if (seconds < 60) return `${seconds.toFixed(1)} ${s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} ${min} ${Math.floor(seconds % 60)} ${s}`;
  return `${Math.floor(minutes / 60)} ${h} ${two(minutes % 60)} ${min}`;
}

/** `0:07`, `12:34`, and beyond an hour `2 h 05 min`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours} h ${two(minutes)} min` : `${minutes}:${two(whole % 60)}`;
}

/** How long ago it was, in the largest unit that says something. */
export function age(since: string, now: Date, { age: say }: Texts): string {
  const seconds = Math.floor((now.getTime() - Date.parse(since)) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return say.seconds(Math.max(0, seconds));
  if (seconds < 3600) return say.minutes(Math.floor(seconds / 60));
  if (seconds < 86_400) return say.hours(Math.floor(seconds / 3600));
  return say.days(Math.floor(seconds / 86_400));
}

/** `10:05:00` in the reader's time zone, in every language. */
export function localClock(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
}

/** `2026-01-23 10:05:00` in the reader's time zone. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${localClock(time)}`;
}

function two(part: number): string {
  return String(part).padStart(2, "0");
}

/** Empty when the model is free, or nobody asked for its price. */
export function knownCost(cost: number): string[] {
  return cost > 0 ? [dollars(cost)] : [];
}

type Spent = Pick<Usage, "cost_usd" | "tokens" | "unknown">;

/** As `knownCost`; it says so where an agent has not told all that it cost. */
export function costWords({ cost_usd, unknown }: Spent, { report }: Texts): string[] {
  if (!unknown?.includes("cost")) return knownCost(cost_usd);
  return [cost_usd > 0 ? report.atLeast(dollars(cost_usd)) : report.unknown];
}

/** The tokens, or that they are unknown. */
export function tokenWords(
  { tokens, unknown }: Spent,
  { report }: Texts,
  say = String as (count: number) => string,
): string {
  if (!unknown?.includes("tokens")) return say(tokens);
  return tokens > 0 ? report.atLeast(say(tokens)) : report.unknown;
}

export function dollars(cost: number): string {
  return `$${cost.toFixed(cost > 0 && cost < 0.1 ? 4 : 2)}`;
}

/** `980`, `9.8k`, `98k`, `1.2M`. */
export function compact(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [unit, letter] = count < 999_500 ? [1000, "k"] : [1_000_000, "M"];
  const amount = count / unit;
  return `${amount < 9.95 ? amount.toFixed(1) : Math.round(amount)}${letter}`;
}

/** `980 B`, `9.8 kB`, `98 kB`, `1.2 MB`. */
export function byteCount(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [amount, unit] = [bytes, 0];
  for (; amount >= 999.5 && unit < units.length - 1; unit += 1) amount /= 1000;
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}
