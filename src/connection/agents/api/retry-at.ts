/** A server that asks for a longer wait is not believed. */
const LONGEST_MILLISECONDS = 7 * 24 * 3600 * 1000;

type Headers = Readonly<Record<string, string>>;

/** When a server that refuses for now says that it will answer again, as epoch milliseconds. */
export function retryAt(headers: Headers, now: number): number | undefined {
  const waits = [milliseconds(headers["retry-after-ms"]), wait(headers["retry-after"], now), limitReset(headers, now)];
  const chosen = waits.find((one) => one !== undefined);
  return chosen !== undefined && chosen >= 0 && chosen <= LONGEST_MILLISECONDS ? now + chosen : undefined;
}

/** A server limits requests and tokens apart. The limit that resets last decides. */
function limitReset(headers: Headers, now: number): number | undefined {
  const waits = Object.entries(headers)
    .filter(([name]) => /ratelimit.*reset/.test(name) && !(Number(headers[name.replace("reset", "remaining")]) > 0))
    .flatMap(([, value]) => wait(value, now) ?? []);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** Seconds, a time such as `6m0s`, an epoch or a date. */
function wait(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const number = Number(text);
  if (number > 1e11) return number - now;
  if (number > 1e9) return number * 1000 - now;
  if (number >= 0) return number * 1000;
  const date = Date.parse(text);
  return duration(text.trim()) ?? (Number.isNaN(date) ? undefined : Math.max(0, date - now));
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function duration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
}

function milliseconds(text: string | undefined): number | undefined {
  return text !== undefined && Number(text) >= 0 && text.trim() !== "" ? Number(text) : undefined;
}
