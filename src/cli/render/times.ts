import type { Texts } from "../../texts/en/catalogue.ts";

/** How long ago it was, in the largest unit that says something. */
export function age(since: string, now: Date, { age: say }: Texts): string {
  const seconds = Math.floor((now.getTime() - Date.parse(since)) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return say.seconds(Math.max(0, seconds));
  if (seconds < 3600) return say.minutes(Math.floor(seconds / 60));
  if (seconds < 86_400) return say.hours(Math.floor(seconds / 3600));
  return say.days(Math.floor(seconds / 86_400));
}

/** `10:05:00` on the clock of whoever reads it, in every language. */
export function localClock(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
}

/** `2026-01-23 10:05:00` on the clock of whoever reads it. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${localClock(time)}`;
}

function two(part: number): string {
  return String(part).padStart(2, "0");
}
