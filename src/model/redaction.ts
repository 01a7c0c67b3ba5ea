/** A value that must not be written down, and what stands in its place: `[redacted: NAME]`. */
export interface Secret {
  name: string;
  value: string;
}

export type Redact = (text: string) => string;

/** At the edge of a text, the rest of a secret that was cut off counts from this length on; of a short one, half of it. */
const SHORTEST_PART = 8;
/** Lines of a key, and other forms of a value, are looked for from this length on. */
const SHORTEST_FORM = 16;

interface Form {
  text: string;
  mark: string;
}

/**
 * Replaces secrets in texts: as they are, as JSON and addresses spell them, in base64, and line by line. Texts come in pieces and are cut, so
 * the end of a secret counts at the beginning of a text, and its beginning at the end.
 */
export function redactor(secrets: readonly Secret[]): Redact {
  const forms = formsOf(secrets);
  if (forms.length === 0) return (text) => text;
  const marks = new Map(forms.map(({ text, mark }) => [text, mark]));
  const pattern = new RegExp(forms.map(({ text }) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
  return (text) => {
    // Looking for each by itself is many times faster than the pattern, and most texts hold none.
    const isThere = forms.some((form) => text.includes(form.text));
    const whole = isThere ? text.replace(pattern, (found) => marks.get(found) ?? found) : text;
    return withoutParts(whole, forms);
  };
}

function formsOf(secrets: readonly Secret[]): Form[] {
  const forms = secrets.flatMap(({ name, value }) => {
    const mark = `[redacted: ${name}]`;
    const lines = value.includes("\n") ? value.split(/\r?\n/).map((line) => line.trim()) : [];
    const others = [encodeURIComponent(value), btoaOf(value), ...lines].filter((form) => form.length >= SHORTEST_FORM);
    return [value, JSON.stringify(value).slice(1, -1), ...others].map((text) => ({ text, mark }));
  });
  const known = new Map(forms.toReversed().map((form) => [form.text, form]));
  return [...known.values()].sort((left, right) => right.text.length - left.text.length);
}

function btoaOf(value: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(value))).replace(/=+$/, "");
}

function withoutParts(text: string, forms: readonly Form[]): string {
  let rest = text;
  for (const { text: secret, mark } of forms) {
    const least = Math.min(SHORTEST_PART, Math.ceil(secret.length / 2));
    const end = partAtStart(rest, secret, least);
    if (end > 0) rest = mark + rest.slice(end);
    const start = partAtEnd(rest, secret, least);
    if (start >= 0) rest = rest.slice(0, start) + mark;
  }
  return rest;
}

/** How long the end of the secret is with which the text begins. */
function partAtStart(text: string, secret: string, least: number): number {
  const tail = secret.slice(-least);
  const head = text.slice(0, secret.length);
  const at = head.indexOf(tail);
  return at >= 0 && secret.endsWith(head.slice(0, at + least)) ? at + least : 0;
}

/** Where the beginning of the secret stands with which the text ends; -1 where it does not. */
function partAtEnd(text: string, secret: string, least: number): number {
  const from = Math.max(0, text.length - secret.length);
  const at = text.indexOf(secret.slice(0, least), from);
  return at >= 0 && secret.startsWith(text.slice(at)) ? at : -1;
}

/** The value with every text in it redacted. The same object where there is nothing to redact. */
export function redacted<T>(value: T, redact: Redact): T {
  return redactedIn(value, redact) as T;
}

function redactedIn(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((one) => redactedIn(one, redact));
    return items.every((one, index) => one === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const now = entries.map(([key, one]) => [redact(key), redactedIn(one, redact)] as const);
  const isSame = now.every(([key, one], index) => key === entries[index]?.[0] && one === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(now);
}
