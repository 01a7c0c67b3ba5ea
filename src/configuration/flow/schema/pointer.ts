import { posix } from "node:path";

/** The parts of `#/a/b`; undefined for what is no well-formed pointer. `#` alone is the whole document. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "#") return [];
  if (!pointer.startsWith("#/")) return undefined;
  const parts = pointer.slice(2).split("/");
  if (parts.some((part) => part === "" || /~(?![01])/.test(part))) return undefined;
  return parts.map((part) => decoded(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What stands at the end of the parts; undefined where they lead nowhere. */
export function follow(root: unknown, parts: readonly string[]): unknown {
  let node = root;
  for (const part of parts) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, part)) return undefined;
    node = (node as Record<string, unknown>)[part];
  }
  return node;
}

/** The file that a reference in another file means: beside it, or else in the schemas' folder or the agent's. */
export function siblingOf(
  files: ReadonlyMap<string, string>,
  from: string,
  name: string,
  base: string,
): string | undefined {
  const plain = decoded(name);
  return [`${posix.dirname(from)}/${plain}`, `${base}/${plain}`, plain].map(normalized).find((path) => files.has(path));
}

/** Without `.`, `..` and doubled slashes; nothing leads out of the flow's directory. */
export function normalized(path: string): string {
  return posix.resolve("/", path).slice(1);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
