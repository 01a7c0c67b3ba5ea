/** A value that differs, by its dotted path. A side is undefined where the value is missing. */
export interface LeafChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

const LONGEST_VALUE = 80;

/** Where two values differ. Criteria and other lists are compared item by item. */
export function leafChanges(before: unknown, after: unknown): LeafChange[] {
  const [old, now] = [leavesOf(before, ""), leavesOf(after, "")];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths
    .filter((path) => old.get(path) !== now.get(path))
    .map((path) => ({ path, before: shortened(old.get(path)), after: shortened(now.get(path)) }));
}

function leavesOf(value: unknown, path: string): Map<string, string> {
  if (value === undefined) return new Map();
  const isInner = value !== null && typeof value === "object" && Object.keys(value).length > 0;
  if (!isInner) return new Map([[path, JSON.stringify(value)]]);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const name = isList ? `${path}[${Number(key) + 1}]` : path === "" ? key : `${path}.${key}`;
    return [...leavesOf(one, name)];
  });
  return new Map(entries);
}

function shortened(text: string | undefined): string | undefined {
  return text !== undefined && text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
