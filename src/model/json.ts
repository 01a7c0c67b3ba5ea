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
