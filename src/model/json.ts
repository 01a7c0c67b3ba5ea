/** Parses JSON; undefined where the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value as text: a text as it is, nothing as the empty text, lists and objects as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The value at a dot path, or undefined. Reads own properties only. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (hasOwn(at, name) ? at[name] : undefined), value);
}

function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every JSON object in a text that lies in no other. Linear in the length of the text. */
export function* jsonObjectsIn(text: string): Generator<Record<string, unknown>> {
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = endOfTokens(text, start);
    const object = jsonIn(text.slice(start, end));
    if (isRecord(object)) yield object;
    start = text.indexOf("{", Math.max(end, start + 1));
  }
}

const TOKEN = /\s*(?:([{[])|([}\]])|[,:]|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null)/y;

/** Where the bracket opened at `start` is closed, or where the text stops being JSON. */
function endOfTokens(text: string, start: number): number {
  let depth = 0;
  TOKEN.lastIndex = start;
  for (let position = start; ; position = TOKEN.lastIndex) {
    const token = TOKEN.exec(text);
    if (!token) return position;
    if (token[1]) depth += 1;
    if (token[2]) depth -= 1;
    if (depth === 0) return TOKEN.lastIndex;
  }
}
