/** A minute: agents that tell a time of day leave its seconds out. */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** When an agent says that its account can be used again, as epoch milliseconds; undefined where it does not say. */
export function toldReset(said: string, now: number): number | undefined {
  const wait = WAIT.exec(said)?.[1];
  if (wait !== undefined) return now + durationOf(wait);
  const { date, time, zone } = MOMENT.exec(said)?.groups ?? {};
  if (time === undefined) return undefined;
  const moment = date === undefined ? nextTime(time, zone, now) : Date.parse(`${plainDate(date)} ${plainTime(time)}`);
  return Number.isNaN(moment) ? undefined : moment + MINUTE;
}

/** `try again in 2 hours 3 minutes`, `quota will reset after 2h3m` */
const WAIT = /(?:try again|retry|resets?)\s+(?:in|after)\s+((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s+)?)+)/i;
/** `try again at 10:00 PM`, `try again at Nov 20th, 2026 1:30 PM`, `resets 10:01pm (UTC)` */
const MOMENT =
  /(?:try again at|resets?(?: at)?)\s+(?<date>[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? (?:\d{4},? )?)?(?<time>\d{1,2}(?::\d\d)?\s*[ap]m|\d{1,2}:\d\d)(?:\s*\((?<zone>[\w/+-]+)\))?/i;

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: MINUTE, h: 60 * MINUTE, d: DAY };

function durationOf(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[dhms])/gi)];
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (UNITS[unit.toLowerCase()] ?? 1), 0);
}

function plainDate(date: string): string {
  const text = date.replace(/(\d)(st|nd|rd|th)/i, "$1").trim();
  return /\d{4}/.test(text) ? text : `${text} ${new Date().getFullYear()}`;
}

/** As `Date.parse` reads it. */
function plainTime(time: string): string {
  const { hours, minutes } = clockOf(time);
  return `${hours}:${String(minutes).padStart(2, "0")}`;
}

function clockOf(time: string): { hours: number; minutes: number } {
  const [, hours = "0", minutes = "0", half] = /^(\d{1,2})(?::(\d\d))?\s*([ap]m)?$/i.exec(time) ?? [];
  const afternoon = half?.toLowerCase() === "pm" ? 12 : 0;
  return { hours: half ? (Number(hours) % 12) + afternoon : Number(hours), minutes: Number(minutes) };
}

/** The next time that a clock in a zone shows this; without a zone, the clock of this machine. */
function nextTime(time: string, zone: string | undefined, now: number): number {
  const { hours, minutes } = clockOf(time);
  const shown = shownAt(zone, now);
  if (Number.isNaN(shown)) return Number.NaN;
  const wait = (hours * 60 + minutes) * MINUTE - shown;
  return now + (wait < -MINUTE ? wait + DAY : wait);
}

/** Milliseconds since midnight, on a clock in the zone. */
function shownAt(timeZone: string | undefined, now: number): number {
  try {
    const format = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", ...(timeZone && { timeZone }) });
    const [hours = 0, minutes = 0, seconds = 0] = format.format(now).split(":").map(Number);
    return ((hours * 60 + minutes) * 60 + seconds) * 1000;
  } catch {
    return Number.NaN; // no such zone
  }
}
