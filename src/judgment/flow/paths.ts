/** What a dot path leads to: undefined where nothing is there. Only a value's own properties count. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (hasOwn(at, name) ? at[name] : undefined), value);
}

function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
